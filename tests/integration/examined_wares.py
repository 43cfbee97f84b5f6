"""A module under examination: what is stable in it, and what is not."""

from __future__ import annotations

import os
import random
import socket
import time

calls = 0


def words(text: str) -> list[str]:
    """In an order that is another one in each process."""
    return list(set(text.split(" ")))


def token() -> float:
    return random.random()


def pick(values: list[int]) -> int:
    return random.choice(values)


def now() -> int:
    return int(time.time() * 1000)


def address(value: object) -> str:
    return f"at {id([value])}"


def count() -> int:
    global calls
    calls += 1
    return calls


def tidy(values: list[int]) -> None:
    values.sort()
    if len(values) > 3:
        values.append(0)


def online() -> bool:
    """What confinement refuses is an answer to it."""
    try:
        socket.create_connection(("127.0.0.1", 9), 0.1)
    except OSError:
        return False
    return True


def third(number: float) -> float:
    if number < 0:
        raise ValueError(f"negative number {number} in {object()}")
    return number / 3


def halves(numbers: list[float]) -> list[float]:
    return [number / 2 for number in numbers]


def leave() -> None:
    os._exit(3)


def linger() -> None:
    while True:
        pass


class Shelf:
    def __init__(self, width: int) -> None:
        self.width = width
        self.goods: list[int] = []

    @property
    def room(self) -> int:
        return self.width - len(self.goods)

    def put(self, good: int) -> Shelf:
        if self.room <= 0:
            raise OverflowError("the shelf is full")
        self.goods.append(good)
        return self

    def total(self) -> int:
        result = 0
        for good in self.goods:
            result += good * 2
        return result
