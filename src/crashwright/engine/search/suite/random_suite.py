"""Random search for a suite: new tests for ever, and an archive. The baseline that guidance has to beat."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Generic, TypeVar

from crashwright.core.settings import SuiteSettings
from crashwright.engine.goals.coverage.goal import Goals
from crashwright.engine.search.algorithm import Operators
from crashwright.engine.search.suite.archive import Archive, Placed
from crashwright.engine.search.suite.objectives import Policy
from crashwright.engine.search.suite.problem import GoalProblem, Ran

T = TypeVar("T")
P = TypeVar("P")


class RandomSuiteSearch(Generic[T, P]):
    """Aims at nothing, so no distances have to be taken."""

    aimed_at: Goals = 0
    population_size: int = 0

    def __init__(self, operators: Operators[T], settings: SuiteSettings, rng: random.Random) -> None:
        self.archive: Archive[T, P] = Archive()
        self._operators = operators
        self._batch = settings.population
        self._rng = rng

    def ask(self) -> list[T]:
        """A batch of new tests."""
        return [self._operators.sample(self._rng) for _ in range(self._batch)]

    def tell(self, runs: Sequence[Ran[T, P]]) -> list[Placed[T, P]]:
        """Archive what was run; returns what is new there."""
        return self.archive.add_all(runs)

    inject = tell

    def measure_again(self) -> None:
        """Nothing is measured."""

    def survivors(self) -> list[T]:
        """The tests of the archive."""
        return [ran.individual for ran in self.archive.tests()]


def random_suite(
    problem: GoalProblem[P],  # noqa: ARG001 - the registry's factories have one signature
    operators: Operators[T],
    settings: SuiteSettings,
    rng: random.Random,
    policy: Policy,  # noqa: ARG001
    secondary: bool = True,  # noqa: ARG001
) -> RandomSuiteSearch[T, P]:
    """Random search; it needs neither goals nor distances."""
    return RandomSuiteSearch(operators, settings, rng)
