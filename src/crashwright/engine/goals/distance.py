"""How far a run was from a place: approach level and branch distance (paper 000, section 2.1; SPEC 6).

The approach level counts the decisions between the place and the nearest one that the run evaluated; the branch distance says how
far that decision was from going the right way. What the distance of a decision is, each goal says for itself: the crash fitness
reads one activation, suites read all calls of a function as one, flags read their callees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import log
from typing import TypeVar

One = TypeVar("One")
Other = TypeVar("Other")

INFINITE = float("inf")
FAR = 1e6
_AT_FAR, _BEYOND = FAR / (1.0 + FAR), 1.0 / (1.0 + FAR)
SMALLEST = 1e-9
LARGEST = 1.0 - 1e-12
"""The normalised branch distance of a wrong side lies between these two. So the right side is strictly nearer than every wrong side
of the same decision, half of the smallest is nearer still, and no wrong side is as far as the next level."""


def normalise(distance: float) -> float:
    """phi(x) = x / (1 + x), phi(infinity) = 1: the one place where distances are normalised.

    # Deviation: from ``FAR`` on it grows with the logarithm. Of x / (1 + x) a float shows nothing beyond 1e15, and a search among
    numbers of a hundred digits would see no slope.
    """
    if distance <= FAR:
        return distance / (1.0 + distance)
    return 1.0 if distance == INFINITE else max(_AT_FAR, 1.0 - _BEYOND / (1.0 + log(distance / FAR)))


def wrong_side(distance: float) -> float:
    """A normalised distance, kept apart from that of the right side and from the next level."""
    return min(max(distance, SMALLEST), LARGEST)


def nearest(
    decisions: Iterable[tuple[One, Other, int]], farthest: float, distance_of: Callable[[One, Other], float | None]
) -> float:
    """Approach level plus normalised branch distance of the nearest decision that was evaluated; ``farthest`` where none was.
    ``decisions`` are sorted by their levels, which come last; ``distance_of`` gives the normalised distance: None where the
    decision was not evaluated, 0 where the right side was taken.

    # Deviation: by the papers a run that was stopped right behind a decision is as far as one that does not come to it. Here it is
    # a whole number, the level alone: nearer than any run that took the wrong side there.
    """
    best = farthest
    for one, other, level in decisions:
        if level >= best:
            break
        found = distance_of(one, other)
        if found is not None:
            if not found:
                return float(level)
            near = level + wrong_side(found)
            if near < best:
                best = near
    return best
