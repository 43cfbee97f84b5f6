"""A small subject for properties of tests: it writes down every call, so that two runs can be compared."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Iterator
from typing import Protocol

LOG: list[str] = []


def note(*values: object) -> None:
    LOG.append(" ".join(plain(value) for value in values))


def plain(value: object, depth: int = 0) -> str:
    """Text without addresses and without the names of lambdas; not deep, since containers may hold themselves."""
    if isinstance(value, (str, bytes, bytearray)) and len(value) > 10_000:
        return f"{type(value).__name__} of {len(value)}"
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        if depth > 3 or len(value) > 1000:
            return f"{type(value).__name__} of {len(value)}"
        items = value.items() if isinstance(value, dict) else value
        texts = [plain(item, depth + 1) for item in items]
        return f"{type(value).__name__}({', '.join(sorted(texts) if isinstance(value, (set, frozenset)) else texts)})"
    if isinstance(value, (type(None), bool, int, float, complex, str, bytes, bytearray, enum.Enum)):
        try:
            return repr(value)
        except ValueError:
            return "a huge number"
    if isinstance(value, Shelf):
        return f"Shelf({plain(value.width)}, {type(value.items).__name__})"
    return "something"


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


class Priced(Protocol):
    price: int

    def label(self) -> str: ...


class Shelf:
    def __init__(self, width: int = 3, items: list[str] | None = None) -> None:
        self.width = width
        self.items = items or []
        note("Shelf", width, items)

    @property
    def free(self) -> int:
        note("free", self)
        return self.width - len(self.items)

    def put(self, item: str, *more: object, at: int = 0, **marks: object) -> Shelf:
        note("put", self, item, more, at, marks)
        self.items.insert(at, item)
        return self

    def take(self, index):
        note("take", self, index)
        return self.items[index]

    def walk(self) -> Iterator[str]:
        note("walk", self)
        yield from self.items

    def __len__(self) -> int:
        note("len", self)
        return len(self.items)

    def __eq__(self, other: object) -> bool:
        note("eq", self, other)
        return isinstance(other, Shelf) and self.items == other.items

    def __hash__(self) -> int:
        note("hash", self)
        return self.width

    def __add__(self, other: Shelf) -> Shelf:
        note("add", self, other)
        return Shelf(self.width + other.width, self.items + other.items)

    def __getitem__(self, key):
        note("getitem", self, key)
        return self.items[key]

    def __setitem__(self, key, value):
        note("setitem", self, key, value)
        self.items[key] = value

    def __contains__(self, item) -> bool:
        note("contains", self, item)
        return item in self.items

    def __enter__(self) -> Shelf:
        note("enter", self)
        return self

    def __exit__(self, *details: object) -> None:
        note("exit", self)

    @classmethod
    def of(cls, *items: str) -> Shelf:
        note("of", items)
        return cls(len(items), list(items))

    @staticmethod
    def check(value: float, text: bytes = b"") -> bool:
        note("check", value, text)
        return value > 0


def stock(shelves: list[Shelf], size: Size = Size.SMALL, labels: dict[str, int] | None = None) -> int:
    note("stock", shelves, size, labels)
    return sum(shelf.width for shelf in shelves)


def sort_by(items: list[str], key: Callable[[str], int]) -> list[str]:
    note("sort_by", items)
    return sorted(items, key=key)


def price(item: Priced, factor: complex = 1j) -> object:
    note("price", factor)
    return item.price, item.label()


def count(limit=10):
    note("count", limit)
    number = 0
    while number < limit:
        yield number
        number += 1


async def deliver(shelf: Shelf, data):
    note("deliver", shelf, data)
    return data


def read(filename: str, encoding=None) -> str:
    note("read")
    with open("" + filename, encoding="utf-8") as file:  # a number would be somebody's open file
        text = file.read()
    note("text", text)
    return text


@contextlib.contextmanager
def opened(name: str, flags: set[int] | None = None):
    note("open", name, flags)
    yield Shelf(1, [name])
    note("close", name)


DEFAULT = Shelf(7)
