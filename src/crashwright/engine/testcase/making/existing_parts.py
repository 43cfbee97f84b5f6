"""Parts of what a test has already: the word of a line that an object was fed with, the key or value of a record. What is asked
for later is mostly one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from crashwright.engine.subject.api.types import ClassHint, Hint, is_any
from crashwright.engine.testcase.definitions.source import name_of
from crashwright.engine.testcase.statements import Definition, Display, FileFixture, Literal, Statement, Value

LONGEST, MOST = 600, 60
"""Characters of a text that are looked at, and parts of a value."""
_TEXT = ClassHint(str)
_NAMED = 0.3
_WORD = re.compile(r"[\w.-]+")
_QUOTES = "\"'`()[]{}<>,;"


def existing_part_for(statements: Sequence[Statement], hint: Hint, share: float, rng: Random) -> str | int | None:
    """In ``share`` of the cases such a part, where the hint asks for a text or for nothing."""
    if not statements or rng.random() >= share or not (is_any(hint) or hint == _TEXT):
        return None
    part = existing_part(statements, rng)
    return part if is_any(hint) or type(part) is str else None


def existing_name(statements: Sequence[Statement], rng: Random) -> str | None:
    """Now and then the name of something that the test defines: what is registered is asked for by it."""
    for statement in reversed(statements):
        if type(statement) is Definition:
            return name_of(statement.source) if rng.random() < _NAMED else None
    return None


def existing_part(statements: Sequence[Statement], rng: Random) -> str | int | None:
    """A part of one of the literals (or of the text of a file); None where the one that is drawn has none."""
    wholes: list[Value] = [
        one.value if isinstance(one, Literal) else one.content for one in statements if isinstance(one, Literal | FileFixture)
    ]
    if not wholes:
        return None
    parts = list(dict.fromkeys(parts_of(wholes[int(rng.random() * len(wholes))])))[:MOST]
    return parts[int(rng.random() * len(parts))] if parts else None


def parts_of(whole: object) -> Iterator[str | int]:
    """Its words, or the scalars in it and their words."""
    waiting = [whole]
    while waiting:
        value = waiting.pop(0)
        if type(value) is str:
            if value is not whole:
                yield value
            words = [word.strip(_QUOTES) for word in value[:LONGEST].split()]
            yield from (word for word in (*words, *_WORD.findall(value, 0, LONGEST)) if word != value)
        elif type(value) is int and value is not whole:
            yield value
        elif type(value) is Display:
            waiting += [part for item in value.items for part in (item if type(item) is tuple else (item,))]
