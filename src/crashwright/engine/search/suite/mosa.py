"""MOSA and DynaMOSA (SPEC 5): a population of tests, every uncovered goal an objective of its own.

The two are one search; which goals are objectives and whether the population may grow is the objective manager's.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Generic, TypeVar

from crashwright.core.settings import SuiteSettings
from crashwright.engine.goals.coverage.goal import Goals
from crashwright.engine.search.algorithm import Operators
from crashwright.engine.search.suite.archive import Archive, Placed
from crashwright.engine.search.suite.objectives import AllGoals, Member, ObjectiveManager, Objectives, Policy
from crashwright.engine.search.suite.preference import (
    Column,
    columns_of,
    epsilon_crowding,
    pareto_fronts,
    preferred,
    subvector_crowding,
)
from crashwright.engine.search.suite.problem import GoalProblem, Ran

TIMES_USUAL = 10
"""How many times the usual cost of a test makes it dear."""
LEAST_DEAR = 200
"""Cost below which no test is dear."""
DRAWS = 5
"""How often a parent is drawn anew because it is dear."""
DEAR_PARENTS = 0.1
"""How often a dear test that was drawn has offspring: what comes of it is as dear."""
T = TypeVar("T")
P = TypeVar("P")


class ManyObjectiveSearch(Generic[T, P]):
    """``ask`` first gives the initial population, then one generation at a time.

    # Deviation: tests that ran out of time do not enter the population (EvoSuite gives them the worst distances), and tests that
    are the same by construction are kept once. # Deviation: of tests with the same distances one competes, and the others fill what
    room is left: without that, a dozen different tests and their likes made up a population of fifty, and the search stood still.
    """

    def __init__(
        self,
        problem: GoalProblem[P],
        operators: Operators[T],
        settings: SuiteSettings,
        rng: random.Random,
        manager: ObjectiveManager,
        secondary: bool = True,
    ) -> None:
        self.archive: Archive[T, P] = Archive()
        self._problem = problem
        self._operators = operators
        self._settings = settings
        self._rng = rng
        self._manager = manager
        self._secondary = secondary
        self._objectives: Objectives[T, P] = Objectives(problem)
        self._objectives.aim(manager.current(0), [])
        self._population: list[Member[T, P]] = []
        self._champions: dict[int, Member[T, P]] = {}
        self._generations = 0
        self._dear = LEAST_DEAR

    @property
    def population_size(self) -> int:
        """How many tests the population holds now."""
        return len(self._population)

    @property
    def aimed_at(self) -> Goals:
        """The current objectives."""
        return self._objectives.aimed_at

    def ask(self) -> list[T]:
        """New tests, at first and where none is left to breed from; then the offspring of one generation."""
        size = self._settings.population
        if self._generations and self._population:
            costs = sorted(member.ran.cost for member in self._population)
            self._dear = max(LEAST_DEAR, TIMES_USUAL * costs[len(costs) // 2])
            return self._breed()
        return [self._operators.sample(self._rng) for _ in range(max(size - len(self._population), size // 2, 1))]

    def tell(self, runs: Sequence[Ran[T, P]]) -> list[Placed[T, P]]:
        """Archive what was run, and let it compete for a place in the population. Returns what is new in the archive."""
        self._generations += 1
        return self.inject(runs)

    def inject(self, runs: Sequence[Ran[T, P]]) -> list[Placed[T, P]]:
        """As ``tell``, for what was not asked for."""
        placed = self.archive.add_all(runs)
        self._objectives.aim(self._manager.current(self.archive.covered), self._population)
        known = {member.identity for member in self._population}
        for ran in runs:
            identity = self._operators.identity(ran.individual)
            if ran.timed_out or identity in known:
                continue
            known.add(identity)
            member: Member[T, P] = Member(ran, identity)
            self._objectives.measure(member)
            self._population.append(member)
        self._select()
        return placed

    def measure_again(self) -> None:
        """See ``SuiteAlgorithm``."""
        for member in self._population:
            self._objectives.measure(member)
        self._select()

    def survivors(self) -> list[T]:
        """The population, best first."""
        return [member.ran.individual for member in self._population]

    def _select(self) -> None:
        """The survivors, in order of rank and crowding."""
        if not self._population:
            return
        rng = self._rng
        members = sorted(((member.ran.size, rng.random(), place) for place, member in enumerate(self._population)))
        self._population = [self._population[place] for _, _, place in members]
        rows = [member.row for member in self._population]
        columns = columns_of(rows, self._objectives.goals)
        fronts, size = self._fronts(columns)
        survivors: list[Member[T, P]] = []
        for rank, front in enumerate(fronts):
            crowding = self._crowding(columns, front)
            order = sorted((-alone, rng.random(), place) for alone, place in zip(crowding, front, strict=True))
            for negative, _, place in order[: size - len(survivors)]:
                member = self._population[place]
                member.rank, member.crowding = rank, -negative
                survivors.append(member)
            if len(survivors) >= size:
                break
        self._population = survivors

    def _fronts(self, columns: dict[Column, list[int]]) -> tuple[list[list[int]], int]:
        """The fronts, as places in the population, and how many tests survive."""
        settings, population = self._settings, self._population
        if not columns:
            return [list(range(len(population)))], settings.population
        first, chosen = preferred(columns, self._tie if self._secondary else None, self._champion_places(), self._rng)
        self._champions = {goal: population[place] for goal, place in chosen.items()}
        size = settings.population
        if self._manager.keeps_front:
            size = min(max(size, len(first)), settings.population * settings.growth_limit)
        ahead = set(first)
        rest = [place for place in range(len(population)) if place not in ahead]
        if len(first) >= size:
            return [first, rest], size
        seen = {population[place].row for place in first}
        distinct: list[int] = []
        copies: list[int] = []
        for place in rest:
            row = population[place].row
            (copies if row in seen else distinct).append(place)
            seen.add(row)
        fronts = [first, *pareto_fronts(list(columns), distinct, size - len(first))]
        return ([*fronts, copies] if copies else fronts), size

    def _champion_places(self) -> dict[int, int]:
        if not self._champions:
            return {}
        places = {member.identity: place for place, member in enumerate(self._population)}
        return {goal: places[member.identity] for goal, member in self._champions.items() if member.identity in places}

    def _tie(self, one: int, other: int, goal: int) -> int:
        population = self._population
        return self._problem.secondary(population[one].ran.footprint, population[other].ran.footprint, goal)

    def _crowding(self, columns: dict[Column, list[int]], front: list[int]) -> list[float]:
        if self._settings.crowding == "subvector":
            return subvector_crowding(columns, front)
        return epsilon_crowding(list(columns), front)

    def _parent(self) -> T:
        """The winner of a tournament, or of a second one where it is dear. The population is in order, so that the best of k tests
        drawn with replacement is the one with the least index, and the least of k draws can be drawn at once."""
        population = self._population
        for _ in range(DRAWS):
            least = 1.0 - (1.0 - self._rng.random()) ** (1.0 / self._settings.tournament)
            ran = population[min(len(population) - 1, int(len(population) * least))].ran
            if not self._is_too_dear(ran.cost):
                break
        return ran.individual

    def _is_too_dear(self, cost: int) -> bool:
        return cost > self._dear and self._rng.random() >= DEAR_PARENTS

    def _breed(self) -> list[T]:
        rng, operators, settings = self._rng, self._operators, self._settings
        offspring: list[T] = []
        for _ in range(max(1, settings.population // 2)):
            one, other = self._parent(), self._parent()
            if one is not other and rng.random() < settings.crossover:
                one, other = operators.crossover(one, other, rng)
            offspring += (operators.mutate(one, rng), operators.mutate(other, rng))
        offspring.extend([self._newcomer() for _ in range(int(settings.newcomers * settings.population))])
        return offspring

    def _newcomer(self) -> T:
        if len(self.archive) and self._rng.random() < self._settings.newcomers_from_archive:
            ran = self.archive.choose(self._rng)
            if not self._is_too_dear(ran.cost):
                return self._operators.mutate(ran.individual, self._rng)
        return self._operators.sample(self._rng)


def mosa(
    problem: GoalProblem[P],
    operators: Operators[T],
    settings: SuiteSettings,
    rng: random.Random,
    policy: Policy,
    secondary: bool = True,
) -> ManyObjectiveSearch[T, P]:
    """MOSA: every uncovered goal is an objective."""
    return ManyObjectiveSearch(problem, operators, settings, rng, AllGoals(policy), secondary)
