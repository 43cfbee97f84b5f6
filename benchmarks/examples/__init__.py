"""The examples of paper 002 in Python: what the symbolic engine composes for them from a cold start, and in which time."""
