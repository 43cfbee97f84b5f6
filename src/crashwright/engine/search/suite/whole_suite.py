"""Whole suite generation (SPEC 5): individuals are suites, and one number says how far a suite is from all open goals together.

The archive is on: goals that were ever covered leave the objective. Only tests that no suite has run yet are asked for; what the
others left behind is remembered.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from crashwright.core.settings import SuiteSettings
from crashwright.engine.goals.coverage.goal import Goals
from crashwright.engine.search.algorithm import Operators
from crashwright.engine.search.ranking import rank_index
from crashwright.engine.search.suite.archive import Archive, Placed
from crashwright.engine.search.suite.objectives import AllGoals, Policy
from crashwright.engine.search.suite.problem import GoalProblem, Ran

T = TypeVar("T")
P = TypeVar("P")

REMEMBERED = 5000
"""Runs of tests that are in no suite any more but may come up again."""
ATTEMPTS = 10
"""How many new tests are made to find one that was not run before."""


@dataclass(slots=True, eq=False)
class _Suite(Generic[T, P]):
    """Tests by identity, and the fitness towards the goals for which it was computed last."""

    runs: dict[int, Ran[T, P]]
    fitness: float = 0.0
    goals: Goals | None = None

    @property
    def size(self) -> int:
        return sum(ran.size for ran in self.runs.values())


class _Known(NamedTuple, Generic[T, P]):
    """A run. ``identity`` is that of the test as it was run: what stood behind the statement that raised may have been cut off
    since it was asked for."""

    identity: int
    ran: Ran[T, P]


@dataclass(slots=True, eq=False)
class _Brood(Generic[T, P]):
    """Two suites still to be run, as identities of tests, and the parents that they must not be worse than."""

    parents: tuple[_Suite[T, P], ...]
    offspring: tuple[list[int], ...]


class WholeSuiteSearch(Generic[T, P]):
    """``ask`` gives the new tests of a generation of suites; they are put together when ``tell`` has the runs."""

    def __init__(
        self,
        problem: GoalProblem[P],
        operators: Operators[T],
        settings: SuiteSettings,
        rng: random.Random,
        policy: Policy,
    ) -> None:
        self.archive: Archive[T, P] = Archive()
        self._problem = problem
        self._operators = operators
        self._settings = settings
        self._rng = rng
        self._manager = AllGoals(policy)
        self.aimed_at: Goals = self._manager.current(0)
        self._population: list[_Suite[T, P]] = []
        self._known: dict[int, _Known[T, P]] = {}
        self._pending: dict[int, T] = {}
        self._broods: list[_Brood[T, P]] = []

    @property
    def population_size(self) -> int:
        """How many suites the population holds now."""
        return len(self._population)

    def ask(self) -> list[T]:
        """The tests of the next generation that were never run."""
        self._pending.clear()
        missing = self._settings.population - len(self._population)
        self._broods = self._initial(missing) if missing > self._settings.population // 2 else self._breed()
        for _ in range(ATTEMPTS):
            if self._pending:
                break
            self._broods[0].offspring[0].append(self._register(self._operators.sample(self._rng)))
        return list(self._pending.values()) or [self._operators.sample(self._rng)]

    def tell(self, runs: Sequence[Ran[T, P]]) -> list[Placed[T, P]]:
        """Archive what was run and put the generation together; suites lose the tests that were not run any more. Returns what is
        new in the archive."""
        placed = self._remember(runs, self._pending)
        generation = self._population[: self._settings.elite]
        for brood in self._broods:
            offspring = [self._suite(members) for members in brood.offspring]
            best = min(map(_order, offspring))
            kept = brood.parents if brood.parents and min(map(_order, brood.parents)) < best else offspring
            generation.extend(kept)
        self._broods = []
        self._survive(generation)
        self._forget()
        return placed

    def inject(self, runs: Sequence[Ran[T, P]]) -> list[Placed[T, P]]:
        """Archive the runs, and let suites made of them compete for a place in the population."""
        identities = [self._operators.identity(ran.individual) for ran in runs]
        placed = self._remember(runs, identities)
        identities = [identity for identity in identities if not self._known[identity].ran.timed_out]
        step = self._settings.suite_tests
        added = [self._suite(identities[start : start + step]) for start in range(0, len(identities), step)]
        self._survive([*self._population, *added])
        return placed

    def measure_again(self) -> None:
        """See ``SuiteAlgorithm``."""
        for suite in self._population:
            suite.goals = None
        self._survive(self._population)

    def survivors(self) -> list[T]:
        """The tests of the suites, those of the best suite first, once each."""
        tests: dict[int, T] = {}
        for suite in self._population:
            for identity, ran in suite.runs.items():
                tests.setdefault(identity, ran.individual)
        return list(tests.values())

    def _remember(self, runs: Sequence[Ran[T, P]], asked: Iterable[int]) -> list[Placed[T, P]]:
        placed = self.archive.add_all(runs)
        for identity, ran in zip(asked, runs, strict=False):  # the budget may end before all were run
            known = _Known(self._operators.identity(ran.individual), ran)
            self._known[identity] = self._known[known.identity] = known
        self.aimed_at = self._manager.current(self.archive.covered)
        for suite in self._population:
            self._measure(suite)
        return placed

    def _forget(self) -> None:
        """Keep the runs of the population's tests, and of others the latest."""
        alive = {identity for suite in self._population for identity in suite.runs}
        surplus = len(self._known) - len(alive) - REMEMBERED
        if surplus > 0:
            for identity in [identity for identity in self._known if identity not in alive][:surplus]:
                del self._known[identity]

    def _suite(self, members: Iterable[int]) -> _Suite[T, P]:
        known = [self._known[identity] for identity in members if identity in self._known]
        suite: _Suite[T, P] = _Suite({one.identity: one.ran for one in known})
        self._measure(suite)
        return suite

    def _measure(self, suite: _Suite[T, P]) -> None:
        if suite.goals == self.aimed_at:
            return
        suite.goals = self.aimed_at
        runs = suite.runs.values()
        if not runs or any(ran.timed_out for ran in runs):
            suite.fitness = float("inf")
        else:
            suite.fitness = self._problem.suite_distance([ran.footprint for ran in runs], self.aimed_at)

    def _survive(self, suites: list[_Suite[T, P]]) -> None:
        for suite in suites:
            self._measure(suite)
        order = sorted((suite.fitness, suite.size, self._rng.random(), place) for place, suite in enumerate(suites))
        self._population = [suites[place] for *_, place in order[: self._settings.population] if suites[place].runs]

    def _initial(self, count: int) -> list[_Brood[T, P]]:
        rng, most = self._rng, self._settings.initial_tests
        return [
            _Brood((), ([self._register(self._operators.sample(rng)) for _ in range(1 + int(rng.random() * most))],))
            for _ in range(count)
        ]

    def _breed(self) -> list[_Brood[T, P]]:
        rng, settings = self._rng, self._settings
        broods: list[_Brood[T, P]] = []
        for _ in range(max(1, (settings.population - settings.elite + 1) // 2)):
            one, other = self._parent(), self._parent()
            members = [list(one.runs), list(other.runs)]
            if one is not other and rng.random() < settings.crossover:
                members = self._cross(*members)
            broods.append(_Brood((one, other), tuple(self._mutated(identities) for identities in members)))
        return broods

    def _parent(self) -> _Suite[T, P]:
        return self._population[rank_index(len(self._population), self._rng, self._settings.rank_bias)]

    def _cross(self, one: list[int], other: list[int]) -> list[list[int]]:
        """Both cut at the same relative point, so that the offspring are no longer than the longer parent."""
        at = self._rng.random()
        cut, cut_other = int(at * len(one)), int(at * len(other))
        return [one[:cut] + other[cut_other:], other[:cut_other] + one[cut:]]

    def _mutated(self, identities: list[int]) -> list[int]:
        """Each test changed with a chance of one in their number, then tests added."""
        rng, operators, settings = self._rng, self._operators, self._settings
        members = list(dict.fromkeys(identities))
        chance = 1.0 / len(members)
        for place, identity in enumerate(members):
            if rng.random() < chance:
                test = self._pending[identity] if identity in self._pending else self._known[identity].ran.individual
                members[place] = self._register(operators.mutate(test, rng))
        chance = settings.insertion
        while len(members) < settings.suite_tests and rng.random() < chance:
            members.append(self._register(operators.sample(rng)))
            chance *= settings.insertion
        return members

    def _register(self, test: T) -> int:
        """The identity of a test, which is asked for unless its run is known."""
        identity = self._operators.identity(test)
        if identity not in self._known:
            self._pending.setdefault(identity, test)
        return identity


def _order(suite: _Suite[T, P]) -> tuple[float, int]:
    return suite.fitness, suite.size


def whole_suite(
    problem: GoalProblem[P],
    operators: Operators[T],
    settings: SuiteSettings,
    rng: random.Random,
    policy: Policy,
    secondary: bool = True,  # noqa: ARG001 - of suites; ties go to the shorter one
) -> WholeSuiteSearch[T, P]:
    """Whole suite generation."""
    return WholeSuiteSearch(problem, operators, settings, rng, policy)
