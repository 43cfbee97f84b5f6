"""Arguments of the types that they should have come first; others on purpose only when those have brought nothing for a while.

Wrong types are a basin of their own: they fail early, in many ways, and each looks like something new. But some crashes need one.

# Deviation: EvoCrash's Java has no wrong types.
"""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.engine.search.algorithm import Scored
from crashwright.engine.testcase.testcase import TestCase

FRUITLESS = 300
"""Evaluations without a better fitness and without anything new after which it is the other's turn."""


class LegalFirst:
    """Takes turns; each lasts as long as it brings something."""

    def __init__(self) -> None:
        self.legal = True
        self._best = float("inf")
        self._fruitless = 0

    def note(self, scored: Sequence[Scored[TestCase]]) -> bool:
        """These were run. Whether arguments are to be legal from now on."""
        best = min([one.fitness for one in scored], default=self._best)
        if best < self._best or any(one.novel for one in scored):
            self._best = min(best, self._best)
            self._fruitless = 0
        else:
            self._fruitless += len(scored)
        if self._fruitless >= FRUITLESS:
            self._fruitless = 0
            self.legal = not self.legal
        return self.legal
