"""Nothing gets to ``Gate.open`` past ``check``, which is not in the report of its crash."""

from __future__ import annotations


class Gate:
    """Made only where the rules allow it."""

    def __init__(self, number: int, name: str) -> None:
        check(number, name)
        self.number = number

    def open(self) -> object:
        """What crashes."""
        return self.number[0]  # type: ignore[index]


def refuse(reason: str) -> None:
    """Decides nothing: whoever calls it does."""
    raise ValueError(reason)


def check(number: int, name: str) -> None:
    """The rules."""
    if number < 100_000:
        refuse("too small")
    if number % 64 != 9:
        raise ValueError("odd one")
    if len(name) < 12:
        raise ValueError("short")
