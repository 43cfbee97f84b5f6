"""Assertions: what a test shows, what holds in every run, and which of it kills mutants (SPEC 9)."""
