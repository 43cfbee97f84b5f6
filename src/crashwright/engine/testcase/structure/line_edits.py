"""Edits of texts of lines whose kinds are known: a line comes, goes, moves or is replaced, and a word of one line is said in
another. The lines themselves stay as they are, so that each is still told for what it is.

Total functions: of any text a text; the same random numbers give the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

_WORD = re.compile(r"[\w.-]+")
_INSERT, _REPLACE, _SAY, _DROP, _MOVE = 0.4, 0.6, 0.75, 0.87, 0.95
"""Shares, one on the other; else a line is doubled."""
_OTHER_WORDS = 0.3
_WORDS = ("0", "1", "2", "a", "b", "")


def edited_lines(rng: Random, text: str, kinds: Sequence[str]) -> str:
    """One edit. Raises IndexError where there are no ``kinds``."""
    lines = text.split("\n")
    end = lines.pop() if len(lines) > 1 else None
    place = int(rng.random() * len(lines))
    roll = rng.random()
    if roll < _INSERT:
        lines.insert(int(rng.random() * (len(lines) + 1)), _one(rng, kinds))
    elif roll < _REPLACE:
        lines[place] = _one(rng, kinds)
    elif roll < _SAY:
        lines[place] = _said(rng, lines[place], _one(rng, (*lines, *kinds)))
    elif roll < _DROP:
        del lines[place]
    elif roll < _MOVE:
        lines.insert(int(rng.random() * len(lines)), lines.pop(place))
    else:
        lines.insert(place, lines[place])
    return "\n".join(lines if end is None else (*lines, end))


def _one(rng: Random, lines: Sequence[str]) -> str:
    return lines[int(rng.random() * len(lines))]


def _said(rng: Random, line: str, other: str) -> str:
    """A word of ``other``, or a short one, in the place of one of ``line``."""
    places, words = list(_WORD.finditer(line)), _WORD.findall(other) if rng.random() >= _OTHER_WORDS else _WORDS
    if not places or not words:
        return line
    place = places[int(rng.random() * len(places))]
    return line[: place.start()] + _one(rng, words) + line[place.end() :]
