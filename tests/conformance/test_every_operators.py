"""What holds for all operators on tests, of crashes and of suites, on a small shop."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise

import toy_shop
from conforming import conformance

from crashwright.engine.search.evocrash_operators import OPERATORS
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.search.suite.operators import SuiteOperators
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.editing import edits
from crashwright.engine.testcase.foreign import foreign_tests
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.quarantine import CallPattern, Quarantine
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.testcase import TestCase

LENGTH = 20
API = ApiModel("toy_shop", ["toy_shop"])
STOCK, COUNT = (API.callee_of(function) for function in (toy_shop.stock, toy_shop.count))
ENTRY = (STOCK, COUNT, API.member(toy_shop.Shelf, "take"))
Make = Callable[[Factory, int, Quarantine], TestOperators]


def factory() -> Factory:
    pool = SeedPool()
    for token in ("bolt", "nut", "(", "0", "a b\nc"):
        pool.add(token)
    return Factory(API, pool, ENTRY, LENGTH)


def evolving(
    operators: TestOperators, seed: int, generations: int = 8
) -> Iterator[tuple[tuple[TestCase, ...], tuple[TestCase, ...]]]:
    """Each step of a population that is varied in every way: parents (none of a new test) and offspring."""
    rng = random.Random(seed)
    population = [operators.sample(rng) for _ in range(6)]
    yield (), tuple(population)
    for _ in range(generations):
        one, other = rng.sample(population, 2)
        bred = operators.crossover(one, other, rng)
        yield (one, other), bred
        changed = tuple([operators.mutate(test, rng) for test in bred])
        yield bred, changed
        new = operators.sample(rng)
        yield (), (new,)
        population = [*population, *changed, new][-6:]


def text(test: TestCase) -> str:
    return "\n".join(print_test(test).body)


def its_tests_are_valid_and_drive_the_target(make: Make) -> None:
    for planted in (False, True):
        operators = make(factory(), LENGTH, Quarantine())
        if planted:
            operators.plant([operators.sample(random.Random(1)) for _ in range(3)])
        for seed in range(3):
            for parents, offspring in evolving(operators, seed):
                assert all(test.is_valid() for test in offspring)
                assert all(edits.has_entry(test, frozenset(ENTRY)) for test in offspring)
                assert all(len(test) <= LENGTH for test in offspring if parents)


def it_leaves_parents_as_they_are(make: Make) -> None:
    for seed in range(3):
        before: dict[int, tuple[TestCase, object]] = {}
        for parents, offspring in evolving(make(factory(), LENGTH, Quarantine()), seed):
            for test in (*parents, *offspring):
                if id(test) not in before:
                    before[id(test)] = test, encode(test)
        assert all(encode(test) == code for test, code in before.values())


def it_repeats_by_its_seed(make: Make) -> None:
    def story(seed: int) -> list[str]:
        return [text(test) for _, offspring in evolving(make(factory(), LENGTH, Quarantine()), seed) for test in offspring]

    before = random.getstate()
    assert story(3) == story(3)
    assert story(3) != story(4)
    assert random.getstate() == before  # no randomness but what was passed in


def its_identity_is_that_of_the_printed_test(make: Make) -> None:
    """Whatever the variables are called: a decoded test has others."""
    operators = make(factory(), LENGTH, Quarantine())
    texts: dict[int, str] = {}
    for seed in range(2):
        for _, offspring in evolving(operators, seed):
            for test in offspring:
                identity = operators.identity(test)
                assert operators.identity(foreign_tests([encode(test)], API)[0]) == identity
                assert texts.setdefault(identity, text(test)) == text(test)
    assert len(texts) > 20


def it_varies(make: Make) -> None:
    """Most mutations change something, and most new tests are new."""
    operators, rng = make(factory(), LENGTH, Quarantine()), random.Random(1)
    tests = [operators.sample(rng) for _ in range(40)]
    assert len({operators.identity(test) for test in tests}) > 20
    changed = [operators.identity(operators.mutate(test, rng)) != operators.identity(test) for test in tests]
    assert sum(changed) > 15


def it_brings_nothing_into_quarantine(make: Make) -> None:
    quarantine = Quarantine(banned=[CallPattern(STOCK.address)])
    operators, rng = make(factory(), LENGTH, quarantine), random.Random(1)
    tests = [test for test in (operators.sample(rng) for _ in range(240)) if not quarantine.holds(test)]
    assert len(tests) > 120
    for one, other in pairwise(tests):
        for test in (operators.mutate(one, rng), *operators.crossover(one, other, rng)):
            assert not quarantine.holds(test)


class LosesTheEntry(TestOperators):
    def _drives(self, test: TestCase) -> bool:
        return True


class WritesIntoParents(TestOperators):
    def mutate(self, individual: TestCase, rng: random.Random) -> TestCase:
        changed = super().mutate(individual, rng)
        individual.statements = changed.statements
        return changed


class Unseeded(TestOperators):
    def sample(self, rng: random.Random) -> TestCase:
        return super().sample(random)  # type: ignore[arg-type]


class CountsStatements(TestOperators):
    def identity(self, individual: TestCase) -> int:
        return len(individual)


class StandsStill(TestOperators):
    def mutate(self, individual: TestCase, rng: random.Random) -> TestCase:
        return individual


class Careless(TestOperators):
    def mutate(self, individual: TestCase, rng: random.Random) -> TestCase:
        self._quarantine = Quarantine()
        return super().mutate(individual, rng)


test_all_operators, test_broken_ones_are_refused = conformance(
    {**OPERATORS, "suite": SuiteOperators},
    {
        its_tests_are_valid_and_drive_the_target: LosesTheEntry,
        it_leaves_parents_as_they_are: WritesIntoParents,
        it_repeats_by_its_seed: Unseeded,
        its_identity_is_that_of_the_printed_test: CountsStatements,
        it_varies: StandsStill,
        it_brings_nothing_into_quarantine: Careless,
    },
)
