"""Printed files in fresh interpreters: the runner, what records them, and what the record says."""
