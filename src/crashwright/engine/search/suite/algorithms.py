"""The algorithms that search for suites, by name. All are asked for tests to run and told what the runs left behind."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol, TypeVar

from crashwright.core.settings import SuiteSettings
from crashwright.engine.goals.coverage.goal import Goals
from crashwright.engine.search.algorithm import Operators
from crashwright.engine.search.suite.archive import Archive, Placed
from crashwright.engine.search.suite.dynamosa import dynamosa
from crashwright.engine.search.suite.mosa import mosa
from crashwright.engine.search.suite.objectives import Policy
from crashwright.engine.search.suite.problem import GoalProblem, Ran
from crashwright.engine.search.suite.random_suite import random_suite
from crashwright.engine.search.suite.whole_suite import whole_suite

T = TypeVar("T")
P = TypeVar("P")


class SuiteAlgorithm(Protocol[T, P]):
    """A search for a suite. It runs nothing and knows no subject."""

    @property
    def archive(self) -> Archive[T, P]:
        """The best test for each covered goal."""

    @property
    def population_size(self) -> int:
        """How many individuals (tests, or suites) it keeps now beside the archive."""

    @property
    def aimed_at(self) -> Goals:
        """The goals whose distances it needs; they change only in ``tell`` and ``inject``."""

    def ask(self) -> list[T]:
        """The next tests to run."""

    def tell(self, runs: Sequence[Ran[T, P]]) -> list[Placed[T, P]]:
        """What became of what was asked for, in that order (or of the first few, where the budget ended). What was run may be a
        shorter version of what was asked for. Returns what is new in the archive."""

    def inject(self, runs: Sequence[Ran[T, P]]) -> list[Placed[T, P]]:
        """Tests from elsewhere: seeds, another island."""

    def measure_again(self) -> None:
        """What distances are made of has changed: those of the population are taken anew."""

    def survivors(self) -> list[T]:
        """The tests worth keeping over a restart, best first."""


class AlgorithmFactory(Protocol):
    """Makes an algorithm. ``policy`` says which goals may be aimed at; ``secondary`` whether ties are put to the problem's
    secondary objective."""

    def __call__(
        self,
        problem: GoalProblem[P],
        operators: Operators[T],
        settings: SuiteSettings,
        rng: random.Random,
        policy: Policy,
        secondary: bool = True,
    ) -> SuiteAlgorithm[T, P]:
        """The algorithm, before its first ``ask``."""


ALGORITHMS: Mapping[str, AlgorithmFactory] = MappingProxyType(
    {"dynamosa": dynamosa, "mosa": mosa, "whole-suite": whole_suite, "random": random_suite}
)
