"""Carries what searches from frames further in have found outwards: by what arrives in the frame where a test enters it
(``sources.carrying``), and wherever it fits otherwise (``sources.lifting``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from crashwright.core.portions import FLOWING_PART
from crashwright.core.target import TargetFrame
from crashwright.engine.sources.carrying.arrivals import Arrival
from crashwright.engine.sources.carrying.carrier import Carrier, Needed
from crashwright.engine.sources.lifting import Lifting
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of

LATEST = 2
"""Of the tests that were found: how many are carried, the outermost ones."""
FLOWING = 120
"""Runs in which one of them is carried into a search by what arrives."""
UNSEEN = 40
"""Tests in which it is put wherever it fits, where what it needs is known."""
BASES = 6
"""Tests of a search that something is carried into."""


class Receiving(Protocol):
    """A search that something is carried into: ``crash_problem.CrashProblem``."""

    factory: Factory

    def is_over(self) -> bool: ...
    def carry(self, tests: Sequence[TestCase]) -> None: ...
    def handing(self, test: TestCase, frame: TargetFrame) -> Sequence[Arrival]: ...
    def arriving(self, test: TestCase, frame: TargetFrame, outside: TargetFrame | None) -> Sequence[Arrival] | None: ...
    def marks(self) -> Sequence[str]: ...
    def inverses(self, frames: Sequence[TargetFrame]) -> Sequence[Callee]: ...
    def bases(self) -> list[TestCase]: ...
    @property
    def found(self) -> TestCase | None: ...


class _FoundFurtherIn(NamedTuple):
    """A test that makes the crash from the frame of this ``number``, counted from the crash, and what it hands to that."""

    number: int
    test: TestCase
    needed: Needed | None


class Outwards:
    """``frames`` are those of the report, outermost first. ``flows``: what arrives is looked at. ``evaluations``: how many there
    have been in all."""

    def __init__(self, frames: Sequence[TargetFrame], flows: bool = True, evaluations: Callable[[], int] = lambda: 0) -> None:
        self._evaluations = evaluations
        self._spent = 0
        self._frames = frames
        self._flows = flows
        self._found: list[_FoundFurtherIn] = []
        self._carriers: dict[tuple[int, int], Carrier] = {}
        self._put: set[tuple[int, int]] = set()

    @property
    def found(self) -> list[TestCase]:
        """The tests, in the order in which they were found."""
        return [one.test for one in self._found]

    def note(self, number: int, test: TestCase, problem: Receiving) -> None:
        """``test`` makes the crash from the frame of that number, whose search is ``problem``."""
        arrivals = problem.handing(test, self._frames[-number]) if self._flows else ()
        self._found.append(_FoundFurtherIn(number, test, Needed(test, arrivals[-1].arguments) if arrivals else None))

    def carry_into(self, problem: Receiving, most: int = LATEST) -> None:
        """Those found last."""
        for found in self._found[-most:]:
            self._carry(found, problem)

    def _carry(self, found: _FoundFurtherIn, problem: Receiving) -> None:
        own = found.number, id(problem)
        room = FLOWING + int(FLOWING_PART * self._evaluations()) - self._spent
        if found.needed is not None and room > 0:
            if own not in self._carriers:
                self._carriers[own] = self._carrier(found.number, problem)
            self._spent += self._carriers[own].carry(found.needed, problem.bases()[:BASES], min(FLOWING, room))
        if not problem.is_over() and own not in self._put:
            self._put.add(own)
            problem.carry(self._fitted(found.test, problem)[: UNSEEN if found.needed is not None else None])

    def _carrier(self, number: int, problem: Receiving) -> Carrier:
        frame = self._frames[-number]
        outside = self._frames[-number - 1] if number < len(self._frames) else None
        inverses = problem.inverses([frame] if outside is None else [outside, frame])
        return Carrier(lambda test: problem.arriving(test, frame, outside), problem.factory.new, problem.marks, inverses)

    @staticmethod
    def _fitted(test: TestCase, problem: Receiving) -> list[TestCase]:
        factory = problem.factory
        lifting = Lifting(factory.new, lambda statement: type_of(statement, factory.observed))
        return lifting.lifted(test, problem.bases()[:BASES])
