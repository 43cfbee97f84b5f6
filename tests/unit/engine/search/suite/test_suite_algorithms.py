"""The searches for suites on a toy problem."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from suite_toy import Guess, Guessing, Toy

from crashwright.core.settings import SuiteSettings
from crashwright.engine.goals.coverage.goal import Goals
from crashwright.engine.search.suite.algorithms import ALGORITHMS, SuiteAlgorithm
from crashwright.engine.search.suite.problem import Ran

SECRET = (7, 200, 31, 0, 99)
SETTINGS = SuiteSettings(population=20)
GUIDED = [name for name in ALGORITHMS if name != "random"]


def everything() -> Goals:
    return (1 << len(SECRET)) - 1


def made(name: str, seed: int, toy: Toy | None = None, settings: SuiteSettings = SETTINGS) -> SuiteAlgorithm[Guess, Guess]:
    return ALGORITHMS[name](toy or Toy(SECRET), Guessing(len(SECRET)), settings, random.Random(seed), everything)


def evaluations(name: str, seed: int, limit: int) -> int:
    """How many tests were run until everything was covered."""
    toy = Toy(SECRET)
    algorithm = made(name, seed, toy)
    spent = 0
    while spent < limit and algorithm.archive.covered != everything():
        batch = [toy.run(guess) for guess in algorithm.ask()]
        assert batch
        spent += len(batch)
        algorithm.tell(batch)
    return spent


@pytest.mark.parametrize("name", GUIDED)
def test_guidance_finds_what_random_search_does_not(name: str) -> None:
    assert max(evaluations(name, seed, 8000) for seed in range(5)) < 8000


def test_random_search_does_not_find_it() -> None:
    assert min(evaluations("random", seed, 8000) for seed in range(3)) >= 8000


def test_dynamosa_aims_only_at_what_is_unlocked() -> None:
    toy = Toy(SECRET)
    dynamosa, mosa = made("dynamosa", 1, toy), made("mosa", 1, toy)
    assert (dynamosa.aimed_at, mosa.aimed_at) == (0b1, 0b11111)
    for algorithm in (dynamosa, mosa):
        algorithm.inject([toy.run((7, 200, 0, 0, 0))])
    assert (dynamosa.aimed_at, mosa.aimed_at) == (0b100, 0b11100)


def test_newly_current_goals_alone_are_measured_again() -> None:
    toy = Toy(SECRET)
    algorithm = made("dynamosa", 1, toy)
    algorithm.tell([toy.run(guess) for guess in algorithm.ask()])
    assert toy.measured == SETTINGS.population  # one goal
    before = toy.measured
    algorithm.inject([toy.run((7, 0, 0, 0, 0))])
    assert toy.measured == before + SETTINGS.population + 1  # goal 1 is new; nothing was dropped but goal 0


def test_policy_narrows_the_objectives_but_not_the_archive() -> None:
    toy = Toy(SECRET)
    algorithm = ALGORITHMS["mosa"](toy, Guessing(len(SECRET)), SETTINGS, random.Random(1), lambda: 0b10100)
    assert algorithm.aimed_at == 0b10100
    algorithm.inject([toy.run((7, 200, 31, 5, 5))])
    assert algorithm.aimed_at == 0b10000
    assert algorithm.archive.covered == 0b111


def test_population_of_dynamosa_grows_with_its_objectives() -> None:
    class Wide(Toy):
        """Each byte is an objective of its own."""

        def unlocked(self, covered: Goals) -> Goals:
            return everything()

        def run(self, guess: Guess) -> Ran[Guess, Guess]:
            return Ran(guess, guess, 0, sum(guess))

        def _distance(self, guess: Guess, goal: int) -> float:
            return 1 - 1 / (1 + abs(guess[goal] - self.secret[goal]))

    secret = (11, 22, 33, 44, 55)
    sizes = {}
    for name in ("mosa", "dynamosa"):
        for limit in (1, 4):
            wide = Wide(secret)
            algorithm = made(name, 1, wide, replace(SETTINGS, population=2, growth_limit=limit))
            specialists = [tuple(secret[place] if place == own else 128 for place in range(5)) for own in range(5)]
            algorithm.inject([wide.run(guess) for guess in [(200,) * 5, *specialists]])
            sizes[name, limit] = algorithm.population_size
    assert sizes == {("mosa", 1): 2, ("mosa", 4): 2, ("dynamosa", 1): 2, ("dynamosa", 4): 5}


def test_whole_suite_asks_for_no_test_twice() -> None:
    toy = Toy(SECRET)
    algorithm = made("whole-suite", 1, toy)
    seen: set[Guess] = set()
    for _ in range(12):
        asked = algorithm.ask()
        assert len(set(asked)) == len(asked) > 0
        assert seen.isdisjoint(asked)
        seen.update(asked)
        algorithm.tell([toy.run(guess) for guess in asked])


def test_whole_suite_keeps_suites_small_and_the_best_one() -> None:
    toy = Toy(SECRET)
    algorithm = made("whole-suite", 1, toy, replace(SETTINGS, suite_tests=4, initial_tests=3, insertion=0.9))
    distances = []
    for _ in range(30):
        algorithm.tell([toy.run(guess) for guess in algorithm.ask()])
        distances.append((algorithm.aimed_at.bit_count(), toy.suite_distance(algorithm.survivors(), algorithm.aimed_at)))
    assert len(algorithm.survivors()) <= 4 * SETTINGS.population
    assert distances == sorted(distances, reverse=True)


def test_random_search_aims_at_nothing() -> None:
    toy = Toy(SECRET)
    algorithm = made("random", 1, toy)
    algorithm.tell([toy.run(guess) for guess in algorithm.ask()])
    assert (algorithm.aimed_at, toy.measured) == (0, 0)


@pytest.mark.parametrize("name", ["mosa", "dynamosa"])
def test_tests_with_the_same_distances_do_not_crowd_out_others(name: str) -> None:
    toy = Toy(SECRET)
    algorithm = made(name, 1, toy, replace(SETTINGS, population=4))
    alike = [(8, place, 0, 0, 0) for place in range(30)]  # all are one step from the first byte
    algorithm.inject([toy.run(guess) for guess in [*alike, (90, 0, 0, 0, 0), (50, 9, 9, 9, 9)]])
    assert {guess[0] for guess in algorithm.survivors()} == {8, 50, 90}


@pytest.mark.parametrize("name", GUIDED)
def test_distances_that_have_changed_are_taken_anew(name: str) -> None:
    toy = Toy(SECRET)
    algorithm = made(name, 1, toy)
    for _ in range(3):
        algorithm.tell([toy.run(guess) for guess in algorithm.ask()])
    before = algorithm.survivors()
    toy.secret = before[-1]
    algorithm.measure_again()
    after = algorithm.survivors()
    assert sorted(after) == sorted(before)
    assert after.index(toy.secret) < len(after) // 2
