"""What the code wants of one value: one tree, whoever has learnt it, with the line of source behind each fact.

A want is built once and never changed. ``types`` may contradict each other, since code that takes a text or a list of texts wants
both; their weights order them, and mean nothing beside those of another want.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from crashwright.engine.subject.api.types import Hint


class Origin(NamedTuple):
    """Where a fact is from: a line of source."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class Fact(NamedTuple):
    """One thing that is known, in words, such as "has .name" or "is compared with 'json'". ``kind`` groups facts: type, attribute,
    key, item, literal, text, call, use, name."""

    kind: str
    text: str
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Want:
    """``types`` with their weights, the likeliest first. ``attributes``, ``keys`` (also positions) and ``items`` are wants again.
    ``literals`` are what it is compared with or looked up among. ``arities``: with how many arguments it is called; ``result`` is
    what is wanted of what it returns. ``optional``: the code asks whether it is there."""

    types: tuple[tuple[Hint, float], ...] = ()
    literals: tuple[object, ...] = ()
    attributes: tuple[tuple[str, Want], ...] = ()
    keys: tuple[tuple[str | int, Want], ...] = ()
    items: Want | None = None
    arities: tuple[int, ...] = ()
    result: Want | None = None
    texts: tuple[tuple[str, str], ...] = ()
    """What is known of a text: (split, ","), (prefix, "#"), (format, "%Y"), (regex, "a+"), (parser, "json.loads")."""
    optional: bool = False
    producers: tuple[str, ...] = ()
    """Addresses of callables whose results are passed here."""
    facts: tuple[Fact, ...] = field(default=())

    def __bool__(self) -> bool:
        return bool(self.types or self.literals or self.attributes or self.keys or self.items or self.arities or self.texts)

    def paths(self, prefix: str = "") -> Iterator[tuple[str, Want]]:
        """All wants in it with the way to them, as in ``["json"]["format"]`` and ``[].name``; its own first."""
        yield prefix, self
        for name, part in self.attributes:
            yield from part.paths(f"{prefix}.{name}")
        for key, part in self.keys:
            yield from part.paths(f"{prefix}[{key!r}]")
        if self.items is not None:
            yield from self.items.paths(f"{prefix}[]")
