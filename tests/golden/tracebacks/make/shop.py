"""A library that fails in many shapes: the subject of the reports of pytest, Sentry, structlog and unittest-xml-reporting.

>>> take(Shelf({}), "bolt")
[1]
"""

import functools
from collections.abc import Callable
from typing import Any


class StockError(Exception):
    """Of the library's own."""


def logged(*, level: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return wrapper

    return decorate


class Shelf:
    def __init__(self, slots: Any) -> None:
        self.slots = slots

    def __repr__(self) -> str:
        return f"Shelf({self.slots!r})"

    @logged(
        level=3,
    )
    def find(self, name: str) -> Any:
        return self.slots[name]

    def count(
        self,
        name: str,
        start: int = 0,
    ) -> int:
        total = start
        for slot in self.slots[name]:
            total += slot.size
        return total


def take(shelf: Shelf, name: str, amount: int = 1) -> Any:
    """Takes it.

    Text at the left margin, and code::

        def take():
            return None
    """
    rate = 0.5

    def inner(value: str) -> Any:
        return shelf.find(value)

    return inner(name) * rate


def total(shelves: list[Shelf], name: str) -> int:
    return sum(shelf.count(name) for shelf in shelves)


def order(shelf: Shelf, name: str) -> Any:
    try:
        return take(shelf, name)
    except KeyError as error:
        raise StockError(f"cannot order {name}:\n\n  {error!r} = not there") from error


def reorder(shelf: Any, name: str) -> Any:
    try:
        return take(shelf, name)
    except KeyError:
        return len(shelf)


async def fetch(shelf: Shelf, name: str) -> Any:
    return take(shelf, name)


def noted(shelf: Shelf) -> None:
    try:
        take(shelf, "x")
    except KeyError as error:
        error.add_note("a note\nof two lines")
        error.add_note("another")
        raise


def many(shelf: Shelf) -> None:
    errors: list[Exception] = []
    for name in ("a", "b"):
        try:
            order(shelf, name)
        except StockError as error:
            errors.append(error)
    raise ExceptionGroup("many failed", errors)


def deep(number: int) -> int:
    return deep(number + 1)


def password(secret: str) -> int:
    token = f"{secret}!"  # noqa: F841
    table = {"plain": [1, None, "x", (2, 3)], "nested": {"a": {"b": 1.5}}}  # noqa: F841
    numbered = {5: True}  # noqa: F841
    long_text, long_list = "y" * 2000, list(range(50))  # noqa: F841
    return int(secret)


pick = lambda items: max(items)  # noqa: E731
