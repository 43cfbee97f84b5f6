"""The time of one suite: the budget is the search's; what comes after it may take half of it again.

Of that half, minimising (inside the search's engine) gets 30 %, the examination (assertions) a good third, the verification in
fresh interpreters the rest. Imports come out of the same half, so that the whole is over in time where the module imports slowly.
Without a budget in seconds no clock decides anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from crashwright.core.portions import (
    EXAMINATION_PART,
    LEAST_AFTER_PART,
    MINIMISING_PART,
    MOST_FRESH_PART,
    MOST_VERIFICATION_PART,
    VERIFICATION_PART,
)
from crashwright.workflows.deadline import FRESH_PER_START, Clock

AFTERWARDS = 0.45
"""What may follow, as a share of the budget: half of it is promised, and processes take a moment to start and to end."""
LEAST_AFTERWARDS = 2.0
"""Seconds that may follow, however small the budget: fresh interpreters take a while to start."""
LEAST_SEARCH = 0.3
"""Seconds without which a module's engine is not started."""
LEAST_TURN = LEAST_AFTERWARDS + 1.0
"""Seconds of the whole that a module of a package is worth: for more modules than that, the smallest wait."""
LEAST_VERIFICATION = 2.0
"""Seconds."""
LONGEST_FAREWELL = 8.0
"""Seconds that a user who has interrupted the search still waits for the file."""
_ENGINE_START = 0.35
_BUSY = 2.0
"""How often its usual time (seconds, besides the import) an engine's start takes where the machine is busy."""
_BUSY_SEARCH = 0.3
"""What of the budget the search has on a machine however busy."""
_FRESH_START = 0.5
_FRESH_IMPORT = 1.5
"""A fresh interpreter takes this long to start (seconds), and this often the engine's time for the import."""


@dataclass(frozen=True, slots=True)
class SuiteTime:
    """``search`` seconds of search from Ready on; None is without bound. ``start`` is when this module's turn began."""

    clock: Clock
    start: float
    search: float | None
    end: float = math.inf
    """When all must be over, on the clock."""
    latest: float = math.inf
    """Where this module is one of several: when the whole command must be over, on the clock."""
    engine_start: float = 0.0
    """What an engine took from its start to Ready: on a busy machine everything that follows takes as much longer."""

    @property
    def afterwards(self) -> float:
        """Seconds for all that is not search."""
        return math.inf if self.search is None else max(AFTERWARDS * self.search, LEAST_AFTERWARDS)

    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.start

    def left(self) -> float:
        """Seconds left for everything; negative when it is over."""
        bounded = self.end != math.inf or self.search is None
        end = self.end if bounded or self.search is None else self.start + self.search + self.afterwards
        return min(end, self.latest) - self.clock()

    def turn(self, share: float) -> SuiteTime | None:
        """The time of one of several modules, this being that of all of them: its turn begins now, with ``share`` seconds of search
        or what is left for one; None where nothing worth a start is left."""
        search = min(share, self.left() - LEAST_AFTERWARDS)
        if search < LEAST_SEARCH:
            return None
        now = self.clock()
        return SuiteTime(self.clock, now, search, latest=now + self.left())

    def fresh(self, import_seconds: float) -> float:
        """Seconds that a fresh interpreter takes."""
        return max(_FRESH_START + _FRESH_IMPORT * import_seconds, FRESH_PER_START * self.engine_start)

    def after_search(self, interrupted: bool) -> SuiteTime:
        """The time of what follows, from now on: no more than that, however early the search ended, and on a machine so busy that
        it ended late, no less than some."""
        most = min(self.afterwards, LONGEST_FAREWELL) if interrupted else self.afterwards
        least = 0.0 if self.search is None else LEAST_AFTER_PART * self.afterwards
        return replace(self, end=self.clock() + min(most, max(self.left(), least)), latest=math.inf)

    def search_allowed(self, import_seconds: float, ready_at: float = 0.0) -> float:
        """How long the search may be, counted from Ready (``ready_at`` seconds after the start), so that enough is left where
        the module imports slowly or the machine is busy."""
        if self.search is None:
            return math.inf
        needed = min(MOST_FRESH_PART * self.afterwards, 4 * (_FRESH_START + _FRESH_IMPORT * import_seconds))
        least = 0.5
        if self.engine_start > _BUSY * (_ENGINE_START + import_seconds):
            needed, least = max(needed, 4 * self.fresh(import_seconds)), _BUSY_SEARCH
        whole = self.search + self.afterwards - max(import_seconds, ready_at)
        if whole - needed >= self.search:
            return self.search
        needed = max(needed, self._least_verification(import_seconds) + self.minimising())
        return max(least * self.search, whole - needed)

    def turns(self, jobs: int) -> int | None:
        """For how many modules there is time, ``jobs`` at a time; None is for all."""
        return None if self.search is None else max(1, int((self.search + self.afterwards) / LEAST_TURN)) * jobs

    def minimising(self) -> float:
        """Seconds after the search in which its engine may make tests smaller."""
        return MINIMISING_PART * self.afterwards

    def still_minimising(self, import_seconds: float) -> float:
        """Seconds that an engine whose search is cut may make tests small and plain, which nobody would read else."""
        if self.search is None:
            return 0.0
        return max(0.0, min(self.minimising(), self.left() - self._least_verification(import_seconds)))

    def _least_verification(self, import_seconds: float) -> float:
        """Seconds for two fresh runs, where there is room for these."""
        return min(MOST_FRESH_PART * self.afterwards, max(LEAST_VERIFICATION, 2 * self.fresh(import_seconds)))

    def verification(self) -> Callable[[], float]:
        """Seconds left for the verification that begins now. It always gets a moment: without it there is no file at all."""
        least = self.clock() + LEAST_VERIFICATION
        return lambda: max(self.left(), least - self.clock())

    def examination(self, import_seconds: float) -> float:
        """Seconds that the examination may take from now on: what is left but for the verification."""
        left = self.left()
        if left == math.inf:
            return math.inf
        verification = max(VERIFICATION_PART / (EXAMINATION_PART + VERIFICATION_PART) * left, 2 * self.fresh(import_seconds))
        return left - min(verification, MOST_VERIFICATION_PART * left)
