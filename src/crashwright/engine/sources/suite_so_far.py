"""The state of a search for a suite, as its sources see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from random import Random

from crashwright.engine.execution.warm_up import WarmUp, varied
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.footprint import Footprint
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.complaints import Complaints
from crashwright.engine.search.suite.archive import Archive
from crashwright.engine.search.suite.mock_answers import MockAnswers
from crashwright.engine.search.suite.operators import SuiteOperators
from crashwright.engine.search.suite.scorer import SuiteEvaluator, SuiteRan
from crashwright.engine.sources.so_far import SoFar
from crashwright.engine.sources.source import When
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Workbench


class SuiteSoFar(SoFar[SuiteRan]):
    """``compete`` has tests archived. ``composed`` gives those that the symbolic engine has made since it was asked last,
    ``doubled`` those with doubles for what no test can call, ``stood_in`` for what decides open branches. ``explore`` runs random
    tests to learn from, ``resume`` what the fork before was left with. ``plain`` takes the keys of tests that are preferred to
    shorter ones, ``complaints`` are what runs complained of, ``answers`` what they looked at of mocks."""

    def __init__(
        self,
        factory: Factory,
        operators: SuiteOperators,
        meter: BudgetMeter,
        evaluator: SuiteEvaluator,
        archive: Archive[TestCase, Footprint],
        catalogue: Catalogue,
        bench: Workbench,
        quarantine: Quarantine,
        warm: WarmUp,
        compete: Callable[[Sequence[SuiteRan]], None],
        composed: Callable[[], list[TestCase]],
        doubled: Callable[[], Iterator[TestCase]],
        stood_in: Callable[[Random], Iterator[TestCase]],
        explore: Callable[[], None],
        resume: Callable[[], None],
        rng: Random,
        deaths: int,
        resumes: bool,
        plain: set[int],
        complaints: Complaints,
        answers: MockAnswers,
    ) -> None:
        super().__init__(factory, operators, meter, deaths, resumes)
        self.evaluator = evaluator
        self.catalogue = catalogue
        self.bench = bench
        self.quarantine = quarantine
        self.composed = composed
        self.doubled = doubled
        self.stood_in = stood_in
        self.stories: list[TestCase] = []
        """Tests of plain calls, one after the other, that returned."""
        self.plain = plain
        self.complaints = complaints
        self.answers = answers
        self._archive = archive
        self._warm = warm
        self._compete = compete
        self._explore = explore
        self._resume = resume
        self._rng = rng

    @property
    def covered(self) -> int:
        """The goals that tests of the archive cover."""
        return self._archive.covered

    @property
    def archived(self) -> list[TestCase]:
        """The tests of the archive."""
        return [one.individual for one in self._archive.tests()]

    @property
    def gained(self) -> int:
        """The goals that are covered."""
        return self._archive.covered.bit_count()

    @property
    def is_over(self) -> bool:
        """What somebody has written is run whatever is left of the budget."""
        return self.moment is not When.COLD and super().is_over

    @property
    def best(self) -> float:
        """The more is covered the better."""
        return -self._archive.covered.bit_count()

    def run(self, tests: Sequence[TestCase], once: bool = True) -> list[SuiteRan]:
        """What somebody has written counts as no evaluation."""
        if self.moment is When.COLD:
            return [self.evaluator.measure(test) for test in tests]
        return self.evaluator.evaluate_all(tests, once)

    def tell(self, scores: Sequence[SuiteRan]) -> None:
        """They compete for a place in the archive and the population."""
        if scores:
            self._compete(scores)

    def is_new(self, score: SuiteRan) -> bool:
        """Whether it covers what none has covered."""
        return bool(score.covered & ~self._archive.covered)

    def test_of(self, score: SuiteRan) -> TestCase:
        """The test that was run."""
        return score.individual

    def patiently(self) -> AbstractContextManager[None]:
        """In a fork that has everything to load, it would run out of time and be lost."""
        return self._warm.unhurried()

    def warm_up(self, tests: Sequence[TestCase]) -> None:
        """With variants of them, once."""
        if not self.given:
            self._warm.begin(varied(tests, self.operators.mutate, self._rng))

    def go_on(self) -> None:
        """Nothing before the subject was looked round in."""

    def look_round(self) -> None:
        """Random tests; then what is known already is run again, so that nothing of it is lost."""
        self._explore()
        self._resume()

    def joins(self, tests: Sequence[TestCase]) -> list[TestCase]:
        """At once: what they cover nobody has to look for."""
        self.operators.plant(tests)
        self.tell([self.evaluator.measure(test) for test in tests])
        return []
