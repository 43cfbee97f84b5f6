"""The search for tests as a job: what the host asks for, and what a child process does (``solving.child``)."""

from __future__ import annotations

import contextlib
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, Protocol

from crashwright.core.codec import from_json, to_json
from crashwright.core.portions import EACH_PART, WALK_PART
from crashwright.core.precondition import Precondition, WrittenPreconditions, read, written
from crashwright.core.target import CrashTarget
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.testcase import TestCase
from crashwright.symbolic.composition.composer import Composer
from crashwright.symbolic.composition.makers import Makers
from crashwright.symbolic.composition.strategies import Strategy, choice_of
from crashwright.symbolic.composition.summaries import Summaries
from crashwright.symbolic.composition.told import ToldByReport
from crashwright.symbolic.execution.limits import Limits, OutOfTime
from crashwright.symbolic.execution.preconditions import preconditions, with_room
from crashwright.symbolic.execution.search_job import NICENESS
from crashwright.symbolic.execution.sources import SourceProgram
from crashwright.symbolic.solving.child.job import Job
from crashwright.symbolic.solving.child.telling import Telling
from crashwright.symbolic.solving.solver import Solver
from crashwright.symbolic.solving.z3_terms import Language

ENTRY: Final = f"{__name__}:compose"
LEAST_TO_TELL: Final = 0.7
"""Seconds before its limit at which it ends by itself, and says what it took."""
SECONDS_EACH, SECONDS_FIRST = 5.0, 2.0
"""For the tests of one precondition; of the first of an inner frame, while the walk goes on."""
STEPS, RESOURCES, RESOURCES_EACH = 300, 1_200_000, 150_000
"""What bounds one that is to repeat exactly: instructions that the walk goes over, all of its checks and those of the composition
in the solver's unit, and each of them. One to three seconds of an idle core."""
SHARE_FIRST: Final = 0.1
"""Of these, and of those of the walk, for the tests of an inner frame while the walk goes on; of an outermost one all may be."""
MOST_TESTS, MOST_ALONE = 50, 150
"""Beside a search, and where nothing else looks for tests."""
FILLED: Final = 2
"""Frames nearest to the crash that are called without a precondition."""
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
    alone: bool = False
    """Nothing else looks for tests: calls of which nothing is known are composed too."""
    patience: float = 1.0
    """Where it is more, ``seconds`` are those that it computes, and the clock may go on for so many times as long."""
    length: float = 1.0
    """By what the counts are multiplied that bound it where it is exact."""
    asked_at: float = 0.0
    """The host's time of day, so that the child knows how much of its time its start took."""


@dataclass(frozen=True, slots=True)
class ComposedTest:
    """A test, encoded as ``Start.seeds`` takes it. ``level``: the frame whose function it calls; it is partial where that is not
    the outermost one."""

    test: dict[str, Any]
    level: int
    partial: bool


@dataclass(frozen=True, slots=True)
class CompositionEffort:
    """What it took: preconditions by level, tests told."""

    preconditions: tuple[int, ...]
    tests: int
    seconds: float


def compose(request: Any, tell: Callable[[object], None]) -> object:
    """In the child: tell of each test, and of each precondition, as it is found."""
    order = from_json(Order, request)
    clock, began, seconds, limits, solver = bounds_of(order)
    if order.exact:
        limits.is_spent = lambda: solver.effort.resources > work.most
    work = _Work(order, limits, solver, tell)
    walked = {one.key.module: order.sources[one.key.module] for one in order.target.package_frames}
    walking = limits.within(WALK_PART * seconds, round(order.length * STEPS))
    if order.exact:
        walking.is_spent = lambda: solver.effort.resources > WALK_PART * work.all
    with_room(work.begin)
    preconditions(order.target, walked, order.version, solver.beside(), walking, work.hear)
    with_room(work.rest)
    return to_json(CompositionEffort(work.levels, work.told, round(clock() - began, 3)))


class Bounded(Protocol):
    """An order's own bounds: see :class:`Order`."""

    @property
    def seconds(self) -> float: ...
    @property
    def exact(self) -> bool: ...
    @property
    def patience(self) -> float: ...
    @property
    def asked_at(self) -> float: ...


class Bounds(NamedTuple):
    """What a child computes with: it ``began`` by its ``clock`` and has so many ``seconds``."""

    clock: Callable[[], float]
    began: float
    seconds: float
    limits: Limits
    solver: Solver


def bounds_of(order: Bounded) -> Bounds:
    """Where it is exact, what is spent is for the caller to say."""
    clock = time.monotonic if order.patience == 1.0 else time.process_time
    began = clock() - min(max(time.time() - order.asked_at, 0.0), order.seconds) if order.patience == 1.0 else 0.0
    seconds = max(order.seconds - LEAST_TO_TELL, 0.0)
    limits = Limits(clock, began + seconds, steps=sys.maxsize if order.exact else None)
    if order.exact:
        limits.until = math.inf  # where that does not suffice it is killed, and the host says so
    return Bounds(clock, began, seconds, limits, Solver(Language(), time.monotonic, RESOURCES_EACH if order.exact else None))


class _Work:
    """Preconditions come in, tests go out. ``_composed``: the outermost frame that a test was composed for."""

    def __init__(self, order: Order, limits: Limits, solver: Solver, tell: Callable[[object], None]) -> None:
        self.told = 0
        self.all = self.most = round(order.length * RESOURCES)
        """What may be used up, and what now, where it is counted."""
        self._effort = solver.effort
        self._limits = limits
        self._tell = tell
        self._outermost = len(order.target.package_frames)
        self._waiting: list[Precondition] = []
        self._level = self._composed = 0
        self._seconds = max(SECONDS_EACH, EACH_PART * order.seconds)
        self._heard: list[int] = []
        self._seen: set[int] = set()
        program = SourceProgram(order.sources, order.version)
        makers = Makers(program, Summaries(program, solver.beside(), limits))
        choice = choice_of(order.strategy, makers)
        self._frames = [frame.key for frame in reversed(order.target.package_frames)]
        self._alone = order.alone
        self._composer = Composer(program, choice, solver.beside(), limits, self._test, ToldByReport.of(order.target))

    @property
    def levels(self) -> tuple[int, ...]:
        """How many preconditions there were of each level."""
        return tuple([self._heard.count(level) for level in range(1, self._outermost + 1)])

    def begin(self) -> None:
        """What needs no precondition: the walk may hang."""
        self._fill(self._outermost)

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
            told = self.told
            self._compose_a_little(precondition)
            if told == self.told:
                self._waiting.append(precondition)
        else:
            self._waiting.append(precondition)

    def rest(self) -> None:
        """Where no whole test was composed: once more, with the summaries that there are now, else of the outermost frame that one
        can be composed for."""
        for level in range(1, min(self._outermost - 1, FILLED) + 1):
            self._fill(level)
        for level in sorted({one.level for one in self._waiting}, reverse=True):
            if level < self._composed or self._composed == self._outermost:
                return
            for one in [one for one in self._waiting if one.level == level][:MOST_PARTIAL]:
                self._compose(one, self._seconds)

    def _fill(self, level: int) -> None:
        """Calls of which nothing is known, where nothing else makes them."""
        if self._alone and level and self.told < MOST_ALONE:
            composed, self._level = self._composed, level
            self._composer.fill(level, self._frames[level - 1], SECONDS_FIRST)
            self._composed = composed

    def _compose_a_little(self, precondition: Precondition) -> None:
        """The walk goes on afterwards."""
        self.most = min(self.all, self._effort.resources + round(SHARE_FIRST * self.all))
        with contextlib.suppress(OutOfTime):
            self._compose(precondition, SECONDS_FIRST)
        self.most = self.all
        self._limits.spend()

    def _compose(self, precondition: Precondition, seconds: float) -> None:
        self._level = precondition.level
        if self.told < (MOST_ALONE if self._alone else MOST_TESTS):
            self._composer.compose(precondition, seconds)

    def _test(self, test: TestCase) -> None:
        if test.key() not in self._seen:
            self._seen.add(test.key())
            self.told += 1
            self._composed = max(self._composed, self._level)
            self._tell({"composed": to_json(ComposedTest(encode(test), self._level, self._level < self._outermost))})


def read_told(message: Any) -> tuple[ComposedTest | Precondition, ...]:
    """A test, or a precondition."""
    if "composed" in message:
        return (from_json(ComposedTest, message["composed"]),)
    return read(from_json(WrittenPreconditions, message["preconditions"]))


class Composition(Telling[ComposedTest | Precondition, CompositionEffort]):
    """The walk to preconditions and the composition of tests, in one child process. Raises OSError where none can be started."""

    def __init__(self, order: Order, clock: Callable[[], float] = time.monotonic, niceness: int = NICENESS) -> None:
        request = to_json(replace(order, asked_at=time.time()))
        super().__init__(
            Job(ENTRY, request, order.patience * order.seconds, clock=clock, niceness=niceness),
            read_told,
            CompositionEffort,
            order.exact,
        )
