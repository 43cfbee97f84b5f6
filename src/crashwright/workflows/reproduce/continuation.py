"""What a search leaves behind should this process be killed, and how the next run of it goes on from there."""

from __future__ import annotations

from typing import Any

from crashwright.core.messages import BestTests
from crashwright.workflows.deadline import Clock
from crashwright.workflows.reproduce.cache import Cache, RunState

_SAVE_SECONDS = 0.5
"""No file is written more often, nor for a search that has just begun: survivors come about every second."""


class Continuation:
    """``key`` and ``seed`` say which search. A state that has used up all of ``evaluations`` (None: no bound) is of no use."""

    def __init__(self, cache: Cache, key: str, seed: int, evaluations: int | None, clock: Clock) -> None:
        self._cache = cache
        self._key = key
        self._seed = seed
        self._clock = clock
        self._saved = clock()
        state = cache.load_running(key, seed)
        if state is not None and (not state.tests or (evaluations is not None and state.evaluations >= evaluations)):
            state = None
        self._state = state

    @property
    def seeds(self) -> tuple[dict[str, Any], ...]:
        """The tests to begin with: the best of the run that was killed."""
        return () if self._state is None else self._state.tests

    @property
    def evaluations(self) -> int:
        """What that run had spent."""
        return 0 if self._state is None else self._state.evaluations

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user is told."""
        if self._state is None:
            return tuple(self._cache.notes)
        return (f"continuing a run that was killed, after {self._state.evaluations:,} tests", *self._cache.notes)

    def keep(self, survivors: BestTests) -> None:
        """Write down where the search stands."""
        now = self._clock()
        if now - self._saved >= _SAVE_SECONDS:
            self._saved = now
            self._cache.save_running(self._key, self._seed, RunState(survivors.tests, survivors.evaluations, survivors.seconds))

    def end(self) -> None:
        """The search has come to an end, whichever: nothing is to be taken up."""
        self._cache.clear_running(self._key, self._seed)
