"""A store whose prices stand in a table, and what lines of an order come to."""

from __future__ import annotations


class Store:
    """Amounts by article."""

    def __init__(self) -> None:
        self.amounts: dict[str, int] = {}

    def add(self, article: str, amount: int) -> None:
        """More of one."""
        self.amounts[article] = self.amounts.get(article, 0) + amount

    def amount(self, article: str) -> int:
        """How many there are."""
        return self.amounts[article]


def share(total: float, lines: int) -> float:
    """Of each line but the first."""
    return total / (lines - 1)


def value_of(lines: list[str], prices: dict[str, float]) -> float:
    """What the lines, an article and a number each, come to."""
    total = 0.0
    for line in lines:
        article, amount = line.split()
        total += prices[article] * int(amount)
    return share(total, len(lines))
