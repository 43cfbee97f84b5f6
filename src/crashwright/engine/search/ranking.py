"""Rank selection (SPEC 5) and the order in which individuals survive."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TypeVar

from crashwright.engine.search.algorithm import Scored

T = TypeVar("T")
BIAS = 1.7


def rank_index(count: int, rng: random.Random, bias: float = BIAS) -> int:
    """An index below ``count``, small ones likelier: linear ranking with selection pressure ``bias`` in (1, 2]."""
    spread = bias - math.sqrt(bias * bias - 4.0 * (bias - 1.0) * rng.random())
    return min(count - 1, int(count * spread / (2.0 * (bias - 1.0))))


def by_fitness(scored: Sequence[Scored[T]], rng: random.Random) -> list[Scored[T]]:
    """Best first: fitness, then size, then a coin, so that neutral offspring are as likely to survive as their parents."""
    flip = rng.random
    order = sorted([(one.fitness, one.size, flip(), index) for index, one in enumerate(scored)])
    return [scored[entry[3]] for entry in order]
