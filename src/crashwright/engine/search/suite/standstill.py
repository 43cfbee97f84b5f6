"""Whether a search for a suite stands still: branches that are open will hardly be taken any more.

# Deviation: the papers' searches end with their budget; here what is left serves the tests that tell surviving mutants.
"""

from __future__ import annotations

from crashwright.core.portions import EACH_TRIED, STANDSTILL_FROM, STANDSTILL_PART
from crashwright.engine.goals.coverage.goal import Goals
from crashwright.engine.search.budget import BudgetMeter


class Standstill:
    """Told of what is covered now and then, it remembers when that was last more."""

    def __init__(self, meter: BudgetMeter) -> None:
        self._meter = meter
        self._taken = 0
        self._share = 0.0
        self._evaluations = 0

    def note(self, covered: Goals) -> None:
        """These branches are covered by now."""
        if covered.bit_count() > self._taken:
            self._taken = covered.bit_count()
            self._share, self._evaluations = self._meter.share(), self._meter.evaluations

    def is_reached(self, left: Goals) -> bool:
        """Whether for a part of the budget no branch was taken, and each of those that are ``left`` was tried often meanwhile."""
        share, tried = self._meter.share(), self._meter.evaluations - self._evaluations
        long = share >= STANDSTILL_FROM and share - self._share >= STANDSTILL_PART
        return long and tried >= EACH_TRIED * left.bit_count()
