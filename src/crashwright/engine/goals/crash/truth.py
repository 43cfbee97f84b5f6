"""How far conditions are from being true, and from being false: the two distances of each (Korel; Tracey et al.).

A pair is normalised, each side 0 where the condition is so. Of a condition that can be told exactly one side is 0; of one that
cannot both are ``UNKNOWN``, the worst there is: it neither hides the other parts of a disjunction nor makes a run look good, and it
is the same on both sides, so that it leads nowhere. Conjunctions sum, disjunctions take the least, negation swaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from crashwright.engine.goals.distance import FAR, normalise, wrong_side
from crashwright.engine.instrument import text_distances
from crashwright.engine.instrument.distances import OPAQUE, beyond_equal, to_equal, to_equal_or_less

Pair = tuple[float, float]
"""To true, and to false."""
UNKNOWN: Final[Pair] = (1.0, 1.0)
OPAQUE_SIDE: Final = normalise(OPAQUE)
TRUE: Final[Pair] = (0.0, OPAQUE_SIDE)
FALSE: Final[Pair] = (OPAQUE_SIDE, 0.0)


def told(outcome: bool | None) -> Pair:
    """Of what has nothing but an outcome."""
    return UNKNOWN if outcome is None else TRUE if outcome else FALSE


def measured(outcome: bool, other: float) -> Pair:
    """``other`` is the branch distance of the side that is not so."""
    distance = wrong_side(normalise(other))
    return (0.0, distance) if outcome else (distance, 0.0)


def opposite(pair: Pair) -> Pair:
    """Of the negation."""
    return pair[1], pair[0]


def all_of(pairs: Sequence[Pair]) -> Pair:
    """Of a conjunction."""
    return sum([to_true for to_true, _ in pairs]), min([to_false for _, to_false in pairs], default=OPAQUE_SIDE)


def any_of(pairs: Sequence[Pair]) -> Pair:
    """Of a disjunction."""
    return min([to_true for to_true, _ in pairs], default=OPAQUE_SIDE), sum([to_false for _, to_false in pairs])


def chosen(condition: Pair, then: Pair, otherwise: Pair) -> Pair:
    """Of ``then if condition else otherwise``: (condition and then) or (not condition and otherwise)."""
    yes, no = condition
    return min(yes + then[0], no + otherwise[0]), min(yes + then[1], no + otherwise[1])


def alike(left: Pair, right: Pair) -> Pair:
    """Of two conditions that are to be both so or both not."""
    return chosen(left, right, opposite(right))


def less(left: Any, right: Any) -> Pair:
    """``left < right`` of numbers or texts."""
    if type(left) is int and type(right) is int and -FAR < left - right < FAR:
        gap = left - right  # what most are, in line
        return ((gap + 1.0) / (gap + 2.0), 0.0) if gap >= 0 else (0.0, gap / (gap - 1.0))
    if left < right:
        return measured(True, to_equal_or_less(left, right))
    return measured(False, beyond_equal(left, right))


def less_or_equal(left: Any, right: Any) -> Pair:
    """``left <= right``."""
    if left <= right:
        return measured(True, beyond_equal(left, right))
    return measured(False, to_equal_or_less(left, right))


def equal(left: Any, right: Any) -> Pair:
    """``left == right`` of scalars of one type."""
    return TRUE if left == right else measured(False, to_equal(left, right))


def contains(whole: Any, part: Any) -> Pair:
    """``part in whole`` of texts or bytes."""
    return TRUE if part in whole else measured(False, text_distances.containment(part, whole))


def starts(whole: Any, beginning: Any) -> Pair:
    """``whole.startswith(beginning)``."""
    return TRUE if whole.startswith(beginning) else measured(False, text_distances.prefix(whole, beginning))


def ends(whole: Any, end: Any) -> Pair:
    """``whole.endswith(end)``."""
    return TRUE if whole.endswith(end) else measured(False, text_distances.suffix(whole, end))
