"""Changing tests: mutation, crossover, deletion, substitution, minimisation."""
