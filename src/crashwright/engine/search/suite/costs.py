"""Which callables are dear: one that runs the module's own tests, say, costs as much as hundreds of other calls, and a search that
calls it as often as the others does little else.

Costs are counted in activations, not in seconds, so that runs repeat.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from statistics import median

from crashwright.engine.instrument.trace import CallFact

SEEN = 200
"""Tests, the last ones, whose median cost is the usual one."""
TIMES_USUAL = 10
"""How many times the usual cost makes a callable dear."""
LEAST_USUAL = 20
"""Activations below which nothing is dear."""
CALLED = 0.1
"""Share of the generations in which a dear callable is called."""


class Costs:
    """What calls cost. A callable costs no more than the cheapest test that called it."""

    def __init__(self) -> None:
        self._least: dict[str, int] = {}
        self._last: deque[int] = deque(maxlen=SEEN)

    def note(self, calls: Iterable[CallFact], activations: int) -> None:
        """A test has run that made these calls."""
        self._last.append(activations)
        least = self._least
        for fact in calls:
            if activations < least.get(fact.address, activations + 1):
                least[fact.address] = activations

    def dear(self) -> frozenset[str]:
        """The addresses of the callables that are dear as things are now."""
        if not self._last:
            return frozenset()
        most = TIMES_USUAL * max(median(self._last), LEAST_USUAL)
        return frozenset(address for address, cost in self._least.items() if cost > most)

    def spared(self, rng: random.Random) -> frozenset[str]:
        """Those of them that the next generation is not to call."""
        return frozenset(address for address in sorted(self.dear()) if rng.random() >= CALLED)
