"""Tables of regular expressions that a hand-written tokenizer tries in turn: any number of tokens, in any order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crashwright.engine.subject.grammars.live_parts import HeldObject, entries, items, namespaces_of
from crashwright.engine.subject.grammars.text_grammar import Owner, Rules, Terminal, TextGrammar
from crashwright.engine.subject.introspection import instance_of

FEWEST, MOST = 3, 200
"""Expressions that make a table."""
_LOOKS_LIKE_ONE = re.compile(r"[\\\[(?*+|]")
_BOUND = type(re.compile("").match)
_TEXT, _TOKEN = "text", "token"
Row = tuple[str, Terminal]
"""An expression, with what a dictionary calls it."""


class PatternTables:
    """See ``registry.GrammarReader``."""

    def grammars(self, package: str, beside: Sequence[HeldObject] = ()) -> Iterator[TextGrammar]:  # noqa: ARG002
        """One for each table; those of a dictionary of tables belong together."""
        seen: set[int] = set()
        for space in namespaces_of(package):
            for value in list(space.names.values()):
                if id(value) in seen or not (type(value) is dict or type(value) is list or type(value) is tuple):
                    continue
                seen.add(id(value))
                found = _table(value) or [one for part in entries(value).values() for one in _table(part)]
                if FEWEST <= len(found) <= MOST:
                    yield _grammar(found, space.module)


def _table(value: object) -> list[Row]:
    """The expressions of a list or dictionary of them; none where it is something else."""
    rows = [([key, one], key) for key, one in entries(value).items()] or [(items(one) or [one], "") for one in items(value)]
    found = [(key if type(key) is str else "", one) for row, key in rows if (one := _expression(row)) is not None]
    compiled = sum(one.flags != 0 for _, one in found)
    telling = sum(_LOOKS_LIKE_ONE.search(one.pattern or "") is not None for _, one in found)
    is_lexer = bool(items(value)) and telling >= len(found) / 2 and all(items(one) for one in items(value))
    return found if len(found) >= len(rows) / 2 and (compiled >= len(found) / 2 or is_lexer) else []


def _expression(row: list[object]) -> Terminal | None:
    """The one of a row: compiled, the method of one that matches, or, as the first of several, a text."""
    for one in row:
        bound = one.__self__ if type(one) is _BOUND else one  # type: ignore[attr-defined]
        if type(bound) is re.Pattern and type(bound.pattern) is str:
            return Terminal(pattern=bound.pattern, flags=bound.flags)
    if len(row) > 1:
        for one in row[:2]:
            if type(one) is str and one and _LOOKS_LIKE_ONE.search(one):
                return Terminal(pattern=one)
        if type(row[0]) is str and row[0] and not any(instance_of(one, str) for one in row[1:]):
            return Terminal(pattern=row[0])
    return None


def _grammar(table: list[Row], module: str) -> TextGrammar:
    rules = Rules()
    for name, terminal in table:
        rules.add(_TOKEN, [terminal], [Owner("", name)] if name.isidentifier() else [])
    rules.repeated(_TOKEN, 1, _TEXT)
    return rules.grammar([_TEXT], "", [module])._replace(is_loose=True)
