"""The time that the whole command may take, and how much of it is kept for verification."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

Clock = Callable[[], float]
"""Monotonic seconds."""


FRESH_PER_START = 1.5
"""A fresh run takes this many times what an engine takes to start, import included."""
FRESH_RUNS = 3
"""How often a test that reproduces the crash is run."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """``seconds`` from ``start`` on the clock; None is without bound."""

    clock: Clock
    start: float
    seconds: float | None

    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.start

    def left(self) -> float:
        """Seconds left, infinite without a bound; negative when it is over."""
        return math.inf if self.seconds is None else self.seconds - self.elapsed()

    def reserve(self, import_seconds: float = 0.0, engine_start: float = 0.0, runs: int = FRESH_RUNS) -> float:
        """Seconds kept back for printing and ``runs`` fresh runs, each of which imports the subject anew: for three of them 15 % of
        the budget but at most 6 s, more for a subject that imports slowly or a machine so busy that the engine's start took
        ``engine_start`` seconds, never more than 40 %."""
        if self.seconds is None:
            return 0.0
        share = runs / FRESH_RUNS
        usual = share * min(6.0, 0.15 * self.seconds)
        slow = runs * max(0.7 + 1.5 * import_seconds, FRESH_PER_START * engine_start)
        return min(max(usual, slow), share * 0.4 * self.seconds)
