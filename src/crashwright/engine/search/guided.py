"""The guided genetic algorithm of EvoCrash (paper 001, Algorithm 1; SPEC 4).

Every generation breeds as many offspring as the population holds, mutates each, and keeps the fittest of parents and offspring.
Guidance lies in the operators: whatever they return drives the target.

# Deviation: individuals that did something for the first time are kept apart, and some parents are taken from them (see
``goals.crash.novelty``). # Deviation: individuals that are the same test are kept once, and a few newcomers join each generation:
crash fitness is a landscape of plateaus, on which a population of clones stands still. All three are left out with the operators
``evocrash`` and ``unguided``.

The paper runs again with a larger population whenever a search times out: from 50 individuals in steps of 25 to 300. Here the
budget is one, and G generations without improvement stand for the time-out (``# Deviation:`` a slice of the budget would cut off
searches that still improve). What then happens is the schedule: ``restart`` begins again from scratch with the larger population,
as the paper does, and with the largest one until the budget is used up; ``grow`` (# Deviation) keeps what it has and makes room.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import Ties
from crashwright.core.settings import SearchSettings
from crashwright.engine.search.algorithm import Compare, Operators, Scored
from crashwright.engine.search.elites import Elites
from crashwright.engine.search.ranking import Tally, by_fitness, rank_index

T = TypeVar("T")
NOVEL_PARENTS = 0.3
"""Share of the parents that are taken from the individuals that did something for the first time."""
NOVEL_KEPT = 200
ELITES, STAGNANT_ELITES, STAGNANT = 0.2, 0.5, 5
"""Share of the others that are taken from the best of each cell, while the search gets on and after so many generations without."""
NEWCOMERS = 0.1
"""Share of the offspring that are new individuals."""


class GuidedSearch(Generic[T]):
    """``ask`` first gives the initial population, then one generation at a time. ``compare`` decides between individuals of equal
    fitness."""

    def __init__(
        self, operators: Operators[T], settings: SearchSettings, rng: random.Random, compare: Compare | None = None
    ) -> None:
        self._compare = compare
        self._operators = operators
        self._settings = settings
        self._rng = rng
        self._population: list[Scored[T]] = []
        self._size = settings.population
        self._stagnant = 0
        self._best = float("inf")
        self._novel: list[T] = []
        self._pure = settings.operators != "extended"
        self._spread = settings.uses(Mechanism.DIVERSITY) and not self._pure
        self._elites: Elites[T] = Elites()
        self._tally = Tally()

    @property
    def population_size(self) -> int:
        """How many individuals the population holds now."""
        return self._size

    @property
    def ties(self) -> Ties:
        """See ``Algorithm``."""
        return Ties(self._tally.pairs, self._tally.decided)

    def ask(self) -> list[T]:
        """The initial population, or the offspring of one generation."""
        missing = self._size - len(self._population)
        if missing > self._size // 2:
            return [self._operators.sample(self._rng) for _ in range(missing)]
        return self._breed()

    def tell(self, scored: Sequence[Scored[T]]) -> None:
        """Keep the fittest of parents and offspring."""
        self.inject(scored)
        for one in scored:
            if one.novel and not self._pure:
                self._remember(one.individual)
        if self._population and self._population[0].fitness < self._best:
            self._best = self._population[0].fitness
            self._stagnant = 0
        else:
            self._stagnant += 1
        if self._settings.growth_after and self._stagnant >= self._settings.growth_after:
            self._enlarge()

    def inject(self, scored: Sequence[Scored[T]]) -> None:
        """Let individuals compete for a place."""
        if self._spread:
            for one in scored:
                self._elites.add(one)
        order = by_fitness([*self._population, *scored], self._rng, self._compare, self._spread, self._tally)
        if self._pure:
            self._population = order[: self._size]
            return
        kept: dict[int, Scored[T]] = {}
        identity = self._operators.identity
        for one in order:
            kept.setdefault(identity(one.individual), one)
            if len(kept) == self._size:
                break  # the rest need no look: an identity costs more than a comparison
        self._population = list(kept.values())

    def revise(self, blocked: Callable[[float], float]) -> None:
        """See ``Algorithm``."""
        self._population = [one._replace(blocked=blocked(one.blocked)) for one in self._population]

    def forget(self) -> list[T]:
        """The population, and the best of each cell."""
        kept = {self._operators.identity(one): one for one in (*self.survivors(), *self._elites.individuals())}
        self._population.clear()
        self._elites.clear()
        self._best = float("inf")
        return list(kept.values())

    def survivors(self) -> list[T]:
        """The population, best first."""
        return [one.individual for one in self._population]

    def _remember(self, individual: T) -> None:
        if len(self._novel) < NOVEL_KEPT:
            self._novel.append(individual)
        else:
            self._novel[int(self._rng.random() * NOVEL_KEPT)] = individual

    def _parent(self) -> T:
        novel, rng = self._novel, self._rng
        if novel and rng.random() < NOVEL_PARENTS:
            return novel[int(rng.random() * len(novel))]
        if self._elites and rng.random() < (STAGNANT_ELITES if self._stagnant > STAGNANT else ELITES):
            return self._elites.draw(rng)
        return self._population[rank_index(len(self._population), rng)].individual

    def _enlarge(self) -> None:
        settings = self._settings
        self._stagnant = 0
        self._size = min(self._size + settings.population // 2, settings.population * settings.growth_limit)
        if settings.schedule == "restart":
            self._population.clear()
            self._novel.clear()
            self._elites.clear()
            self._best = float("inf")

    def _breed(self) -> list[T]:
        rng, operators = self._rng, self._operators
        bred: list[T] = []
        newcomers = 0 if self._pure else int(self._size * NEWCOMERS)
        while len(bred) < self._size - newcomers:
            one, other = self._parent(), self._parent()
            if one is not other and rng.random() < self._settings.crossover:
                one, other = operators.crossover(one, other, rng)
            bred += (one, other)
        offspring = [operators.mutate(one, rng) for one in bred]
        offspring.extend([operators.sample(rng) for _ in range(newcomers)])
        return offspring
