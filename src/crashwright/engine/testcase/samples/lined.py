"""Texts of lines that code takes apart by splitting them (``subject.usage.shapes``): whole ones first, then each with one part
otherwise or fewer parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from crashwright.engine.subject.usage.shapes import Plain, Shape, Split

MOST_RECORDS = 3
MOST_TEXTS = 40
"""Of each record."""
_DEPTH = 3
_PLAIN = "text"
"""Said of what is used as a text, whatever else it is."""
_OTHERWISE = ("", "0", _PLAIN, "-1", "1.5", "2020-01-02")
Known = Callable[[str], Sequence[Plain]]
"""What a callable of this name takes, where that is known."""


def usual(shape: Shape, known: Known) -> list[Plain]:
    """What a value of that shape may be, what it has to look like first."""
    values = [*shape.values, *(value for name in shape.names for value in known(name))]
    return sorted(values, key=lambda value: value == _PLAIN)


def is_split(shape: Shape) -> bool:
    """Whether it is a text that is taken apart."""
    return bool(shape.splits or shape.kinds)


def plain_line(shape: Shape, known: Known, depth: int = 0) -> str:
    """The first of its lines, whole."""
    return next(_lines(shape, known, (), depth))


def spellings(shape: Shape, known: Known) -> Iterator[str]:
    """What it may be, the whole lines of one that is taken apart first."""
    yield from (islice(_lines(shape, known, (), 0), MOST_TEXTS) if is_split(shape) else map(str, usual(shape, known)))


def line_texts(records: Sequence[Shape], known: Known, said: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Lines that belong together: one of each kind, then with another one after them. ``said`` are words that the report says:
    each may stand in any place."""
    for record in [one for one in records if is_split(one)][:MOST_RECORDS]:
        kinds = [*record.kinds.items(), ("", record)] if record.splits else list(record.kinds.items())
        whole = tuple(prefix + plain_line(kind, known) for prefix, kind in kinds)
        others = (prefix + line for prefix, kind in reversed(kinds) for line in _lines(kind, known, said, 0))
        yield whole
        for other in islice(dict.fromkeys(others), MOST_TEXTS):
            yield (*whole, other)
            if len(whole) == 1:
                yield (other,)


def _lines(shape: Shape, known: Known, said: Sequence[str], depth: int) -> Iterator[str]:
    """Of one kind, the whole one first."""
    if depth > _DEPTH or not shape.splits:
        yield from (str(value) for value in usual(shape, known) or (_PLAIN,))
        return
    for mark, split in shape.splits.items():
        whole = [_part(part, known, depth) for part in split.parts]
        for parts in _varied(split, whole, known, said):
            yield mark.join(parts)


def _part(shape: Shape, known: Known, depth: int) -> str:
    return plain_line(shape, known, depth + 1)


def _varied(split: Split, whole: list[str], known: Known, said: Sequence[str]) -> Iterator[list[str]]:
    yield whole
    for count in range(len(whole) - 1, 0, -1):
        if count >= split.least:
            yield whole[:count]
    told = [(place, word) for word in said for place in range(len(whole))]
    usuals = [(place, str(value)) for place, part in enumerate(split.parts) for value in usual(part, known)[1:]]
    others = [(place, value) for value in _OTHERWISE for place in range(len(whole))]
    for place, value in (*told, *usuals, *others):
        yield [*whole[:place], value, *whole[place + 1 :]]
    yield whole[: max(1, split.least - 1)]
