"""A stage of a search that puts into tests what the decisions of their runs want, where it comes from.

A test that reached something new, or came nearer, is kept; its run is looked at once, and each decision is changed by one value of
the test, those first that never came out otherwise. A test by which one did is kept, too: what a condition wants often takes
several steps (a list, then an item in it). Kept tests take turns, those that were drawn less often first. It knows no types,
formats or names: all that it puts anywhere was compared in a run.

# Deviation: not in the papers; see ``instrument.operand_log.log``.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from random import Random
from typing import Generic, NamedTuple, TypeVar

from crashwright.core.portions import OPERANDS_EARNED, OPERANDS_FRUITLESS, OPERANDS_PART
from crashwright.engine.execution.executor import release
from crashwright.engine.instrument.operand_log.changes import AskedDecision
from crashwright.engine.sources.operand_edits import with_wanted
from crashwright.engine.sources.operand_probes import OperandProbes
from crashwright.engine.sources.so_far import SoFar
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Workbench

TURN = 16
"""Tests that are made of one before the next has its turn."""
MOST_KEPT = 200
MOST_OF_ONE = 400
"""Tests that are made of one at all."""
S = TypeVar("S")


class Gain(NamedTuple):
    """What came of a test. ``fitness``: lower is nearer."""

    new: bool
    fitness: float


class _KeptTest:
    __slots__ = ("drawn", "fitness", "number", "proposals", "test")

    def __init__(self, test: TestCase, fitness: float, number: int) -> None:
        self.test, self.fitness, self.number = test, fitness, number
        self.drawn = 0
        self.proposals: Iterator[tuple[AskedDecision, TestCase]] | None = None


class OperandStage(ABC, Generic[S]):
    """Of one search. ``probes`` tell what runs decide on."""

    again = True
    """Whether a decision that has come out both ways is changed, too."""

    def __init__(self, probes: OperandProbes, so_far: SoFar[S], bench: Workbench, quarantine: Quarantine, rng: Random) -> None:
        self._state = so_far
        self._executor = bench.executor
        self._quarantine = quarantine
        self._rng = rng
        self._probes = probes
        self._kept: list[_KeptTest] = []
        self._numbers = itertools.count()
        self._tried: set[int] = set()
        self._sides: set[tuple[int, bool | None]] = set()
        self._attempts = self._earned = 0

    def take_up(self, tests: Iterable[TestCase], fitness: float) -> None:
        """Tests that the search has found."""
        for test in tests:
            if shape_of(test) not in self._tried:
                self._tried.add(shape_of(test))
                self._keep(test, fitness)

    def advance(self) -> None:
        """Let kept tests have their turns, as long as there is something left."""
        while self._kept and not self._is_over:
            one = min(self._kept, key=lambda kept: (kept.drawn, kept.fitness, -kept.number))
            one.drawn += 1
            if one.proposals is None:
                one.proposals = self._proposals(one)
            for _ in range(TURN):
                proposal = next(one.proposals, None)
                if proposal is None:
                    self._kept.remove(one)
                    break
                self._try(one, *proposal)
                if self._is_over:
                    return

    @abstractmethod
    def _looked_at(self, score: S) -> Gain:
        """What came of a test; it is told of if it is worth that."""

    @property
    def _is_over(self) -> bool:
        evaluations = self._state.meter.evaluations
        most = OPERANDS_FRUITLESS + OPERANDS_EARNED * self._earned + OPERANDS_PART * evaluations
        return self._state.is_spent or self._attempts > most

    def _keep(self, test: TestCase, fitness: float) -> None:
        if len(self._kept) < MOST_KEPT:
            self._kept.append(_KeptTest(test, fitness, next(self._numbers)))

    def _proposals(self, one: _KeptTest) -> Iterator[tuple[AskedDecision, TestCase]]:
        if self._quarantine.holds(one.test):
            return
        asked = self._asked(one.test)
        self._note(asked)
        latest_first, made = asked[::-1], 0
        for decision in sorted(latest_first, key=self._is_known):
            if not self.again and self._is_known(decision):
                continue
            for test in with_wanted(one.test, decision.wanted, self._state.factory, self._rng):
                shape = shape_of(test)
                if shape in self._tried or not self._state.factory.has_room(test.statements):
                    continue
                self._tried.add(shape)
                yield decision, test
                made += 1
                if made == MOST_OF_ONE:
                    return

    def _is_known(self, asked: AskedDecision) -> bool:
        return asked.side is not None and (asked.site, not asked.side) in self._sides

    def _asked(self, test: TestCase) -> list[AskedDecision]:
        return self._probes.asked(lambda: release(self._executor.run_aside(test)), lambda: self._executor.variables)

    def _note(self, asked: Iterable[AskedDecision]) -> None:
        self._sides.update((one.site, one.side) for one in asked)

    def _try(self, parent: _KeptTest, decision: AskedDecision, test: TestCase) -> None:
        self._attempts += 1
        scores = self._state.run([test])
        if not scores:
            return
        gain = self._looked_at(scores[0])
        if gain.new or gain.fitness < parent.fitness:
            self._earned += 1
            self._keep(test, gain.fitness)
        elif not self._is_known(decision) and not self._quarantine.holds(test):
            self._note(self._asked(test))
            if self._is_known(decision):
                self._keep(test, gain.fitness)
