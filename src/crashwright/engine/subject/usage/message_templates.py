"""What a message was put together of: where the code writes it as a template (an f-string, ``%``, ``format``, a sum of texts), the
parts that it left open can be read off the message of the report, though they stand in no quotes there.

# Deviation: not in the papers. Java's messages are the same texts; here the template is in the source that the report names.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crashwright.engine.subject.walking import nodes_of

MOST = 8
"""Values of a message."""
LONGEST = 2000
_LETTERS = 3
"""As many letters of a template are fixed, or it would fit anything."""
_HOLE = None
_PERCENT = re.compile(r"%(?:\([^)]*\))?[-+ #0]*[\d*]*(?:\.[\d*]+)?[a-zA-Z]")
Template = list[str | None]
"""Fixed texts, and None for what is left open."""


class Filled(NamedTuple):
    """A template, and what a message has in its open places."""

    template: tuple[str | None, ...] = ()
    values: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[str, ...]:
        """The values without quotes, each once, empty ones left out."""
        return tuple(dict.fromkeys(one for one in map(_bare, self.values) if one.strip()))[:MOST]

    def otherwise(self, message: str) -> list[tuple[str, str]]:
        """Where ``message`` fits the template too: what it has in the place of another value, and that value."""
        values = _filled(self.template, message[:LONGEST]) or []
        return [(_bare(one), _bare(other)) for one, other in zip(values, self.values, strict=False) if one != other]


NOT_FILLED = Filled()


def filled_in(nodes: Iterable[ast.AST], message: str) -> Filled:
    """The longest of the templates among ``nodes`` that ``message`` fits; :data:`NOT_FILLED` where there is none."""
    found = (
        Filled(tuple(template), tuple(values))
        for template in templates_in(nodes)
        for values in (_filled(template, message[:LONGEST]),)
        if values is not None
    )
    return max(found, key=lambda one: sum(len(piece) for piece in one.template if piece is not _HOLE), default=NOT_FILLED)


def _bare(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value


_COMPOSED = (ast.JoinedStr, ast.BinOp, ast.Call)


def templates_in(nodes: Iterable[ast.AST]) -> Iterator[Template]:
    """Those that fix some letters and leave something open."""
    for node in nodes:
        for part in nodes_of(node):
            # A constant alone leaves nothing open.
            template = _merged(_template(part)) if isinstance(part, _COMPOSED) else []
            fixed = "".join(piece for piece in template if piece is not _HOLE)
            if _HOLE in template and sum(map(str.isalpha, fixed)) >= _LETTERS:
                yield template


def _template(node: ast.expr) -> Template:
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return [piece for part in parts for piece in (_template(part) if isinstance(part, ast.Constant) else [_HOLE])]
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str(text))):
            return _split(_PERCENT.split(text.replace("%%", "\0")), "\0", "%")
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return _formatted(text)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return [*(_template(left) or [_HOLE]), *(_template(right) or [_HOLE])]
    return []


def _split(texts: list[str], stand_in: str, meant: str) -> Template:
    found: Template = []
    for text in texts:
        found += [_HOLE, text.replace(stand_in, meant)]
    return found[1:]


def _formatted(text: str) -> Template:
    try:
        return [
            piece for fixed, name, *_ in string.Formatter().parse(text) for piece in (fixed, *([_HOLE] if name is not None else []))
        ]
    except ValueError:
        return []  # not a template that anything could be written with


def _merged(template: Template) -> Template:
    """With no two fixed texts side by side, and no two holes: nothing tells where one ends."""
    found: Template = []
    for piece in template:
        if piece == "":
            continue
        last = found[-1] if found else ""
        if piece is _HOLE and found and last is _HOLE:
            continue
        if piece is not _HOLE and found and last is not _HOLE:
            found[-1] = f"{last}{piece}"
        else:
            found.append(piece)
    return found


def _filled(template: Sequence[str | None], text: str) -> list[str] | None:
    """What the open parts are in ``text``, each as short as may be; None where the template does not fit."""
    values: list[str] = []
    place, is_open = 0, False
    for number, piece in enumerate(template):
        if piece is _HOLE:
            is_open = True
            continue
        last = number == len(template) - 1
        found = len(text) - len(piece) if last and is_open and text.endswith(piece) else text.find(piece, place)
        if found < place or (not is_open and found != place):
            return None
        if is_open:
            values.append(text[place:found])
        place, is_open = found + len(piece), False
    if is_open:
        values.append(text[place:].partition("\n")[0])
        return values
    return values if place == len(text) or text[place] == "\n" else None
