"""The searches for suites on a toy problem."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from toy import Guess, Guessing, Toy

from crashwright.core.settings import SuiteSettings
from crashwright.engine.goals.suite.goal import Goals
from crashwright.engine.search.suite.algorithms import ALGORITHMS, SuiteAlgorithm

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
