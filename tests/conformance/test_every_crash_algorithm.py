"""What holds for every search algorithm for a crash, on a toy problem: a number to be found by its bits."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from conforming import Bug, conformance

from crashwright.core.settings import SearchSettings
from crashwright.engine.search.algorithm import Algorithm, Operators, Scored
from crashwright.engine.search.crash_search import ALGORITHMS, SECONDARY
from crashwright.engine.search.evocrash_operators import OPERATORS

BITS = 8
"""Few enough for chance to find the number."""
LIMIT = 6000


@dataclass(frozen=True, eq=False)
class One:
    """An individual, told from others by what it is, not by its number."""

    number: int


class Toy:
    """Operators that know what they made. The goal is all ones."""

    def __init__(self) -> None:
        self.made: set[One] = set()

    def sample(self, rng: random.Random) -> One:
        return self._new(rng.getrandbits(BITS))

    def crossover(self, one: One, other: One, rng: random.Random) -> tuple[One, One]:
        assert {one, other} <= self.made
        mask = (1 << rng.randrange(BITS)) - 1
        return self._new(one.number & mask | other.number & ~mask), self._new(other.number & mask | one.number & ~mask)

    def mutate(self, individual: One, rng: random.Random) -> One:
        assert individual in self.made
        return self._new(individual.number ^ 1 << rng.randrange(BITS))

    def identity(self, individual: One) -> int:
        return individual.number

    def _new(self, number: int) -> One:
        one = One(number)
        self.made.add(one)
        return one

    def guest(self, number: int) -> One:
        return self._new(number)


def scored(one: One) -> Scored[One]:
    return Scored(one, float(BITS - one.number.bit_count()), 1 + one.number % 7, novel=one.number % 5 == 0)


Make = Callable[[Operators[One], random.Random], Algorithm[One]]


def registered() -> dict[str, Make]:
    """Each algorithm with all that it can be combined with."""
    found: dict[str, Make] = {}
    for name, maker in ALGORITHMS.items():
        for operators in OPERATORS:
            for schedule in ("grow", "restart"):
                settings = SearchSettings(population=12, growth_after=4, growth_limit=3, operators=operators, schedule=schedule)
                found[f"{name}, {operators}, {schedule}"] = combined(maker, settings)
    return found


def combined(maker: Callable[..., Algorithm], settings: SearchSettings) -> Make:
    return lambda operators, rng: maker(operators, settings, rng, SECONDARY["none"])


def story(make: Make, seed: int, rounds: int = 12) -> list[list[int]]:
    """What is asked for, and what survives."""
    toy, told = Toy(), []
    algorithm = make(toy, random.Random(seed))
    for _ in range(rounds):
        asked = algorithm.ask()
        algorithm.tell([scored(one) for one in asked])
        told += [[one.number for one in asked], [one.number for one in algorithm.survivors()]]
    return told


def it_repeats_by_its_seed(make: Make) -> None:
    before = random.getstate()
    assert story(make, 3) == story(make, 3)
    assert story(make, 3) != story(make, 4)
    assert random.getstate() == before  # no randomness but what was passed in


def it_asks_for_what_its_operators_made(make: Make) -> None:
    toy = Toy()
    algorithm = make(toy, random.Random(1))
    for _ in range(15):
        asked = algorithm.ask()
        assert asked
        assert toy.made.issuperset(asked)
        algorithm.tell([scored(one) for one in asked])


def its_survivors_are_what_it_was_told_of_best_first(make: Make) -> None:
    toy = Toy()
    algorithm = make(toy, random.Random(1))
    assert algorithm.survivors() == []
    known: set[One] = set()
    for _ in range(25):
        batch = [scored(one) for one in algorithm.ask()]
        known.update(one.individual for one in batch)
        algorithm.tell(batch)
        survivors = algorithm.survivors()
        assert known.issuperset(survivors)
        assert len(survivors) <= algorithm.population_size
        assert all(scored(better).fitness <= scored(worse).fitness for better, worse in pairwise(survivors))


def it_keeps_the_best_while_it_improves(make: Make) -> None:
    algorithm = make(Toy(), random.Random(2))
    fitness: dict[One, float] = {}
    for generation in range(30):
        rise = 1000.0 - 10 * generation if generation % 2 else 2000.0  # every other batch is better than all before
        batch = [scored(one)._replace(fitness=rise + scored(one).fitness) for one in algorithm.ask()]
        fitness |= {one.individual: one.fitness for one in batch if one.individual not in fitness}
        algorithm.tell(batch)
        assert fitness[algorithm.survivors()[0]] == min(fitness.values())


def it_goes_on_where_the_budget_ended_early(make: Make) -> None:
    """``tell`` may have the first few, or none."""
    toy = Toy()
    algorithm = make(toy, random.Random(2))
    for count in (3, 0, 1, 7, 100, 0):
        algorithm.tell([scored(one) for one in algorithm.ask()[:count]])
    assert algorithm.ask()


def it_finds_the_same_best_whatever_the_batches(make: Make) -> None:
    toy = Toy()
    guests = [scored(toy.guest(number)) for number in random.Random(5).sample(range(1 << BITS), 40)]
    best = set()
    for step in (1, 3, 40):
        algorithm = make(toy, random.Random(1))
        for start in range(0, len(guests), step):
            algorithm.inject(tuple(guests[start : start + step]))
        best.add(scored(algorithm.survivors()[0]).fitness)
    assert best == {min(guest.fitness for guest in guests)}


def it_takes_guests_in(make: Make) -> None:
    """Before it was asked for anything, and later; the best of them is the first survivor."""
    for rounds in (0, 3):
        toy = Toy()
        algorithm = make(toy, random.Random(3))
        for _ in range(rounds):
            algorithm.tell([scored(one)._replace(fitness=9.0) for one in algorithm.ask()])
        best = toy.guest((1 << BITS) - 1)
        algorithm.inject([scored(toy.guest(1)), scored(best), scored(toy.guest(2))])
        assert algorithm.survivors()[0] is best
        algorithm.inject([])
        assert algorithm.ask()


def it_solves_what_chance_can_solve(make: Make) -> None:
    for seed in range(3):
        algorithm = make(Toy(), random.Random(seed))
        spent, solved = 0, False
        while not solved and spent < LIMIT:
            batch = [scored(one) for one in algorithm.ask()]
            spent += len(batch)
            algorithm.tell(batch)
            solved = any(one.fitness == 0 for one in batch)
        assert solved


class Broken:
    """Keeps the best of what it is told; each thing that it does can be replaced."""

    population_size = 5

    def __init__(self, operators: Operators[One], rng: random.Random) -> None:
        self.operators, self.rng = operators, rng
        self.kept: list[Scored[One]] = []

    def ask(self) -> list[One]:
        return [self.operators.sample(self.rng) for _ in range(10)]

    def tell(self, batch: Sequence[Scored[One]]) -> None:
        self.inject(batch)

    def inject(self, batch: Sequence[Scored[One]]) -> None:
        self.kept = sorted([*self.kept, *batch], key=lambda one: one.fitness)[: self.population_size]

    def survivors(self) -> list[One]:
        return [one.individual for one in self.kept]


class Unseeded(Broken):
    def ask(self) -> list[One]:
        return [self.operators.sample(random) for _ in range(10)]  # type: ignore[arg-type]


class Inventive(Broken):
    def ask(self) -> list[One]:
        return [One(number) for number in range(5)]


class WorstFirst(Broken):
    def survivors(self) -> list[One]:
        return super().survivors()[::-1]


class Mortal(Broken):
    def tell(self, batch: Sequence[Scored[One]]) -> None:
        self.kept = [*batch][:1]


class Exact(Broken):
    def tell(self, batch: Sequence[Scored[One]]) -> None:
        if len(batch) != 10:
            raise Bug
        super().tell(batch)


class ByBatches(Broken):
    def inject(self, batch: Sequence[Scored[One]]) -> None:
        self.kept = sorted(batch, key=lambda one: one.fitness)


class Closed(Broken):
    def inject(self, batch: Sequence[Scored[One]]) -> None:
        self.kept = self.kept or sorted(batch, key=lambda one: -one.fitness)


class Narrow(Broken):
    def ask(self) -> list[One]:
        return [cast(Toy, self.operators).guest(number) for number in range(10)]


test_every_algorithm, test_broken_ones_are_refused = conformance(
    registered(),
    {
        it_repeats_by_its_seed: Unseeded,
        it_asks_for_what_its_operators_made: Inventive,
        its_survivors_are_what_it_was_told_of_best_first: WorstFirst,
        it_keeps_the_best_while_it_improves: Mortal,
        it_goes_on_where_the_budget_ended_early: Exact,
        it_finds_the_same_best_whatever_the_batches: ByBatches,
        it_takes_guests_in: Closed,
        it_solves_what_chance_can_solve: Narrow,
    },
)
