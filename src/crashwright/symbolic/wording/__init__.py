"""Preconditions for people: terms in Python's words."""
