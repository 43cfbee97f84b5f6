"""How long a search goes on that has reproduced the crash, though something of the report still speaks against the test.

# Deviation: none of the papers does this; to them the first test with the wanted frames is the result. Here it is kept as the
fallback, and a share of what is left of the budget goes into a test that shows the same values in the message, has legal
arguments, and makes the call that the report echoes.
"""

from __future__ import annotations

from crashwright.core.portions import EVIDENCE_PART, FORM_PART, STRAY_PART, UNBOUNDED_EVALUATIONS
from crashwright.engine.goals.crash.score import NEAR_MISS
from crashwright.engine.search.budget import BudgetMeter


class Persistence:
    """``goes_on(fitness, stray)`` after each generation, with the best fitness so far, and whether that test only came to the crash
    by what nobody would pass."""

    def __init__(self, meter: BudgetMeter) -> None:
        self._meter = meter
        self._since: tuple[float, int] | None = None

    def goes_on(self, fitness: float, stray: bool = False) -> bool:
        """Whether to look further for a better test than the best, which reproduces the crash with this fitness."""
        if fitness <= 0:
            return False
        used = self._meter.share()
        if self._since is None:
            self._since = used, self._meter.evaluations
        begin, evaluations = self._since
        share = EVIDENCE_PART if fitness >= NEAR_MISS else STRAY_PART if stray else FORM_PART
        if not self._meter.is_bounded:
            return self._meter.evaluations - evaluations < share * UNBOUNDED_EVALUATIONS
        return used < begin + share * (1.0 - begin)
