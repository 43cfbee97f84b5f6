"""Texts of lines of the kinds that code tells apart (``subject.usage.line_kinds``): one alone, any two, a few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

MOST_PAIRS = 150
_LENGTHS = (3, 3, 3, 4, 4, 5, 6, 8)


def told_texts(kinds: Sequence[str], rng: Random) -> Iterator[str]:
    """All kinds in one text and each alone; then two of them and a few in turns. What code does with lines in the wrong order, or
    without what should be before them, is among the two."""
    if not kinds:
        return
    yield _text(kinds)
    yield from map(_text, ((kind,) for kind in kinds))
    pairs = list(product(kinds, repeat=2))
    for pair in rng.sample(pairs, min(MOST_PAIRS, len(pairs))):
        yield _text(pair)
        yield _text(rng.choices(kinds, k=rng.choice(_LENGTHS)))


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
