"""What holds for every search for a suite, on a toy problem: bytes to be guessed, one after the other."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from conforming import Bug, conformance
from suite_toy import Guess, Guessing, Toy

from crashwright.core.settings import SuiteSettings
from crashwright.engine.goals.coverage.goal import Goals
from crashwright.engine.search.algorithm import Operators
from crashwright.engine.search.suite.algorithms import ALGORITHMS, SuiteAlgorithm
from crashwright.engine.search.suite.archive import Archive, Placed
from crashwright.engine.search.suite.problem import Ran

SECRET = (7, 200, 31, 0, 99)
ALL = (1 << len(SECRET)) - 1
SETTINGS = SuiteSettings(population=20)
LIMIT = 6000
Make = Callable[..., SuiteAlgorithm[Guess, Guess]]
"""As ``search.suite.algorithms.Factory``."""


def made(make: Make, seed: int, toy: Toy, settings: SuiteSettings = SETTINGS) -> SuiteAlgorithm[Guess, Guess]:
    return make(toy, Guessing(len(SECRET)), settings, random.Random(seed), lambda: ALL)


def generation(algorithm: SuiteAlgorithm[Guess, Guess], toy: Toy) -> list[Guess]:
    asked = algorithm.ask()
    assert asked
    algorithm.tell([toy.run(guess) for guess in asked])
    return asked


def it_repeats_by_its_seed(make: Make) -> None:
    def story(seed: int) -> list[list[Guess]]:
        toy = Toy(SECRET)
        algorithm = made(make, seed, toy)
        return [told for _ in range(15) for told in (generation(algorithm, toy), algorithm.survivors())]

    before = random.getstate()
    assert story(3) == story(3)
    assert story(3) != story(4)
    assert random.getstate() == before  # no randomness but what was passed in


def its_survivors_are_what_was_run(make: Make) -> None:
    """That may be less than was asked for: the evaluator cuts off what stands behind the statement that raised."""

    class Cut(Toy):
        def run(self, guess: Guess) -> Ran[Guess, Guess]:
            right = self._right(guess)
            return super().run((*guess[: right + 1], *[0] * (len(guess) - right - 1))[: len(guess)])

    toy = Cut(SECRET)
    algorithm = made(make, 1, toy)
    assert algorithm.survivors() == []
    asked: set[Guess] = set()
    for _ in range(20):
        asked.update(generation(algorithm, toy))
    assert algorithm.survivors()
    assert {toy.run(guess).individual for guess in asked}.issuperset(algorithm.survivors())


def its_news_are_what_the_archive_gained(make: Make) -> None:
    toy = Toy((7,) * 5)
    algorithm = made(make, 1, toy)
    gained = 0
    for batch in ([toy.run((7, 9, 9, 9, 9))], [toy.run((7, 7, 9, 9, 9)), toy.run((7, 1, 1, 1, 1))]):
        for placed in algorithm.inject(batch):
            assert not placed.first & gained
            gained |= placed.first
    assert gained == algorithm.archive.covered == 0b11
    assert algorithm.archive.best(0).individual == (7, 1, 1, 1, 1)
    assert algorithm.archive.best(1).individual == (7, 7, 9, 9, 9)


def its_archive_is_the_same_whatever_the_batches(make: Make) -> None:
    """Each goal that was ever covered stays covered, by the shortest test that was."""
    toy, rng = Toy(SECRET), random.Random(5)
    runs = [toy.run((*SECRET[: rng.randrange(6)], *rng.choices(range(256), k=5))[:5]) for _ in range(40)]
    for step in (1, 3, 40):
        algorithm = made(make, 1, toy)
        for start in range(0, len(runs), step):
            algorithm.inject(tuple(runs[start : start + step]))
        for goal in range(len(SECRET)):
            covering = [ran for ran in runs if ran.covered >> goal & 1]
            assert algorithm.archive.best(goal).size == min(ran.size for ran in covering)


def it_goes_on_where_the_budget_ended_early(make: Make) -> None:
    """``tell`` may have the first few, or none."""
    toy = Toy(SECRET)
    algorithm = made(make, 2, toy)
    for count in (3, 0, 1, 7, 100, 0):
        algorithm.tell([toy.run(guess) for guess in algorithm.ask()[:count]])
    assert algorithm.ask()


def it_goes_on_where_every_test_runs_out_of_time(make: Make) -> None:
    toy = Toy(SECRET)
    algorithm = made(make, 2, toy)
    for _ in range(4):
        runs = [toy.run(guess)._replace(covered=0, timed_out=True) for guess in algorithm.ask()]
        assert runs
        assert algorithm.tell(runs) == []
    generation(algorithm, toy)
    assert algorithm.ask()


def it_aims_at_nothing_that_is_covered(make: Make) -> None:
    """And goes on where everything is."""
    toy = Toy(SECRET)
    algorithm = made(make, 2, toy)
    for _ in range(10):
        generation(algorithm, toy)
        assert not algorithm.aimed_at & algorithm.archive.covered
        assert algorithm.aimed_at | ALL == ALL
    algorithm.inject([toy.run(SECRET)])
    assert algorithm.aimed_at == 0
    for _ in range(3):
        generation(algorithm, toy)


def it_works_with_a_small_population(make: Make) -> None:
    for population in (1, 2, 3, 7):
        toy = Toy(SECRET)
        algorithm = made(make, 2, toy, replace(SETTINGS, population=population))
        for _ in range(6):
            generation(algorithm, toy)
            assert algorithm.population_size <= SETTINGS.growth_limit * population


def it_takes_guests_in(make: Make) -> None:
    """Before it was asked for anything, and later; none at all is no guest."""
    for rounds in (0, 3):
        toy = Toy(SECRET)
        algorithm = made(make, 2, toy)
        for _ in range(rounds):
            generation(algorithm, toy)
        guest = (*SECRET[:4], 7)
        algorithm.inject([toy.run(guest)])
        assert guest in algorithm.survivors()
        assert algorithm.inject([]) == []
        algorithm.measure_again()
        assert guest in algorithm.survivors()
        generation(algorithm, toy)


def it_solves_what_chance_can_solve(make: Make) -> None:
    secret = (7, 200)

    class Near(Guessing):
        def sample(self, rng: random.Random) -> Guess:
            return rng.randrange(4, 12), rng.randrange(196, 204)

    for seed in range(3):
        toy = Toy(secret)
        algorithm = make(toy, Near(2), SETTINGS, random.Random(seed), lambda: 0b11)
        spent = 0
        while algorithm.archive.covered != 0b11 and spent < LIMIT:
            spent += len(generation(algorithm, toy))
        assert algorithm.archive.covered == 0b11


class Broken:
    """Random search; each thing that it does can be replaced."""

    aimed_at: Goals = 0
    population_size = 0

    def __init__(
        self, problem: Toy, operators: Operators[Guess], settings: SuiteSettings, rng: random.Random, policy: object
    ) -> None:
        self.archive: Archive[Guess, Guess] = Archive()
        self.operators, self.rng = operators, rng
        self.first: list[Guess] = []

    def ask(self) -> list[Guess]:
        return [self.operators.sample(self.rng) for _ in range(10)]

    def tell(self, runs: Sequence[Ran[Guess, Guess]]) -> list[Placed[Guess, Guess]]:
        return self.inject(runs)

    def inject(self, runs: Sequence[Ran[Guess, Guess]]) -> list[Placed[Guess, Guess]]:
        return self.archive.add_all(runs)

    def measure_again(self) -> None: ...

    def survivors(self) -> list[Guess]:
        return [ran.individual for ran in self.archive.tests()]


class Unseeded(Broken):
    def ask(self) -> list[Guess]:
        return [self.operators.sample(random) for _ in range(10)]  # type: ignore[arg-type]


class KeepsWhatItAsked(Broken):
    def ask(self) -> list[Guess]:
        self.first = super().ask()
        return self.first

    def survivors(self) -> list[Guess]:
        return self.first


class Boastful(Broken):
    def inject(self, runs: Sequence[Ran[Guess, Guess]]) -> list[Placed[Guess, Guess]]:
        super().inject(runs)
        return [Placed(ran, ran.covered, ran.covered) for ran in runs]


class ByBatches(Broken):
    def inject(self, runs: Sequence[Ran[Guess, Guess]]) -> list[Placed[Guess, Guess]]:
        return super().inject(runs[:1])


class Exact(Broken):
    def tell(self, runs: Sequence[Ran[Guess, Guess]]) -> list[Placed[Guess, Guess]]:
        if len(runs) != 10:
            raise Bug
        return super().tell(runs)


class CountsTimeouts(Broken):
    def tell(self, runs: Sequence[Ran[Guess, Guess]]) -> list[Placed[Guess, Guess]]:
        return [Placed(ran, 1, 1) for ran in runs]


class Insatiable(Broken):
    aimed_at = ALL


class Grows(Broken):
    def ask(self) -> list[Guess]:
        self.population_size += 10
        return super().ask()


class Closed(Broken):
    def inject(self, runs: Sequence[Ran[Guess, Guess]]) -> list[Placed[Guess, Guess]]:
        return []


class Narrow(Broken):
    def ask(self) -> list[Guess]:
        return [(0,) * 2]


test_every_algorithm, test_broken_ones_are_refused = conformance(
    ALGORITHMS,
    {
        it_repeats_by_its_seed: Unseeded,
        its_survivors_are_what_was_run: KeepsWhatItAsked,
        its_news_are_what_the_archive_gained: Boastful,
        its_archive_is_the_same_whatever_the_batches: ByBatches,
        it_goes_on_where_the_budget_ended_early: Exact,
        it_goes_on_where_every_test_runs_out_of_time: CountsTimeouts,
        it_aims_at_nothing_that_is_covered: Insatiable,
        it_works_with_a_small_population: Grows,
        it_takes_guests_in: Closed,
        it_solves_what_chance_can_solve: Narrow,
    },
)
