"""What a row is that looks at the call of a function in C: see ``calls``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crashwright.engine.instrument.comparison_log.notes import ComparisonNotes

Arguments = tuple[Any, ...]
Row = Callable[[ComparisonNotes, Any, Arguments, Any, int], None]
"""Gets the notes of the run, what the method is of (None for a function), the arguments, and the result, or the exception that was
raised; and the number of the place in the code."""
