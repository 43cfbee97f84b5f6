"""How often a test is changed in which way: the edits of statements, and what else makes a test out of others."""

from __future__ import annotations

from collections.abc import Iterable

from crashwright.engine.testcase.testcase import TestCase

CHANGED, DELETED, INSERTED = "changed", "deleted", "inserted"
OTHERWISE = "otherwise"
"""Of a menu with one way: that it was not taken."""
DATA = {CHANGED: 0.8, DELETED: 0.1, INSERTED: 0.1}
"""Of the edits of statements that hold a value: values decide most crashes of Python code."""
CALLS = {CHANGED: 0.45, DELETED: 0.275, INSERTED: 0.275}
"""Of the edits of others."""
TEXTS_CROSSED = 0.35
"""Share of crossovers in which two tests exchange parts of their texts, where both have one."""
CIRCLES = 0.25
"""Share of mutations that close a circle, where that was asked for."""
PROLONGED = 0.15
"""Share of mutations that add calls on the object that is worked on, where that was asked for."""


class Mix:
    """Shares that stay as they are."""

    def __init__(self) -> None:
        self.data = _bounds(DATA)
        """Below the first an edit is a change, below the second a deletion, else an insertion."""
        self.calls = _bounds(CALLS)
        self.texts_crossed = TEXTS_CROSSED
        self.circles = CIRCLES
        self.prolonged = PROLONGED

    def begin(self) -> None:
        """Another test is made."""

    def took(self, menu: str, way: str) -> None:
        """Of a menu of ways, this one was taken."""

    def made(self, test: TestCase, *parents: TestCase) -> None:
        """``test`` is what came of it."""

    def settle(self, tests: Iterable[tuple[TestCase, bool]]) -> None:
        """A generation was run: which of its tests have reached something new."""


def _bounds(shares: dict[str, float]) -> tuple[float, float]:
    return shares[CHANGED], shares[CHANGED] + shares[DELETED]


FIXED = Mix()
