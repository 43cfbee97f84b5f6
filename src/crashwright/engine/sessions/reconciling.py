"""What a crash search does with tests that end because their parts do not agree (``search.corresponding_parts``): between two
generations, what they complained of is put where it is looked for."""

from __future__ import annotations

from collections.abc import Callable

from crashwright.engine.search.corresponding_parts import CorrespondingParts
from crashwright.engine.search.crash_search import CrashSearch

ROUNDS = 4
"""Between two generations: what had one key may lack the next."""


class Reconciling:
    """A state object of one fork. ``is_over`` says that no more tests are to be run."""

    def __init__(self, search: CrashSearch, parts: CorrespondingParts, is_over: Callable[[], bool]) -> None:
        self._search = search
        self._parts = parts
        self._is_over = is_over

    def advance(self) -> None:
        """Between two generations."""
        for _ in range(ROUNDS):
            complaints = self._search.scorer.complaints.take()
            for one in complaints:
                if self._is_over() or self._search.meter.stopped:
                    return
                variants = self._parts.tests(one)
                if self._search.nearest_made(variants) >= one.fitness:
                    self._search.scorer.complaints.give_up(one)
            if not complaints:
                return
