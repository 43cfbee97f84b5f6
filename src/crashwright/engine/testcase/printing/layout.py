"""Documents: expressions that know how to be written on one line and how to be broken over several, as Black breaks them."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

INDENT = "    "


class Level(IntEnum):
    """How tightly an expression binds; an operand of a lower level needs parentheses."""

    LAMBDA = 0
    NOT = 1
    COMPARISON = 2
    BIT_OR = 3
    BIT_XOR = 4
    BIT_AND = 5
    SHIFT = 6
    SUM = 7
    PRODUCT = 8
    UNARY = 9
    POWER = 10
    AWAIT = 11
    NUMBER = 12
    ATOM = 13


class Doc(NamedTuple):
    """``flat`` on one line. Where there are ``items`` it can be broken between ``head`` (which ends in a bracket) and
    ``tail``; where there are ``pieces`` it is a string that can be written as several, one below the other, after ``head``."""

    flat: str
    level: Level = Level.ATOM
    head: str = ""
    items: tuple[Doc, ...] = ()
    tail: str = ""
    pieces: tuple[str, ...] = ()


def group(head: str, items: tuple[Doc, ...], tail: str, one_tuple: bool = False, level: Level = Level.ATOM) -> Doc:
    """``head item, item tail``; ``one_tuple`` keeps the comma after a single item."""
    inside = ", ".join([item.flat for item in items])
    comma = "," if one_tuple and len(items) == 1 else ""
    return Doc(f"{head}{inside}{comma}{tail}", level, head, items, comma + tail)


def prefixed(prefix: str, doc: Doc) -> Doc:
    """``name=doc`` or ``key: doc`` as an item."""
    return doc._replace(flat=prefix + doc.flat, head=prefix + doc.head, level=Level.LAMBDA)


def at_least(doc: Doc, level: Level) -> Doc:
    """In parentheses where it binds less tightly than ``level``."""
    return doc if doc.level >= level else Doc(f"({doc.flat})")


def lay_out(doc: Doc, width: int, prefix: str = "", suffix: str = "") -> list[str]:
    """Lines of at most ``width`` columns where that can be done. ``prefix`` is what comes before (``name = ``)."""
    line = f"{prefix}{doc.flat}{suffix}"
    if len(line) <= width:
        return [line]
    if doc.items:
        return [prefix + doc.head, *_inside(doc, width - len(INDENT)), doc.tail.removeprefix(",") + suffix]
    if prefix.endswith("= "):
        body = doc.pieces or (doc.flat,)
        if doc.pieces or len(doc.flat) <= width - len(INDENT):
            return [f"{prefix}(", *[INDENT + part for part in body], ")" + suffix]
        return [line]
    if doc.pieces:
        return [prefix + doc.head + doc.pieces[0], *doc.pieces[1:-1], doc.pieces[-1] + suffix]
    return [line]


def _is_display(doc: Doc) -> bool:
    """A list, set, dict or tuple, whose items Black never puts on a line of their own together."""
    return doc.head[-1:] in ("[", "{") or doc.head == "(" or doc.head[-2:] in (" (", "=(")


def _inside(doc: Doc, width: int) -> list[str]:
    """The items on one line of their own where they fit, else each on its own with a comma after the last."""
    joined = ", ".join([item.flat for item in doc.items])
    comma = "," if doc.tail.startswith(",") else ""
    if len(joined + comma) <= width and not comma and not (len(doc.items) > 1 and _is_display(doc)):
        return [INDENT + joined]
    comma = "," if len(doc.items) > 1 or comma else ""
    lines: list[str] = []
    for item in doc.items:
        last = item is doc.items[-1]
        lines.extend(INDENT + line for line in lay_out(item, width, suffix=comma if last else ","))
    return lines
