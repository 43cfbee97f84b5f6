"""Nodes of syntax trees as arguments: parsed from a text, and reached by fields, as whoever has one got it. What a constructor
makes lacks fields and places in the source, and no code that walks trees gets far with it."""

from __future__ import annotations

from random import Random

from crashwright.engine.subject.usage.node_classes import PARSE, Home, Step, home_of, is_whole, paths_to
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.samples.choosing import with_words
from crashwright.engine.testcase.samples.python_code import BLOCKS, EXPRESSIONS, STATEMENTS
from crashwright.engine.testcase.statements import (
    Arguments,
    CallValue,
    GetAttribute,
    GetItem,
    Named,
    Reference,
    Statement,
    Variable,
)

MOST_TRIES = 24
"""Texts that are parsed until one has such a node."""
_OWN, _NAMED, _FAR = 0.6, 0.5, 0.3


class ParsedNodes:
    """Remembers for each class the texts that have such nodes."""

    def __init__(self) -> None:
        self._known: dict[type, list[str]] = {}

    def make(self, builder: StatementBuilder, statements: list[Statement], cls: type, rng: Random) -> Variable | None:
        """Appends what makes a node of ``cls``; None where nothing parses to such."""
        home = home_of(cls)
        if home is None:
            return None
        for _ in range(MOST_TRIES):
            source = self._source(builder, cls, rng)
            paths = _paths(home, source, cls)
            if paths:
                known = self._known.setdefault(cls, [])
                if source not in known:
                    known.append(source)
                path = paths[int(rng.random() * len(paths))] if rng.random() < _FAR else paths[0]
                return _appended(builder, statements, home, source, path)
        return None

    def _source(self, builder: StatementBuilder, cls: type, rng: Random) -> str:
        """A text of the subject's formats, or of all kinds of statements, with its words or with others."""
        known, samples = self._known.get(cls, ()), builder.pool.samples
        if known and rng.random() < _OWN:
            source = known[int(rng.random() * len(known))]
        elif samples and rng.random() < _OWN:
            source = samples[int(rng.random() * rng.random() * len(samples))]
        else:
            inner = (STATEMENTS, EXPRESSIONS)[rng.random() < _NAMED]
            source = inner[int(rng.random() * len(inner))]
            if rng.random() < _NAMED:
                source = BLOCKS[int(rng.random() * len(BLOCKS))].replace("%s", source)
        words = [token for token in builder.pool.tokens[:200] if token.isidentifier()]
        return with_words(source, words, rng) if words and rng.random() < _NAMED else source


def _paths(home: Home, source: str, cls: type) -> list[tuple[Step, ...]]:
    try:
        tree = home.parse(source)
    except Exception:  # noqa: BLE001 - a parser of somebody else's may raise anything for a text that is not in its language
        return []
    return [()] if is_whole(cls) else [path for path in paths_to(tree, cls) if path]


def _appended(builder: StatementBuilder, statements: list[Statement], home: Home, source: str, path: tuple[Step, ...]) -> Variable:
    content = builder.literal(statements, source)
    parse, made = builder.new(), builder.new()
    statements.append(Reference(parse, Named(home.module, PARSE, home.parse)))
    statements.append(CallValue(made, parse, Arguments((content,))))
    for step in path:
        before = made
        if type(step) is str:
            made = builder.new()
            statements.append(GetAttribute(made, before, step))
        else:
            place, made = builder.literal(statements, step), builder.new()
            statements.append(GetItem(made, before, place))
    return made
