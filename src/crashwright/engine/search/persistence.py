"""How long a search goes on that has reproduced the crash, though something of the report still speaks against the test.

# Deviation: none of the papers does this; to them the first test with the wanted frames is the result. Here it is kept as the
fallback, and a share of what is left of the budget goes into a test that shows the same values in the message, has legal
arguments, and makes the call that the report echoes.
"""

from __future__ import annotations

from crashwright.engine.goals.crash.score import NEAR_MISS
from crashwright.engine.search.budget import BudgetMeter

FOR_EVIDENCE, FOR_STRAY, FOR_FORM = 0.25, 0.15, 0.08
"""The shares of the budget left: where another value or sub-expression makes it likely to be another bug, where the test passes
what nobody would, and where it is only illegal or unlike the echoed call."""
UNBOUNDED = 20_000
"""Evaluations, where there is no budget at all."""


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
        share = FOR_EVIDENCE if fitness >= NEAR_MISS else FOR_STRAY if stray else FOR_FORM
        if not self._meter.is_bounded:
            return self._meter.evaluations - evaluations < share * UNBOUNDED
        return used < begin + share * (1.0 - begin)
