"""What every search algorithm is: ``ask`` for tests to run, ``tell`` their scores. It runs nothing and knows no subject."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from crashwright.core.messages import Ties

T = TypeVar("T")
Compare = Callable[[object, object], int]
"""A secondary objective on two ``Scored.coverage``: positive where the second is better, 0 where there is no preference. Better is
a strict partial order."""


class Scored(NamedTuple, Generic[T]):
    """An individual with its fitness (minimised, 0 = done) and, for ties, how far it is from a goal on the way (``blocked``), what
    the secondary objective compares (hashable) and its size; ``novel`` where it did something for the first time. ``behaviour``
    (hashable): what the run did, whatever its fitness."""

    individual: T
    fitness: float
    size: int
    novel: bool = False
    coverage: object = None
    blocked: float = 0.0
    behaviour: object = None


class Operators(Protocol[T]):
    """The problem's side of a search: how individuals are made. Pure but for the random stream."""

    def sample(self, rng: random.Random) -> T:
        """A new individual that drives the target."""

    def crossover(self, one: T, other: T, rng: random.Random) -> tuple[T, T]:
        """Two offspring that drive the target."""

    def mutate(self, individual: T, rng: random.Random) -> T:
        """A changed individual that drives the target."""

    def identity(self, individual: T) -> int:
        """Equal for individuals that would behave alike by construction."""


class Algorithm(Protocol[T]):
    """A search algorithm."""

    @property
    def population_size(self) -> int:
        """How many individuals it keeps."""

    @property
    def ties(self) -> Ties:
        """What the secondary objective was asked."""

    def ask(self) -> list[T]:
        """The next individuals to run."""

    def tell(self, scored: Sequence[Scored[T]]) -> None:
        """The scores of what was asked for (or of the first few, where the budget ended)."""

    def inject(self, scored: Sequence[Scored[T]]) -> None:
        """Individuals from elsewhere: seeds, another island, the symbolic engine."""

    def revise(self, blocked: Callable[[float], float]) -> None:
        """The goals on the way are others now: how far individuals are from them has changed."""

    def forget(self) -> list[T]:
        """Fitness is measured otherwise from now on: what was kept by the old one, which counts no more."""

    def survivors(self) -> list[T]:
        """The individuals worth keeping over a restart, best first."""
