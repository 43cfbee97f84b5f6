"""Crossover of texts: tests exchange a unit of their texts or bytes, where a cut between statements exchanges whole ones."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import cast

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.structure.restructuring import exchanged
from crashwright.engine.testcase.testcase import TestCase

_SHORTEST = 2
"""Characters from which on a text has parts."""


def exchange_texts(one: TestCase, other: TestCase, rng: Random) -> tuple[TestCase, TestCase] | None:
    """None where they have no texts of one type."""
    mine, others = list(_texts(one)), list(_texts(other))
    if not mine or not others:
        return None
    index, text = mine[int(rng.random() * len(mine))]
    fitting = [(place, found) for place, found in others if type(found) is type(text)]
    if not fitting:
        return None
    place, found = fitting[int(rng.random() * len(fitting))]
    first, second = exchanged(rng, _characters(text), _characters(found))
    return _with(one, index, _like(text, first)), _with(other, place, _like(text, second))


def _texts(test: TestCase) -> Iterator[tuple[int, str | bytes]]:
    for index, statement in enumerate(test.statements):
        kind = type(statement)
        held = statement[1] if kind is st.Literal else statement.content if kind is st.FileFixture else None  # type: ignore[union-attr]
        if (type(held) is str or type(held) is bytes) and len(held) >= _SHORTEST:
            yield index, held


def _characters(text: str | bytes) -> str:
    return text.decode("latin-1") if type(text) is bytes else cast(str, text)


def _like(text: str | bytes, characters: str) -> str | bytes:
    return characters.encode("latin-1") if type(text) is bytes else characters


def _with(test: TestCase, index: int, text: str | bytes) -> TestCase:
    statement = test.statements[index]
    changed: Statement
    if type(statement) is st.FileFixture:
        changed = statement._replace(content=text)
    else:
        changed = st.Literal(statement[0], text)
    return TestCase((*test.statements[:index], changed, *test.statements[index + 1 :]))
