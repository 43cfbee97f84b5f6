"""When the command began: budgets are those of the whole command, and on a busy machine loading it takes seconds."""

from __future__ import annotations

from contextvars import ContextVar

BEGAN: ContextVar[float | None] = ContextVar("BEGAN", default=None)
"""On the monotonic clock; None where a command is called from within another program, which began for something else."""
