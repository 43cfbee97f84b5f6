"""Rows of a comparison, made by hand."""

from __future__ import annotations

from benchmarks.comparison.runs import Key, Row


def row(
    crash: str,
    configuration: str,
    seed: int,
    success: int | None,
    *,
    frame: int = 2,
    total: int = 2,
    ended: str = "",
    commit: str = "c",
) -> Row:
    """A run with a budget of 1,000 evaluations, a thousand a second."""
    used = 1000 if success is None else success
    ended = ended or ("budget" if success is None else "reproduced")
    key = Key(crash, frame, configuration, seed, 1000, commit)
    return Row(key, total, success, used, 4 if success else 1, frame if success else 1, 0.25, used / 1000, used / 1000, ended)
