"""A module for mutants."""

from __future__ import annotations

import functools
from collections.abc import Callable


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
