"""What must have held when the frames of the crash were entered, found beside the search by the symbolic engine.

It never holds up the search: it works in a process of its own that is killed at its limit, and stands behind the others. What it
finds goes down with the start of an engine, or as an :class:`Insight` to one that searches already. A run that is to repeat exactly
waits for it before the first engine starts, and its bounds are counts then. Whatever goes wrong is one line for the user.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from crashwright.core.messages import Insight
from crashwright.core.precondition import Precondition, WrittenPreconditions, written
from crashwright.core.target import CrashTarget
from crashwright.symbolic.execution.search_job import Question

SHARE = 0.2
"""The part of the budget that it may take ..."""
SECONDS = 10.0
"""... but no more than so many, of which it computes in a part."""
EXACT_SECONDS = 120.0
"""Where counts are its bounds, the clock is for what hangs."""
FIRST_NEWS = 2.0
"""Seconds after which what was found is told though more may come; then after twice as many."""


class Walk(Protocol):
    """A search for preconditions that is under way (``symbolic.execution.search_job``)."""

    def poll(self) -> Iterator[Precondition]: ...
    def found(self) -> Iterator[Precondition]: ...
    def stop(self) -> None: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def problem(self) -> str: ...


BeginWalk = Callable[[Question], Walk]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What an engine is told at its start; ``more`` may follow."""

    preconditions: WrittenPreconditions = field(default_factory=WrittenPreconditions)
    more: bool = False


NOTHING: Final = Knowledge()


@dataclass(slots=True)
class Foresight:
    """What one run knows; without a ``walk``, nothing. ``problem`` says why there is nothing, or no more."""

    walk: Walk | None
    clock: Callable[[], float]
    exact: bool = False
    problem: str = ""
    found: list[Precondition] = field(default_factory=list)
    _told: int = 0
    _due: float = 0.0
    _pause: float = FIRST_NEWS

    def at_start(self) -> Knowledge:
        """For an engine that is about to start."""
        if self.exact and self.walk is not None:
            self._take(self.walk.found())
            self._end()
        self._told = len(self.found)
        return Knowledge(written(self.found), self.walk is not None)

    def news(self) -> Insight | None:
        """For engines that search, where there is something."""
        if self.walk is None:
            return None
        self._take(self.walk.poll())
        now = self.clock()
        self._due = self._due or now + self._pause
        over = self.walk.is_over
        if over:
            self._end()
        if len(self.found) == self._told or not (over or now >= self._due):
            return None
        self._told, self._pause = len(self.found), 2 * self._pause
        self._due = now + self._pause
        return Insight(written(self.found))

    def _take(self, found: Iterator[Precondition]) -> None:
        try:
            self.found += found
        except ValueError as error:
            self.problem = f"what it found cannot be read: {error}"

    def _end(self) -> None:
        if self.walk is not None:
            self.problem = self.problem or self.walk.problem
            self.walk.stop()
            self.walk = None


@contextlib.contextmanager
def foresight_of(
    target: CrashTarget,
    version: Sequence[int],
    budget: float | None,
    exact: bool,
    begin: BeginWalk | None,
    clock: Callable[[], float],
) -> Iterator[Foresight]:
    """Begins the walk back from the crash of ``target``, of a Python of that ``version``. Nothing is left of it afterwards."""
    foresight = Foresight(None, clock, exact)
    limit = SECONDS if not exact else EXACT_SECONDS
    seconds = limit if budget is None else min(limit, SHARE * budget)
    if begin is not None:
        try:
            sources = {one.key.module: Path(one.path).read_text(encoding="utf-8") for one in target.package_frames}
            foresight.walk = begin(Question(target, sources, (version[0], version[1]), seconds, exact))
        except (OSError, UnicodeError) as error:
            foresight.problem = str(error)
    try:
        yield foresight
    finally:
        if foresight.walk is not None:
            foresight.walk.stop()
