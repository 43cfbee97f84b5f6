"""What is installed where the subject runs, seen from outside: interpreter, distributions, source files and their code."""
