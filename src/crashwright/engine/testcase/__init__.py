"""Tests as data: statements, the factory that makes them, edits, seeds, minimisation and printing."""
