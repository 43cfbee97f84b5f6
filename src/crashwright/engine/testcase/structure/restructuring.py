"""Mutations of trees on texts: units are spliced, doubled, dropped, nested, exchanged, cut off, indented, emptied, or lose a mark
or an attribute, and subtrees are taken from another text (grammar-free, after Gopinath's and AFL's splicing of chunks).

Total functions: of any text they make a text, of at most ``LONGEST`` characters more; the same random numbers give the same.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from crashwright.engine.testcase.structure.attributes import attributes_edited
from crashwright.engine.testcase.structure.sequences import Donor, resequenced
from crashwright.engine.testcase.structure.units import Unit, units_of

LONGEST = 4096
"""Characters of a text that grows here; a longer one only shrinks."""
_SEQUENCES, _ATTRIBUTES = 0.35, 0.15
_TIMES = (1, 1, 1, 1, 2, 3, 8, 40)
_DEPTHS = (1, 1, 2, 3, 10, 100)
_INDENTS = (" ", "  ", "    ", "\t")
_AROUND = ",;:=|& \n"

_Edit = Callable[[Random, str, list[Unit], Donor], str]


def restructured(rng: Random, text: str, donor: Donor) -> str:
    """One edit of the structure that ``text`` has by itself."""
    if not text:
        return donor()[:LONGEST]
    roll = rng.random()
    if roll < _SEQUENCES:
        changed = resequenced(rng, text, donor)
    elif roll > 1 - _ATTRIBUTES and "<" in text:
        changed = attributes_edited(rng, text)
    else:
        units = units_of(rng, text)
        changed = _EDITS[int(rng.random() * len(_EDITS))](rng, text, units, donor)
    return changed if len(changed) <= LONGEST else changed[: max(LONGEST, len(text))]


def exchanged(rng: Random, one: str, other: str) -> tuple[str, str]:
    """Crossover of texts: a unit of each changes places with one of the other."""
    if not one or not other:
        return other, one
    first, second = _one_of(rng, units_of(rng, one)), _one_of(rng, units_of(rng, other))
    given, taken = one[first.start : first.end], other[second.start : second.end]
    return (
        (one[: first.start] + taken + one[first.end :])[: max(LONGEST, len(one))],
        (other[: second.start] + given + other[second.end :])[: max(LONGEST, len(other))],
    )


def _one_of(rng: Random, units: list[Unit]) -> Unit:
    return units[int(rng.random() * len(units))]


def _drop(rng: Random, text: str, units: list[Unit], donor: Donor) -> str:  # noqa: ARG001
    unit = _one_of(rng, units)
    return text[: unit.start] + text[unit.end :]


def _unwrap(rng: Random, text: str, units: list[Unit], donor: Donor) -> str:  # noqa: ARG001
    """Without its marks, or without one of them."""
    start, opens, closes, end = _one_of(rng, units)
    roll = rng.random()
    if roll < 0.4:
        return text[:start] + text[opens:closes] + text[end:]
    return text[:start] + text[opens:] if roll < 0.6 else text[:closes] + text[end:]


def _double(rng: Random, text: str, units: list[Unit], donor: Donor) -> str:  # noqa: ARG001
    """Behind itself, set off as it is from what comes before or after it."""
    unit = _one_of(rng, units)
    start, end = unit.start, unit.end
    between = ""
    if rng.random() < 0.5:
        between = text[end : end + 1] if text[end : end + 1] in _AROUND else text[start - 1 : start] if start else ""
        between = between if between in _AROUND else ""
    times = _TIMES[int(rng.random() * len(_TIMES))]
    return text[:end] + (between + text[start:end]) * times + text[end:]


def _nest(rng: Random, text: str, units: list[Unit], donor: Donor) -> str:  # noqa: ARG001
    """The unit within itself, once or deep: its marks are repeated around its inner part; or a unit goes into another."""
    start, opens, closes, end = _one_of(rng, units)
    if opens > start or closes < end:
        depth = _DEPTHS[int(rng.random() * len(_DEPTHS))]
        return text[:opens] + text[start:opens] * depth + text[opens:closes] + text[closes:end] * depth + text[closes:]
    inner = _one_of(rng, units)
    place = opens + int(rng.random() * (closes - opens + 1))
    return text[:place] + text[inner.start : inner.end] + text[place:]


def _put_into(rng: Random, text: str, units: list[Unit], donor: Donor) -> str:  # noqa: ARG001
    """A whole unit in place of the inner part of another, or of itself."""
    _, opens, closes, _ = _one_of(rng, units)
    given = _one_of(rng, units)
    return text[:opens] + text[given.start : given.end] + text[closes:]


def _exchange(rng: Random, text: str, units: list[Unit], donor: Donor) -> str:  # noqa: ARG001
    """Two units change places; of two that overlap one replaces the other."""
    one, other = _one_of(rng, units), _one_of(rng, units)
    for _ in range(3):
        if one.end <= other.start or other.end <= one.start:
            break
        other = _one_of(rng, units)
    if one.start > other.start:
        one, other = other, one
    if one.end > other.start:
        return text[: one.start] + text[other.start : other.end] + text[one.end :]
    middle = text[one.end : other.start]
    return text[: one.start] + text[other.start : other.end] + middle + text[one.start : one.end] + text[other.end :]


def _empty(rng: Random, text: str, units: list[Unit], donor: Donor) -> str:  # noqa: ARG001
    _, opens, closes, _ = _one_of(rng, units)
    return text[:opens] + text[closes:]


def _truncate(rng: Random, text: str, units: list[Unit], donor: Donor) -> str:  # noqa: ARG001
    """The text ends at the edge of a unit, or begins there."""
    unit = _one_of(rng, units)
    place = unit[int(rng.random() * 4)]
    return text[:place] if rng.random() < 0.75 else text[place:]


def _splice(rng: Random, text: str, units: list[Unit], donor: Donor) -> str:
    """A unit of another text in place of one, of its inner part, or behind it."""
    other = donor()
    if not other:
        return text
    given = _one_of(rng, units_of(rng, other))
    inner = other[given.opens : given.closes] if rng.random() < 0.3 else other[given.start : given.end]
    start, opens, closes, end = _one_of(rng, units)
    roll = rng.random()
    if roll < 0.4:
        return text[:start] + inner + text[end:]
    return text[:opens] + inner + text[closes:] if roll < 0.7 else text[:end] + inner + text[end:]


def _indent(rng: Random, text: str, units: list[Unit], donor: Donor) -> str:  # noqa: ARG001
    """All lines of a unit, deeper or less deep; within a line the unit moves away from its neighbour."""
    start, _, _, end = _one_of(rng, units)
    start = text.rfind("\n", 0, start) + 1 if "\n" in text[start : end - 1] else start
    step = _INDENTS[int(rng.random() * len(_INDENTS))]
    if rng.random() < 0.6:
        return text[:start] + step + text[start : end - 1].replace("\n", "\n" + step) + text[max(start, end - 1) :]
    less = text[start:end].replace("\n" + step, "\n")
    return text[:start] + (less[len(step) :] if less.startswith(step) else less) + text[end:]


_EDITS: tuple[_Edit, ...] = (
    *(_drop, _double, _double, _nest, _put_into, _exchange, _empty, _truncate, _splice, _splice, _unwrap, _indent),
)
