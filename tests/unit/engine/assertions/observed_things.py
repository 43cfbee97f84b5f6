"""Things to look at."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import logging
import sqlite3
import sys
import time
from collections import Counter, namedtuple
from collections.abc import Iterator

TODAY = time.strftime("%Y-%m-%d")


class Colour(enum.Enum):
    RED = 1


class _Hidden(ValueError):
    pass


class Odd(_Hidden):
    """Public, though what it inherits from is not."""


@dataclasses.dataclass
class Point:
    x: int
    y: float


Pair = namedtuple("Pair", "left right")


class Box:
    reads = 0

    def __init__(self, *items: object) -> None:
        self.items = list(items)
        self._secret = 1

    @property
    def first(self) -> object:
        type(self).reads += 1
        return self.items[0]

    @property
    def broken(self) -> object:
        raise SystemExit(3)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[object]:
        return iter(self.items)

    def __str__(self) -> str:
        return f"box of {len(self.items)}"

    def add(self, item: object) -> Box:
        self.items.append(item)
        return self


class Sleepy:
    @property
    def end(self) -> int:
        while True:
            time.sleep(0.001)


def with_words() -> Point:
    """Its attributes cannot all be written behind a dot."""
    point = Point(1, 0.5)
    vars(point).update({"True": 1, "class": 2, "two words": 3})
    return point


def give(what: str) -> object:
    return {
        "colour": Colour.RED,
        "class": Colour,
        "point": Point(1, 0.5),
        "words": with_words(),
        "points": [Point(1, 0.5), Point(2, 1.5)],
        "pair": Pair(1, "b"),
        "counter": Counter("aab"),
        "nan": float("nan"),
        "address": f"{object()!r}",
        "today": TODAY,
        "endless": iter(int, 1),
        "large": list(range(500)),
    }[what]


def up_to(number: int) -> Iterator[int]:
    yield from range(number)


def reverse(values: list[object]) -> None:
    values.reverse()


def fail(kind: str) -> None:
    if kind == "hidden":
        raise _Hidden("at 0x7f0000001234 nothing is left")
    if kind == "odd":
        raise Odd("an odd thing happened to <Thing at 0x7f0000001234>")
    if kind == "lines":
        raise KeyError("first line\nsecond line")
    if kind == "permission":
        raise PermissionError(13, "no")
    raise MemoryError


def fail_without_modules() -> None:
    """Leaves something else in the place of the table of modules."""

    class Nothing:
        def __getattribute__(self, name: str) -> object:
            raise LookupError(name)

    sys.modules = Nothing()  # type: ignore[assignment]
    raise _Hidden("left without modules")


class Ticket:
    def __init__(self, title: str) -> None:
        self.title = title
        self.year = datetime.date.today().year - 2000


def weekend(day: int) -> bool:
    return datetime.datetime.now().weekday() > day


def noted(text: str) -> int:
    logging.getLogger("observed").debug(text)
    logging.LogRecord("observed", 10, "", 1, text, (), None)
    return len(text)


class Old:
    age = 3

    @property
    def seconds(self) -> int:
        return int(time.time()) % 7


class Ledger:
    """Keeps what it is given where no attribute shows it."""

    def __init__(self) -> None:
        self._kept: list[str] = []
        self._looks = 0

    def put(self, name: str) -> None:
        self._kept.append(name)

    def drop(self, name: str) -> None:
        self._kept.remove(name)

    def names(self) -> list[str]:
        return list(self._kept)

    def has(self, name: str) -> bool:
        return name in self._kept

    def clear(self) -> None:
        self._kept.clear()

    def take(self) -> str:
        return self._kept.pop()

    def touch(self) -> bool:
        self._looks += 1
        return True


_AMOUNTS: dict[int, int] = {}


class Shrinking:
    """One method takes away what another one says."""

    def __init__(self) -> None:
        _AMOUNTS[id(self)] = 0

    def fill(self, amount: int) -> None:
        _AMOUNTS[id(self)] = amount

    def left(self) -> int:
        _AMOUNTS[id(self)] = max(0, _AMOUNTS[id(self)] - 1)
        return _AMOUNTS[id(self)]

    def total(self) -> int:
        return 7


class Connection:
    """As those of databases: the class hands out classes."""

    def __init__(self) -> None:
        self.size = 3

    @property
    def Warning(self) -> type[Exception]:
        return UserWarning


class Store:
    """Holds a connection of the standard library, and an object of its own package."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:")
        self.box = Box(1)


def in_a_year() -> datetime.date:
    return datetime.date.today() + datetime.timedelta(days=400)


def note(stream):
    stream.write("noted\r\n")
