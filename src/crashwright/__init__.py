"""crashwright: a Python traceback becomes a small, verified, failing pytest test."""

__version__ = "0.1.0"
