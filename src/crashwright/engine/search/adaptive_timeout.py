"""How long a test may take: as long as it needs to be told from one that hangs, and no longer."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

from crashwright.engine.execution.limits import WALL_FACTOR, TestClock

LONGEST_TEST = 1.0
"""CPU seconds that a test of a slow subject may take at most."""
MANY_TIMEOUTS = 0.1
"""Share of a generation that may time out before tests are given more time."""
FEWEST = 10
"""Tests that ran out of time in one generation are never many below a share of so many tests."""
SHORTEST_TEST = 0.015
"""CPU seconds below which no limit goes: less than a tick, so that the second tick ends a test that hangs."""
TIMES_MEAN = 50
"""How many times the mean time of a test one may take."""
KNOWN_AFTER = 40
"""Tests after which the mean is known."""


class Timeouts(Protocol):
    """Counts tests that ran out of time (``search.evaluator.Evaluator``)."""

    @property
    def timeouts(self) -> int: ...


class AdaptiveTimeout:
    """Sets the limit of ``clock`` after each generation: twice as long where many tests need more; in a run by the clock
    (``adaptive``) shorter where those that end are fast, for one that hangs costs as much as thousands of others."""

    def __init__(self, clock: TestClock, evaluator: Timeouts, adaptive: bool, cpu: Callable[[], float]) -> None:
        self._clock = clock
        self._evaluator = evaluator
        self._adaptive = adaptive
        self._cpu = cpu
        self._wall = clock.limit * WALL_FACTOR
        self._first = clock.limit
        self._tests = 0
        self._seconds = 0.0
        self._timeouts = evaluator.timeouts
        self._since = cpu()
        self._hung = clock.hung

    def begin(self) -> None:
        """Tests are about to be run."""
        self._timeouts = self._evaluator.timeouts
        self._since = self._cpu()
        self._hung = self._clock.hung

    def end(self, tests: int, population: int) -> None:
        """So many were run."""
        clock = self._clock
        timeouts = self._evaluator.timeouts - self._timeouts
        enough = math.inf
        if self._adaptive:
            self._tests += tests - timeouts
            # What hung was mostly run more than once, and may have had more time.
            self._seconds += max(0.0, self._cpu() - self._since - (clock.hung - self._hung))
            if self._tests >= KNOWN_AFTER:
                enough = TIMES_MEAN * self._seconds / self._tests
        if enough < self._first:  # then those that run out of time hang, however many they are
            clock.set_limit(max(SHORTEST_TEST, enough), self._wall)
        elif timeouts > MANY_TIMEOUTS * max(FEWEST, population) and clock.limit < LONGEST_TEST:
            clock.set_limit(min(LONGEST_TEST, clock.limit * 2))
