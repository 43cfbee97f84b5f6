"""The search for tests as a job: what the host asks for, and what a child process does (``solving.child``)."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from crashwright.core.codec import from_json, to_json
from crashwright.core.precondition import Precondition, WrittenPreconditions, read, written
from crashwright.core.target import CrashTarget
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.testcase import TestCase
from crashwright.symbolic.composition.composer import Composer
from crashwright.symbolic.composition.makers import Makers
from crashwright.symbolic.composition.strategies import Strategy, choice_of
from crashwright.symbolic.composition.summaries import Summaries
from crashwright.symbolic.composition.summary_cache import SummaryCache
from crashwright.symbolic.composition.told import Told
from crashwright.symbolic.execution.limits import Limits
from crashwright.symbolic.execution.preconditions import preconditions, with_room
from crashwright.symbolic.execution.search_job import NICENESS, RESOURCES, RESOURCES_EACH
from crashwright.symbolic.execution.search_job import STEPS as WALK_STEPS
from crashwright.symbolic.execution.sources import SourceProgram
from crashwright.symbolic.solving.child.job import Job
from crashwright.symbolic.solving.child.telling import Telling
from crashwright.symbolic.solving.solver import Solver
from crashwright.symbolic.solving.z3_terms import Language

ENTRY: Final = f"{__name__}:compose"
LEAST_TO_TELL: Final = 0.7
"""Seconds before its limit at which it ends by itself, and says what it took."""
WALK: Final = 0.6
"""The share of the time that is for the walk to preconditions, with what is composed of those of the outermost frame meanwhile."""
SECONDS_EACH, SECONDS_FIRST = 5.0, 2.0
"""For the tests of one precondition; of the first of an inner frame, while the walk goes on."""
SHARE_EACH: Final = 0.2
"""Of all seconds, where that is more."""
MOST_TESTS: Final = 50
MOST_PARTIAL: Final = 12
"""Preconditions of one inner frame that tests are composed for."""


@dataclass(frozen=True, slots=True)
class Order:
    """``sources``: texts of the modules that the frames are in, and of others whose classes may be needed, by module; ``version``:
    of the Python that crashed; ``seconds``: for all of it, the start of the process included."""

    target: CrashTarget
    sources: dict[str, str]
    version: tuple[int, int]
    seconds: float
    strategy: Strategy = Strategy.CORES
    exact: bool = False
    """It is bounded by counts, so that it repeats, unless the seconds do not suffice."""
    kept_in: str = ""
    """A folder for summaries of earlier runs; "" for none."""
    asked_at: float = 0.0
    """The host's time of day, so that the child knows how much of its time its start took."""


@dataclass(frozen=True, slots=True)
class Composed:
    """A test, encoded as ``Start.seeds`` takes it. ``level``: the frame whose function it calls; it is partial where that is not
    the outermost one."""

    test: dict[str, Any]
    level: int
    partial: bool


@dataclass(frozen=True, slots=True)
class Effort:
    """What it took: preconditions by level, tests told."""

    preconditions: tuple[int, ...]
    tests: int
    seconds: float


def compose(request: Any, tell: Callable[[object], None]) -> object:
    """In the child: tell of each test, and of each precondition, as it is found."""
    order = from_json(Order, request)
    began = time.monotonic() - min(max(time.time() - order.asked_at, 0.0), order.seconds)
    seconds = max(order.seconds - LEAST_TO_TELL, 0.0)
    limits = Limits(time.monotonic, began + seconds, steps=sys.maxsize if order.exact else None)
    solver = Solver(Language(), time.monotonic, RESOURCES_EACH if order.exact else None)
    if order.exact:
        limits.until = math.inf  # where that does not suffice it is killed, and the host says so
        limits.is_spent = lambda: solver.effort.resources > 2 * RESOURCES  # the walk may have half of it
    work = _Work(order, limits, solver, tell)
    walked = {one.key.module: order.sources[one.key.module] for one in order.target.package_frames}
    walking = limits.within(WALK * seconds, WALK_STEPS)
    preconditions(order.target, walked, order.version, solver.beside(), walking, work.hear)
    with_room(work.rest)
    work.keep()
    return to_json(Effort(work.levels, work.told, round(time.monotonic() - began, 3)))


class _Work:
    """Preconditions come in, tests go out. ``_composed``: the outermost frame that a test was composed for."""

    def __init__(self, order: Order, limits: Limits, solver: Solver, tell: Callable[[object], None]) -> None:
        self.told = 0
        self._tell = tell
        self._outermost = len(order.target.package_frames)
        self._waiting: list[Precondition] = []
        self._level = self._composed = 0
        self._seconds = max(SECONDS_EACH, SHARE_EACH * order.seconds)
        self._heard: list[int] = []
        self._seen: set[int] = set()
        program = SourceProgram(order.sources, order.version)
        self._cache = SummaryCache(Path(order.kept_in), order.sources, order.version) if order.kept_in else None
        self._summaries = Summaries(program, solver.beside(), limits, {} if self._cache is None else self._cache.load())
        makers = Makers(program, self._summaries)
        choice = choice_of(order.strategy, makers)
        self._composer = Composer(program, choice, solver.beside(), limits, self._test, Told.of(order.target))

    @property
    def levels(self) -> tuple[int, ...]:
        """How many preconditions there were of each level."""
        return tuple([self._heard.count(level) for level in range(1, self._outermost + 1)])

    def hear(self, precondition: Precondition) -> None:
        """Those of the outermost frame are worked on at once, and of each other frame the first: the walk may hang later."""
        level = precondition.level
        self._tell({"preconditions": to_json(written([precondition]))})
        self._heard.append(level)
        if level == self._outermost:
            told = self.told
            self._compose(precondition, self._seconds)
            if told == self.told:
                self._waiting.append(precondition)
        elif level > max(self._heard[:-1], default=0):
            self._compose(precondition, SECONDS_FIRST)
        else:
            self._waiting.append(precondition)

    def rest(self) -> None:
        """Where no whole test was composed: once more, with the summaries that there are now, else of the outermost frame that one
        can be composed for."""
        for level in sorted({one.level for one in self._waiting}, reverse=True):
            if level < self._composed or self._composed == self._outermost:
                return
            for one in [one for one in self._waiting if one.level == level][:MOST_PARTIAL]:
                self._compose(one, self._seconds)

    def keep(self) -> None:
        """What the next run may need."""
        if self._cache is not None and self._summaries.is_new:
            self._cache.save(self._summaries.known)

    def _compose(self, precondition: Precondition, seconds: float) -> None:
        self._level = precondition.level
        if self.told < MOST_TESTS:
            self._composer.compose(precondition, seconds)

    def _test(self, test: TestCase) -> None:
        if test.key() not in self._seen:
            self._seen.add(test.key())
            self.told += 1
            self._composed = max(self._composed, self._level)
            self._tell({"composed": to_json(Composed(encode(test), self._level, self._level < self._outermost))})


def _read(message: Any) -> tuple[Composed | Precondition, ...]:
    if "composed" in message:
        return (from_json(Composed, message["composed"]),)
    return read(from_json(WrittenPreconditions, message["preconditions"]))


class Composition(Telling[Composed | Precondition, Effort]):
    """The walk to preconditions and the composition of tests, in one child process. Raises OSError where none can be started."""

    def __init__(self, order: Order, clock: Callable[[], float] = time.monotonic, niceness: int = NICENESS) -> None:
        request = to_json(replace(order, asked_at=time.time()))
        super().__init__(Job(ENTRY, request, order.seconds, clock=clock, niceness=niceness), _read, Effort, order.exact)
