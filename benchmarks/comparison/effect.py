"""Effect sizes of paper 000 (section 4.2): the odds ratio of successes and the Vargha-Delaney A12 of evaluations."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence


def odds_ratio(successes: int, runs: int, other_successes: int, other_runs: int) -> float:
    """The odds of success of the first over those of the other: above 1 where the first succeeds more often, 1 where both do
    alike. (The paper states "OR > 0" for the former: the logarithm of this.)

    Where one of the four counts is 0, 0.5 is added to each of them (the Haldane-Anscombe correction), so that the ratio is finite.
    """
    cells = [successes, runs - successes, other_successes, other_runs - other_successes]
    if min(cells) < 0 or runs == 0 or other_runs == 0:
        raise ValueError(f"no counts of successes: {successes} of {runs}, {other_successes} of {other_runs}")
    a, b, c, d = (cell + 0.5 if 0 in cells else float(cell) for cell in cells)
    return (a * d) / (b * c)


def a12(first: Sequence[float], second: Sequence[float]) -> float:
    """The probability that a value of ``first`` is larger than one of ``second``, ties counting half. For evaluations to success:
    below 0.5 where the first is faster."""
    if not first or not second:
        raise ValueError("A12 needs a value on each side")
    order = sorted(second)
    wins = sum(bisect_left(order, value) + bisect_right(order, value) for value in first)
    return wins / (2 * len(first) * len(second))


def magnitude(value: float) -> str:
    """Vargha and Delaney's words for an A12: negligible, small, medium, large."""
    distance = abs(value - 0.5)
    bounds = ((0.06, "negligible"), (0.14, "small"), (0.21, "medium"))
    return next((word for bound, word in bounds if distance < bound - 1e-12), "large")
