"""A module for mutants."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import NamedTuple, TypeVar


def larger(one: int, other: int) -> int:
    if one > other:
        return one
    return other


@functools.lru_cache
def doubled(number: int) -> int:
    return number * 2


def adder(step: int) -> Callable[[int], int]:
    def add(number: int) -> int:
        return number + step

    return add


class Counter:
    def __init__(self) -> None:
        self.count = 0

    def up(self) -> int:
        self.count += 1
        return self.count


def priced(amount: int, rate: int = 2, *, extra: int = 0) -> int:
    return amount * rate + extra


Kind = TypeVar("Kind")
RATES = {"day": 2, "week": 10}
WEEK = timedelta(days=7)
SHOWN = doubled(2)


class Colour(Enum):
    RED = "red"


class Fee:
    """Fees."""

    GRACE = 2
    HIGHEST = GRACE * 9
    __slots__ = ("late",)

    def __init__(self, late: int) -> None:
        self.late = late

    def of(self, kind: str) -> int:
        late = self.late - self.GRACE if self.late < WEEK.days else self.late
        return min(late * RATES.get(kind, 0), self.HIGHEST)


@dataclass
class Order:
    amount: int = 1
    unit: str = "kg"


class Place(NamedTuple):
    row: int = 3
