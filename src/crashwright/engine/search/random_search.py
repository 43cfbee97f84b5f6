"""Random search: new tests for ever. The baseline that guidance has to beat."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from crashwright.core.messages import Ties
from crashwright.engine.search.algorithm import Operators, Scored

T = TypeVar("T")
BATCH = 50


class RandomSearch(Generic[T]):
    """Samples; keeps only the best one."""

    def __init__(self, operators: Operators[T], rng: random.Random) -> None:
        self._operators = operators
        self._rng = rng
        self._best: Scored[T] | None = None

    @property
    def population_size(self) -> int:
        """One: the best."""
        return 1

    @property
    def ties(self) -> Ties:
        """None: nothing is put in order."""
        return Ties()

    def ask(self) -> list[T]:
        """A batch of new individuals."""
        return [self._operators.sample(self._rng) for _ in range(BATCH)]

    def tell(self, scored: Sequence[Scored[T]]) -> None:
        """Remember the best."""
        for one in scored:
            if self._best is None or one.fitness < self._best.fitness:
                self._best = one

    inject = tell

    def revise(self, blocked: Callable[[float], float]) -> None:
        """Fitness alone decides."""

    def forget(self) -> list[T]:
        """The best one."""
        kept, self._best = self.survivors(), None
        return kept

    def survivors(self) -> list[T]:
        """The best one."""
        return [] if self._best is None else [self._best.individual]
