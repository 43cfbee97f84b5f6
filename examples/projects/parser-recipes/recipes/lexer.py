"""Lines of a recipe as tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

_AMOUNT = re.compile(r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>g|kg|ml|l|tsp|tbsp)?\b\s*")


class Token(NamedTuple):
    kind: str
    text: str
    number: float = 0.0


def tokens(source: str) -> list[Token]:
    """``# Title``, ``- 200 g flour`` (an ingredient), ``> Stir.`` (a step), anything else is a note."""
    found = []
    for line in source.splitlines():
        line = line.strip()
        if line.startswith("#"):
            found.append(Token("title", line[1:].strip()))
        elif line.startswith("-"):
            amount = _AMOUNT.match(line[1:].strip())
            number = float(amount["number"].replace(",", ".")) if amount else 0.0
            rest = line[1:].strip()[amount.end() :] if amount else line[1:].strip()
            found.append(Token("ingredient", rest, number))
        elif line.startswith(">"):
            found.append(Token("step", line[1:].strip()))
        elif line:
            found.append(Token("note", line))
    return found
