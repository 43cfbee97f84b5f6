"""What users may allow to the code that runs, and how options are checked."""

from __future__ import annotations

from collections.abc import Iterable

from crashwright.core.errors import UsageError

FETCH = "fetch"
"""A report may be fetched from its address."""
_OF_REPORTS = frozenset({"secrets", FETCH})
ALLOWANCES = ("network", "processes", "ctypes", "write:FOLDER", *sorted(_OF_REPORTS, reverse=True))


def of_the_subject(allow: Iterable[str]) -> tuple[str, ...]:
    """What is allowed to the code that runs; the rest is about reports."""
    return tuple(name for name in allow if name not in _OF_REPORTS)


def check_choices(frame: int | None, allow: Iterable[str]) -> None:
    """What every command that takes a report has to check. Raises UsageError."""
    positive("--target-frame", frame)
    for name in allow:
        one_of("--allow", "write:FOLDER" if name.startswith("write:") else name, ALLOWANCES)


def one_of(option: str, value: str, choices: tuple[str, ...]) -> None:
    """Raises UsageError where ``value`` is none of ``choices``."""
    if value not in choices:
        raise UsageError(f"{option} {value}: no such choice.", f"Choose one of {', '.join(choices)}.")


def positive(option: str, value: float | None) -> None:
    """Raises UsageError where there is a value, and it is not more than 0."""
    if value is not None and value <= 0:
        raise UsageError(f"{option} {value:g}: must be more than 0.", f"Leave out {option} to use its default.")
