"""The state of a search, as sources see it: what they make tests with, what is used up, and what became of their tests."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

from crashwright.core.portions import AHEAD_PART
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.sources.source import Fate, Share, When
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.testcase import TestCase

S = TypeVar("S")
FEW_DEATHS = 2
"""So many engines may be killed before what is tried ahead of the search is left out: each of them would begin all over again."""


class SoFar(ABC, Generic[S]):
    """``deaths``: how many forks of this search have ended before; ``resumes``: it goes on with what one of them was left with;
    ``forgiven``: by nothing that ends one again."""

    def __init__(
        self,
        factory: Factory,
        operators: TestOperators,
        meter: BudgetMeter,
        deaths: int = 0,
        resumes: bool = False,
        forgiven: bool = False,
    ) -> None:
        self.factory = factory
        self.operators = operators
        self.meter = meter
        self.moment = When.COLD
        """For which of its moments a source is asked."""
        self.latest: Sequence[S] = ()
        """What became of the tests that the source has given since it went on last."""
        self.given: dict[str, list[TestCase]] = {}
        """What the sources have brought ahead of the first generation, by their names."""
        self.reached: list[TestCase] = []
        """Of what was run ahead of it: tests that reached something new."""
        self._until: tuple[float, float] = (math.inf, math.inf)
        self.runs = 0
        """Runs that only listen, beside the tests of the source that is asked."""
        self.anew = 0
        """How often fitness became another one, and what was done once may be worth doing again."""
        self._deaths = deaths
        self._forgiven = forgiven
        self.resumes = resumes

    @property
    def is_early(self) -> bool:
        """Nothing is known yet, and the subject does not seem to kill its engines."""
        first = not self.resumes and self._deaths < FEW_DEATHS
        return (first or self._forgiven) and self.meter.share() <= AHEAD_PART

    @property
    def is_over(self) -> bool:
        """No more tests are to be run."""
        return self.meter.stopped

    @property
    def is_spent(self) -> bool:
        """The source that is asked has used up its share, or no more tests are to be run at all."""
        evaluations, share = self._until
        return self.is_over or self.meter.evaluations >= evaluations or self.meter.share() > share

    def begin(self, when: When, share: Share) -> None:
        """A source is asked."""
        self.moment, self.latest = when, ()
        most = share.turn if when in When.BETWEEN | When.STANDSTILL else share.tests
        self.runs = share.runs_again if when is When.STANDSTILL else share.runs
        self._until = self.meter.evaluations + most, self.meter.share() + share.part

    @property
    @abstractmethod
    def best(self) -> float:
        """How near the search has come: less is better, and infinite where no test has run."""

    @property
    @abstractmethod
    def gained(self) -> int:
        """How often tests have reached something new."""

    @abstractmethod
    def run(self, tests: Sequence[TestCase], once: bool = True) -> list[S]:
        """Run tests, which count as evaluations; they do not compete yet. ``once``: one that runs out of time has had its time."""

    @abstractmethod
    def tell(self, scores: Sequence[S]) -> None:
        """They compete for a place in the population."""

    @abstractmethod
    def is_new(self, score: S) -> bool:
        """Whether a test reached something for the first time."""

    @abstractmethod
    def test_of(self, score: S) -> TestCase:
        """The test that was run."""

    def competes(self, score: S, kept: Fate) -> bool:
        """Whether a test of a source whose tests are ``kept`` so competes."""
        return kept is not Fate.BEST and (kept is not Fate.NEW or self.is_new(score))

    def best_of(self, tests: Iterable[TestCase], run: Callable[[list[TestCase]], list[S]]) -> list[TestCase]:
        """The best of ``tests``, as many of them as it takes, by their runs."""
        return [self.test_of(score) for score in run([*tests]) if self.is_new(score)]

    @abstractmethod
    def patiently(self) -> AbstractContextManager[None]:
        """Within it a test may take longer: a process that has just begun has everything to load."""

    @abstractmethod
    def warm_up(self, tests: Sequence[TestCase]) -> None:
        """The subject is warmed up with ``tests``: what it only does at its first call is kept."""

    @abstractmethod
    def go_on(self) -> None:
        """What the fork before was left with is run again."""

    @abstractmethod
    def look_round(self) -> None:
        """Learn about the subject by random tests."""

    def joins(self, tests: Sequence[TestCase]) -> list[TestCase]:
        """What was asked again, once the subject is known: what of it still has to be run in the first generation."""
        return list(tests)

    def plant(self, tests: Sequence[TestCase]) -> None:
        """Tests of the search may start from these."""
        self.operators.plant(tests)
