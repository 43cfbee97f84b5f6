"""What must have held when the frames of the crash were entered, and tests composed from that, found beside the search by the
symbolic engine.

It never holds up the search: it works in a process of its own that is killed at its limit, and stands behind the others. What it
finds goes down with the start of an engine, or as an :class:`Insight` to one that searches already. Where a run is to repeat
exactly its bounds are counts: the first engine takes in all of it at once, at a count of evaluations (``sessions.insights``), and
those that start later wait for it. Whatever goes wrong is one line for the user.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from crashwright.core.messages import Insight
from crashwright.core.precondition import Precondition, WrittenPreconditions, written
from crashwright.core.settings import Budget
from crashwright.core.suggested import SuggestedCode
from crashwright.core.target import CrashTarget
from crashwright.environment.imported_sources import with_imported

if TYPE_CHECKING:
    from crashwright.symbolic.composition.composition_job import ComposedTest, Order

SHARE = 0.1
"""The part of the budget that it may take ..."""
SECONDS = 4.0
"""... but no more than so many. It computes for so long, however little of a core is left to it ..."""
PATIENCE, LONGEST_SHARE = 4.0, 0.3
"""... until the clock has gone on for so many times as long, or that part of the budget is over."""
SYMBOLIC_SHARE, SYMBOLIC_SECONDS = 0.6, 100.0
"""Likewise where nothing else looks for tests; the engine that runs them starts at the end."""
EXACT_SECONDS = 120.0
"""Where counts are its bounds, the clock is for what hangs."""
FIRST_NEWS = 2.0
"""Seconds after which what was found is told though more may come; then after twice as many."""


class RunningWalk(Protocol):
    """Preconditions and tests are being found (``symbolic.composition.composition_job``)."""

    def poll(self) -> Iterator[Precondition | ComposedTest]: ...
    def found(self) -> Iterator[Precondition | ComposedTest]: ...
    def stop(self) -> None: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def problem(self) -> str: ...


BeginWalk = Callable[["Order"], RunningWalk]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What an engine is told at its start; ``more`` may follow."""

    preconditions: WrittenPreconditions = field(default_factory=WrittenPreconditions)
    composed: tuple[dict[str, Any], ...] = ()
    more: bool = False
    candidates: tuple[SuggestedCode, ...] = ()
    """What somebody suggests, from whoever it comes ..."""
    suggests: bool = False
    """... and may still."""


NOTHING: Final = Knowledge()


@dataclass(slots=True)
class Foresight:
    """What one run knows; without a ``walk``, nothing. ``exact``: it is told as a whole, to the first engine when it is over, to
    others at their start; ``waits``: to the first one too. ``problem`` says why there is nothing, or no more."""

    walk: RunningWalk | None
    clock: Callable[[], float]
    exact: bool = False
    waits: bool = False
    problem: str = ""
    found: list[Precondition] = field(default_factory=list)
    composed: list[ComposedTest] = field(default_factory=list)
    _told: int = 0
    _due: float = 0.0
    _pause: float = FIRST_NEWS

    def at_start(self) -> Knowledge:
        """For an engine that is about to start."""
        if self.waits and self.walk is not None:
            self._take(self.walk.found())
            self._end()
        self.waits = self.waits or self.exact  # whether it is over when another one starts would be a matter of time
        self._told = self._count
        return Knowledge(written(self.found), self._tests, self.walk is not None)

    def news(self) -> Insight | None:
        """For engines that search, where there is something."""
        if self.walk is None:
            return None
        self._take(self.walk.poll())
        if self.exact:
            if not self.walk.is_over:
                return None
            self._end()
            return Insight(written(self.found), self._tests)
        now = self.clock()
        self._due = self._due or now + self._pause
        over = self.walk.is_over
        if over:
            self._end()
        if self._count == self._told or not (over or now >= self._due):
            return None
        self._told, self._pause = self._count, 2 * self._pause
        self._due = now + self._pause
        return Insight(written(self.found), self._tests)

    @property
    def _count(self) -> int:
        return len(self.found) + len(self.composed)

    @property
    def _tests(self) -> tuple[dict[str, Any], ...]:
        return tuple([one.test for one in self.composed])

    def _take(self, found: Iterator[Precondition | ComposedTest]) -> None:
        try:
            for one in found:
                if isinstance(one, Precondition):
                    self.found.append(one)
                else:
                    self.composed.append(one)
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
    budget: Budget,
    begin: BeginWalk | None,
    clock: Callable[[], float],
    alone: bool = False,
) -> Iterator[Foresight]:
    """Begins the walk back from the crash of ``target``, of a Python of that ``version``. Nothing is left of it afterwards.
    ``alone``: nothing else looks for tests."""
    exact = budget.evaluations is not None
    foresight = Foresight(None, clock, exact, waits=alone)
    if begin is not None:
        from crashwright.symbolic.composition.composition_job import Order  # much code, of no use to a search alone

        try:
            sources = with_imported({one.key.module: one.path for one in target.package_frames})
            seconds = seconds_of(budget, alone)
            python, patience = (version[0], version[1]), 1.0 if alone or exact else patience_of(budget, seconds)
            foresight.walk = begin(Order(target, sources, python, seconds, exact=exact, alone=alone, patience=patience))
        except (OSError, UnicodeError, SyntaxError) as error:
            foresight.problem = str(error)
    try:
        yield foresight
    finally:
        if foresight.walk is not None:
            foresight.walk.stop()


def seconds_of(budget: Budget, alone: bool = False) -> float:
    """That it may compute."""
    share, most = (SYMBOLIC_SHARE, SYMBOLIC_SECONDS) if alone else (SHARE, SECONDS)
    if budget.evaluations is not None:
        most = EXACT_SECONDS
    return most if budget.seconds is None else min(most, share * budget.seconds)


def patience_of(budget: Budget, seconds: float) -> float:
    """For how many times as long the clock may go on."""
    return PATIENCE if budget.seconds is None else min(PATIENCE, LONGEST_SHARE * budget.seconds / seconds)
