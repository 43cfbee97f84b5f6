"""The goals of suites: eight coverage criteria with their fitness functions (SPEC 6; paper 004)."""
