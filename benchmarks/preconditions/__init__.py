"""Preconditions of real crashes: how many are found, what they take, and whether they hold where a test makes the crash happen."""
