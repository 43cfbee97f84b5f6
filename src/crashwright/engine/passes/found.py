"""A found test as its passes see it: what is known of good ones, and whether what they propose is as good."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Protocol, TypeAlias

from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.passes.evidence import ValueEvidence
from crashwright.engine.passes.touches import ending_calls
from crashwright.engine.search.after_crash import Seen
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.testcase.editing.as_written import Left
from crashwright.engine.testcase.testcase import TestCase

Measure: TypeAlias = Callable[[TestCase], CrashScore]
See: TypeAlias = Callable[[TestCase], Seen]
Odd: TypeAlias = Mapping[tuple[str, str], int]


class Mutating(Protocol):
    """What changes a test a little."""

    def mutate(self, individual: TestCase, rng: random.Random, /) -> TestCase: ...


class FoundTest:
    """Made for one test; ``measure`` runs a test and scores it, ``see`` says what became of it after the crash. Nobody else looks
    at the clock."""

    def __init__(
        self,
        found: Evaluation,
        measure: Measure,
        operators: Mutating,
        evidence: ValueEvidence,
        meter: BudgetMeter,
        rng: random.Random,
        see: See,
    ) -> None:
        self.measure = measure
        self.see = see
        self.operators = operators
        self.evidence = evidence
        self.rng = rng
        self._meter = meter
        self._began: float | None = None
        self._ends: float | None = None
        self._found = found
        self._wanted = found.score
        self._is_held = False
        self._is_bound_to_law = False
        self._odd: Odd = {}
        self._left: Left | None = None
        self._ending = ending_calls(found.test)

    # What is good

    def good(self, test: TestCase) -> bool:
        """The crash stays what it is; and once the test is held, no argument becomes what it should not be. What is cheap to see is
        asked first."""
        if self._is_bound_to_law and not self.evidence.is_legal(test):
            return False
        if self._is_held and any(odd > self._odd.get(place, 0) for place, odd in self._of_other_types(test).items()):
            return False
        if ending_calls(test) > self._ending:
            return False  # with the bug fixed it would end the process of the test
        return (self._left is None or self._left.holds(test)) and self._is_as_good(test)

    @property
    def is_late(self) -> bool:
        """Whether all that is proposed is refused from now on."""
        return self._ends is not None and self._meter.seconds >= self._ends

    def _is_as_good(self, test: TestCase) -> bool:
        if self.is_late:
            return False
        score, wanted = self.measure(test), self._wanted
        if score.level == wanted.level == 4 and score.fitness > wanted.fitness:
            return False  # less of the report: smaller, but likely another bug
        alike = score.level >= wanted.level and score.agreeing >= wanted.agreeing
        return alike and score.ends_alike >= wanted.ends_alike

    def _of_other_types(self, test: TestCase) -> Odd:
        return {} if self.evidence.ordinary is None else self.evidence.ordinary.of_other_types(test)

    # What changes what is good

    def end_after(self, seconds: float) -> None:
        """So long after one asked for the first time, if time is the budget."""
        if self._began is None:
            self._began = self._meter.seconds
        self._ends = self._began + seconds if self._meter.is_timed else None

    def hold(self, test: TestCase) -> None:
        """What ``test`` is, others that are made of it have to be as well."""
        self._is_held = True
        self._wanted = self._found.score if test is self._found.test else self.measure(test)
        self._is_bound_to_law = self.evidence.is_legal(test)
        self._odd = self._of_other_types(test)
        self._left = self.evidence.left_of(test)

    def improved(self, test: TestCase) -> None:
        """What a pass has put right no other spoils."""
        self._odd = self._of_other_types(test)

    def replaced_by(self, test: TestCase) -> None:
        """``test`` shows more of the report. It may have what either has of odd arguments."""
        self._wanted = self.measure(test)
        others = self._of_other_types(test)
        self._odd = {place: max(others.get(place, 0), self._odd.get(place, 0)) for place in {**self._odd, **others}}
        self._left = self.evidence.left_of(test)
        self._is_bound_to_law = self._is_bound_to_law and self.evidence.is_legal(test)
