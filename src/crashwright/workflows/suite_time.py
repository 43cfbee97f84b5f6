"""The time of one suite: the budget is the search's; what comes after it may take half of it again.

Of that half, minimising (inside the search's engine) gets 15 %, the examination (assertions) up to 45 %, the verification in fresh
interpreters the rest. Imports come out of the same half, so that the whole is over in time where the module imports slowly. Without
a budget in seconds no clock decides anything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from crashwright.workflows.deadline import Clock

AFTERWARDS = 0.5
"""What may follow, as a share of the budget."""
LEAST_AFTERWARDS = 2.0
"""Seconds that may follow, however small the budget: fresh interpreters take a while to start."""
MINIMISING = 0.15
EXAMINATION = 0.45
VERIFICATION = 0.40
_FRESH_START = 0.5
_FRESH_IMPORT = 1.5
"""A fresh interpreter takes this long to start (seconds), and this often the engine's time for the import."""


@dataclass(frozen=True, slots=True)
class SuiteTime:
    """``search`` seconds of search from Ready on; None is without bound. ``start`` is when this module's turn began."""

    clock: Clock
    start: float
    search: float | None

    @property
    def afterwards(self) -> float:
        """Seconds for all that is not search."""
        return math.inf if self.search is None else max(AFTERWARDS * self.search, LEAST_AFTERWARDS)

    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.start

    def left(self) -> float:
        """Seconds left for everything; negative when it is over."""
        return math.inf if self.search is None else self.search + self.afterwards - self.elapsed()

    def search_allowed(self, import_seconds: float) -> float:
        """How long the search may be, counted from Ready, so that something is left for a module that imports slowly."""
        if self.search is None:
            return math.inf
        needed = min(0.75 * self.afterwards, 4 * (_FRESH_START + _FRESH_IMPORT * import_seconds))
        return min(self.search, max(0.5 * self.search, self.search + self.afterwards - import_seconds - needed))

    def minimising(self) -> float:
        """Seconds after the search in which its engine may make tests smaller."""
        return MINIMISING * self.afterwards

    def examination(self, import_seconds: float) -> float:
        """Seconds that the examination may take from now on: what is left but for the verification."""
        left = self.left()
        if left == math.inf:
            return math.inf
        verification = max(VERIFICATION / (EXAMINATION + VERIFICATION) * left, 2 * (_FRESH_START + _FRESH_IMPORT * import_seconds))
        return left - min(verification, 0.8 * left)
