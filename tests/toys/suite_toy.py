"""A problem of twenty lines: bytes to be guessed, each of which can be seen only when the one before is right."""

from __future__ import annotations

import random
from collections.abc import Sequence

from crashwright.engine.goals.coverage.goal import Goals, as_goals, numbers
from crashwright.engine.search.suite.problem import Ran

Guess = tuple[int, ...]


class Toy:
    """Goal n is covered by a test whose bytes 0 to n are those of the secret."""

    def __init__(self, secret: Guess) -> None:
        self.secret = secret
        self.measured = 0

    def unlocked(self, covered: Goals) -> Goals:
        return (covered << 1 | 1) & ((1 << len(self.secret)) - 1)

    def distances(self, footprint: Guess, goals: Sequence[int]) -> list[float]:
        self.measured += len(goals)
        return [self._distance(footprint, goal) for goal in goals]

    def suite_distance(self, footprints: Sequence[Guess], goals: Goals) -> float:
        return sum(min(self._distance(footprint, goal) for footprint in footprints) for goal in numbers(goals))

    def secondary(self, one: Guess, other: Guess, goal: int) -> int:
        return 0

    def run(self, guess: Guess) -> Ran[Guess, Guess]:
        right = self._right(guess)
        return Ran(guess, guess, as_goals(range(right)), sum(guess), timed_out=False)

    def _right(self, guess: Guess) -> int:
        return next((place for place, byte in enumerate(self.secret) if guess[place] != byte), len(self.secret))

    def _distance(self, guess: Guess, goal: int) -> float:
        right = self._right(guess)
        if right > goal:
            return 0.0
        off = abs(guess[right] - self.secret[right])
        return goal - right + off / (off + 1)


class Guessing:
    """Operators: bytes are drawn, cut and moved by a step of any size."""

    def __init__(self, length: int) -> None:
        self.length = length

    def sample(self, rng: random.Random) -> Guess:
        return tuple(rng.randrange(256) for _ in range(self.length))

    def crossover(self, one: Guess, other: Guess, rng: random.Random) -> tuple[Guess, Guess]:
        cut = rng.randrange(self.length)
        return one[:cut] + other[cut:], other[:cut] + one[cut:]

    def mutate(self, individual: Guess, rng: random.Random) -> Guess:
        place = rng.randrange(self.length)
        step = rng.choice((-1, 1)) << rng.randrange(7)
        return (*individual[:place], (individual[place] + step) % 256, *individual[place + 1 :])

    def identity(self, individual: Guess) -> int:
        return hash(individual)
