"""Which tests of a search were run: breeding makes some of them again, which says nothing new as long as the state is put back.

What may change their outcome, as a warmer subject or another fitness, is told by :meth:`Repeats.forget`. Tests that ran out of time
are not to be noted: more time may be given to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from crashwright.engine.testcase.testcase import TestCase

MOST = 100_000
"""Tests that are remembered, 100 bytes each; half of them are forgotten at a time."""
MOST_LEFT_OUT = 0.5
"""Share of a generation that may be left out: where hardly anything is left to try, a search still gets on with its budget."""


class Repeats:
    """``identity`` is equal for tests that do the same."""

    def __init__(self, identity: Callable[[TestCase], int], most: int = MOST) -> None:
        self._identity = identity
        self._most = most
        self._recent: set[int] = set()
        self._older: set[int] = set()
        self.left_out = 0
        """How many tests were not run again."""

    def new_of(self, tests: Sequence[TestCase]) -> list[TestCase]:
        """``tests`` without those that were run before, nor one of them twice."""
        left = int(len(tests) * MOST_LEFT_OUT)
        kept: list[TestCase] = []
        batch: set[int] = set()
        for test in tests:
            identity = self._identity(test)
            if left and (identity in batch or identity in self._recent or identity in self._older):
                left -= 1
                self.left_out += 1
                continue
            batch.add(identity)
            kept.append(test)
        return kept

    def note(self, tests: Iterable[TestCase]) -> None:
        """These were run."""
        self._recent.update(map(self._identity, tests))
        if len(self._recent) > self._most // 2:
            self._older, self._recent = self._recent, set()

    def forget(self) -> None:
        """The same test may do something else from now on."""
        self._recent, self._older = set(), set()
