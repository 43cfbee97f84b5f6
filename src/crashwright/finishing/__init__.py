"""The printed file: names, text, and its verification in fresh interpreters."""
