"""What must have held when the frames of the crash were entered, and tests composed from that, found by the symbolic engine once
the search beside it stands still (:class:`StandsStill`): until then nobody knows that it is needed.

It never holds up the search: it works in a process of its own that is killed at its limit, and stands behind the others. What it
finds is told as an :class:`Insight`: all tests, and those preconditions that nothing was left open in. Where a run is to repeat
exactly its bounds are counts, and whoever asks waits for all of it. Where nothing else looks for tests it begins at once, and the
engine starts when it is over. Whatever goes wrong is one line for the user.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from crashwright.core.messages import Insight
from crashwright.core.portions import (
    ANSWER_PART,
    LATE_PART,
    LENGTH_FACTOR,
    LENGTH_PART,
    LENGTH_SECONDS,
    SYMBOLIC_PART,
    SYMBOLIC_PATIENCE,
    SYMBOLIC_SECONDS,
)
from crashwright.core.precondition import Precondition, WrittenPreconditions, written
from crashwright.core.settings import Budget
from crashwright.core.suggested import SuggestedCode
from crashwright.core.target import CrashTarget
from crashwright.environment.imported_sources import with_imported

if TYPE_CHECKING:
    from crashwright.symbolic.composition.composition_job import ComposedTest, Order

SECONDS = 4.0
"""... but no more than so many. It computes for so long, however little of a core is left to it ..."""
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
    """What one run knows. ``begin`` begins the ``walk`` when it is first ``asked`` for. ``exact``: it is told as a whole, when it
    is over; ``waits``: to an engine at its start, which has nothing else. ``problem`` says why there is nothing, or no more."""

    walk: RunningWalk | None
    clock: Callable[[], float]
    exact: bool = False
    waits: bool = False
    asked: bool = False
    begin: Callable[[], RunningWalk] | None = None
    problem: str = ""
    found: list[Precondition] = field(default_factory=list)
    composed: list[ComposedTest] = field(default_factory=list)
    _told: int = 0
    _due: float = 0.0
    _pause: float = FIRST_NEWS

    def at_start(self) -> Knowledge:
        """For an engine that is about to start."""
        if not self.waits:
            return Knowledge(more=self.begin is not None or self.walk is not None or self._count > 0)
        if self.walk is not None:
            self._take(self.walk.found())
            self._end()
        return Knowledge(written(self.found), self._tests)

    def ask(self) -> None:
        """A search stands still. Another one that does has the same answer."""
        self.asked = True
        begin, self.begin = self.begin, None
        if begin is not None:
            try:
                self.walk = begin()
            except (OSError, UnicodeError, SyntaxError) as error:
                self.problem = str(error)

    def news(self) -> Insight | None:
        """For engines that have asked, where there is something."""
        if not self.asked:
            return None
        if self.walk is not None:
            self._take(self.walk.poll())
            if self.walk.is_over:
                self._end()
        if self.walk is None:
            self.asked = False
            return self._insight()
        now = self.clock()
        self._due = self._due or now + self._pause
        if self.exact or self._count == self._told or now < self._due:
            return None
        self._told, self._pause = self._count, 2 * self._pause
        self._due = now + self._pause
        return self._insight()

    def _insight(self) -> Insight:
        return Insight(written([one for one in self.found if one.is_known]), self._tests)

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
    strategy: str = "cores",
) -> Iterator[Foresight]:
    """What can be known of the crash of ``target``, of a Python of that ``version``. Nothing is left of it afterwards. ``alone``:
    nothing else looks for tests, and it begins at once."""
    exact = budget.evaluations is not None
    foresight = Foresight(None, clock, exact, waits=alone)
    if begin is not None:
        foresight.begin = partial(_begun, begin, target, (version[0], version[1]), budget, alone, strategy)
        if alone:
            foresight.ask()
    try:
        yield foresight
    finally:
        if foresight.walk is not None:
            foresight.walk.stop()


def _begun(
    begin: BeginWalk, target: CrashTarget, version: tuple[int, int], budget: Budget, alone: bool, strategy: str
) -> RunningWalk:
    from crashwright.symbolic.composition.composition_job import Order  # much code, of no use to a search alone
    from crashwright.symbolic.composition.strategies import Strategy

    exact = budget.evaluations is not None
    share, most = (SYMBOLIC_PART, SYMBOLIC_SECONDS) if alone else (LENGTH_PART, LENGTH_SECONDS)
    seconds = seconds_of(budget, share, most)
    patience = 1.0 if alone or exact else patience_of(budget, seconds)
    sources = with_imported({one.key.module: one.path for one in target.package_frames})
    order = Order(
        target,
        sources,
        version,
        seconds,
        strategy=Strategy(strategy),
        exact=exact,
        alone=alone,
        patience=patience,
        length=LENGTH_FACTOR,
    )
    return begin(order)


def seconds_of(budget: Budget, share: float = ANSWER_PART, most: float = SECONDS) -> float:
    """That it may compute."""
    if budget.evaluations is not None:
        most = EXACT_SECONDS
    return most if budget.seconds is None else min(most, share * budget.seconds)


def patience_of(budget: Budget, seconds: float) -> float:
    """For how many times as long the clock may go on."""
    return SYMBOLIC_PATIENCE if budget.seconds is None else min(SYMBOLIC_PATIENCE, LATE_PART * budget.seconds / seconds)
