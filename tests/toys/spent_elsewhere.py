"""CPU seconds of what runs for the tests and is no child of their process, whose own count misses it (scripts/dear_tests.py)."""

from __future__ import annotations

_seconds: list[float] = []


def note(seconds: float) -> None:
    """Something has ended that took so many."""
    _seconds.append(seconds)


def total() -> float:
    """Since this process began."""
    return sum(_seconds)
