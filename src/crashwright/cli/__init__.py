"""The command line: one module a command."""

import gc

# Before all else that a command imports: Python's collector went through it time and again, for a sixth of the time that it took.
gc.set_threshold(20_000, 20, 20)
