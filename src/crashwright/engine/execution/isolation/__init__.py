"""Keeping one test from the next: snapshots of the state, and putting it back."""
