"""Tests for branches that a search for a suite leaves open, as a job: walk back from the condition to an entry that a test can
call, and compose tests of what must hold there.

A branch is to the walk what a crash is: one place in a function, and a condition there. What is private is come to from its callers
in the same file, as from the frames of a report.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from crashwright.core.codec import from_json, to_json
from crashwright.core.location import CodeKey
from crashwright.core.precondition import Precondition
from crashwright.core.suite import WantedBranch
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.testcase import TestCase
from crashwright.symbolic.composition.composer import Composer
from crashwright.symbolic.composition.composition_job import (
    RESOURCES,
    Bounds,
    ComposedTest,
    CompositionEffort,
    bounds_of,
    read_told,
)
from crashwright.symbolic.composition.construction import EnoughTests
from crashwright.symbolic.composition.entrances import entrance
from crashwright.symbolic.composition.makers import Makers
from crashwright.symbolic.composition.strategies import Strategy, choice_of
from crashwright.symbolic.composition.summaries import Summaries
from crashwright.symbolic.composition.told import NOTHING_TOLD
from crashwright.symbolic.conditions.places import called_name
from crashwright.symbolic.execution.limits import OutOfTime
from crashwright.symbolic.execution.preconditions import ways_to, with_room
from crashwright.symbolic.execution.search_job import NICENESS
from crashwright.symbolic.execution.sources import SourceProgram
from crashwright.symbolic.execution.trace import BranchTarget, TraceFrame
from crashwright.symbolic.ir.nodes import Function, Kind
from crashwright.symbolic.solving.child.job import Job
from crashwright.symbolic.solving.child.telling import Telling

ENTRY: Final = f"{__name__}:compose"
EXACT_POSITIONS: Final = (3, 13)
"""The Python since which every condition has the place of its own expression: that of the branches that are wanted."""
SECONDS_WALK, SECONDS_COMPOSED, STEPS = 0.6, 0.6, 200
"""For the way back from one branch; for the tests of one precondition; instructions, where they are counted."""
MOST_COMPOSED: Final = 3
"""Preconditions of one branch that tests are composed of."""
MOST_TESTS: Final = 4
"""Of one branch."""
MOST_CHAINS, DEEPEST = 3, 3
"""Ways by callers to something private, and functions of one."""


@dataclass(frozen=True, slots=True)
class BranchOrder:
    """See ``composition_job.Order``. The ``branches`` are tried in their order."""

    package: str
    branches: tuple[WantedBranch, ...]
    sources: dict[str, str]
    seconds: float
    exact: bool = False
    patience: float = 1.0
    asked_at: float = 0.0


def compose(request: Any, tell: Callable[[object], None]) -> object:
    """In the child: tell of each test as it is composed."""
    order = from_json(BranchOrder, request)
    bounds = bounds_of(order)
    work = _Work(order, bounds, tell)
    with_room(work.run)
    return to_json(CompositionEffort((work.entries,), work.told, round(bounds.clock() - bounds.began, 3)))


class _Work:
    """One branch after the other. ``most``: the solver's unit that may be used up now, where it is counted."""

    def __init__(self, order: BranchOrder, bounds: Bounds, tell: Callable[[object], None]) -> None:
        self.most = 0.0
        self.told = self.entries = 0
        self._tell = tell
        self._branches = order.branches
        self._limits, self._solver = bounds.limits, bounds.solver
        if order.exact:
            self._limits.is_spent = lambda: self._solver.effort.resources > self.most
        self._program = SourceProgram(order.sources, EXACT_POSITIONS)
        makers = Makers(self._program, Summaries(self._program, self._solver.beside(), self._limits))
        choice = choice_of(Strategy.CORES, makers)
        told = NOTHING_TOLD._replace(package=order.package)
        self._composer = Composer(self._program, choice, self._solver.beside(), self._limits, self._test, told)
        self._seen: set[int] = set()
        self._left = 0

    def run(self) -> None:
        """All of them. What one leaves of its share of what is counted is for the next."""
        for place, branch in enumerate(self._branches):
            self.most = RESOURCES * (place + 1) / len(self._branches)
            with contextlib.suppress(OutOfTime):
                self.take(branch)

    def take(self, branch: WantedBranch) -> None:
        """By each chain of callers, until there are tests."""
        self._left = MOST_TESTS
        for frames in self._chains(branch):
            found: list[Precondition] = []
            limits = self._limits.within(SECONDS_WALK, STEPS)
            with contextlib.suppress(OutOfTime):
                ways_to(BranchTarget(branch.outcome, frames), self._program, self._solver.beside(), limits, found.append)
            outermost = [one for one in found if one.level == frames[-1].level]
            self._compose(outermost)
            if self._left < MOST_TESTS:
                return

    def _compose(self, found: list[Precondition]) -> None:
        for one in found[:MOST_COMPOSED]:
            self.entries += 1
            if self._left > 0:
                self._composer.compose(one, SECONDS_COMPOSED)

    def _test(self, test: TestCase) -> None:
        if self._left > 0 and test.key() not in self._seen:
            self._seen.add(test.key())
            self._left -= 1
            self.told += 1
            self._tell({"composed": to_json(ComposedTest(encode(test), 1, False))})
        if self._left <= 0:
            raise EnoughTests

    def _chains(self, branch: WantedBranch) -> Iterator[tuple[TraceFrame, ...]]:
        """From the branch outwards to what tests call."""
        function = self._program.holder(branch.function)
        if function is None:
            return
        first = (TraceFrame(function, branch.place.line, branch.place, function.class_name),)
        waiting: list[tuple[TraceFrame, ...]] = [first]
        count = 0
        while waiting and count < MOST_CHAINS:
            frames = waiting.pop(0)
            outermost = frames[-1].function
            if not _is_private(outermost) and entrance(self._program, _key(outermost)) is not None:
                count += 1
                yield frames
            elif len(frames) < DEEPEST:
                waiting += [(*frames, one) for one in self._callers(outermost, len(frames) + 1)]
        if _is_private(function) and entrance(self._program, _key(function)) is not None:
            yield first  # a last resort: a test calls it by its name

    def _callers(self, function: Function, level: int) -> Iterator[TraceFrame]:
        last = function.qualname.rpartition(".")[2]
        for caller in self._program.functions(function.module):
            if caller is function:
                continue
            for node in caller.nodes:
                if node.kind is Kind.CALL and node.position is not None and called_name(node) == last:
                    yield TraceFrame(caller, node.position.line, node.position, caller.class_name, level)
                    break


def _key(function: Function) -> CodeKey:
    return CodeKey(function.module, function.qualname, function.first_line)


def _is_private(function: Function) -> bool:
    return any(part.startswith("_") and not part.endswith("__") for part in function.qualname.split("."))


class BranchComposition(Telling[ComposedTest | Precondition, CompositionEffort]):
    """The composition of tests for branches, in a child process. Raises OSError where none can be started."""

    def __init__(self, order: BranchOrder, clock: Callable[[], float] = time.monotonic, niceness: int = NICENESS) -> None:
        request = to_json(replace(order, asked_at=time.time()))
        super().__init__(
            Job(ENTRY, request, order.patience * order.seconds, clock=clock, niceness=niceness),
            read_told,
            CompositionEffort,
            order.exact,
        )
