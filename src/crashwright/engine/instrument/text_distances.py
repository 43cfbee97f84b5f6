"""How far strings (and bytes) are from what a condition on them asks for. All for exact ``str`` or ``bytes``, and above 0.

A character costs its normalised code difference (below 1), a missing or superfluous one 1; only the part between the common
prefix and the common suffix counts, so an insertion in the middle costs no more than one at the end. Only the first
``CHARACTERS`` are looked at: distances are taken while the subject runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

CHARACTERS = 128
ALIGNMENTS = 64
REMEMBERED = 160

Text = str | bytes


def _codes(text: Text) -> Sequence[int]:
    return text[:CHARACTERS] if isinstance(text, bytes) else list(map(ord, text[:CHARACTERS]))


def _mismatch(left: Sequence[int], right: Sequence[int]) -> float:
    distance = 0.0
    for one, other in zip(left, right, strict=False):
        if one != other:
            difference = one - other if one > other else other - one
            distance += difference / (difference + 1.0)
    return distance


def difference(left: Text, right: Text) -> float:
    """To equality, of two unequal texts of one type."""
    if type(left) is str and len(left) <= REMEMBERED and len(right) <= REMEMBERED:
        return remembered_difference(left, right)
    return _difference(left, right)


def containment(part: Text, whole: Text) -> float:
    """To ``part in whole``, where it is not: the cheapest of the first places to put it."""
    if type(part) is str and len(part) <= REMEMBERED and len(whole) <= REMEMBERED:
        return remembered_containment(part, whole)
    return _containment(part, whole)


def _difference(left: Text, right: Text) -> float:
    first, second = _codes(left), _codes(right)
    shorter = min(len(first), len(second))
    start = 0
    while start < shorter and first[start] == second[start]:
        start += 1
    end = 0
    if len(left) <= CHARACTERS and len(right) <= CHARACTERS:
        while end < shorter - start and first[-1 - end] == second[-1 - end]:
            end += 1
    distance = abs(len(left) - len(right)) + _mismatch(first[start : len(first) - end], second[start : len(second) - end])
    return distance or 1.0


def separation(left: Text, right: Text) -> float:
    """Between two texts in lexicographic order: of the first differing characters, or of the lengths. 0 where they seem equal."""
    for one, other in zip(_codes(left), _codes(right), strict=False):
        if one != other:
            return float(abs(one - other))
    return float(abs(len(left) - len(right)))


def _containment(part: Text, whole: Text) -> float:
    wanted = len(part)
    if wanted > len(whole):
        return _difference(part, whole)
    inner, outer = _codes(part), _codes(whole)
    places = max(1, min(len(outer) - len(inner) + 1, ALIGNMENTS))
    return min(_mismatch(inner, outer[at : at + wanted]) for at in range(places)) or 1.0


# Subjects compare the same strings again and again. Only str: bytes of equal hash would be compared with them.
remembered_difference = lru_cache(maxsize=4096)(_difference)
remembered_containment = lru_cache(maxsize=4096)(_containment)


def prefix(text: Text, wanted: Text) -> float:
    """To ``text.startswith(wanted)``, where it does not."""
    return difference(text[: len(wanted)], wanted)


def suffix(text: Text, wanted: Text) -> float:
    """To ``text.endswith(wanted)``, where it does not."""
    return difference(text[-len(wanted) :] if wanted else text, wanted)


def failing_share(text: str, method: str) -> float:
    """To ``getattr(text, method)()``, where it is false: the share of characters that fail it; 1 for empty texts."""
    looked_at = text[:CHARACTERS]
    if not looked_at:
        return 1.0
    test = getattr(str, method)
    passing = sum(map(test, looked_at))
    return (len(looked_at) - passing) / len(looked_at) or 1.0 / len(looked_at)
