"""Python source in colours: lines of pieces, which the templates escape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pygments.lexers.python import PythonLexer
from pygments.token import Token

_CLASSES = (
    (Token.Comment, "comment"),
    (Token.Literal.String.Doc, "comment"),
    (Token.Literal.String, "string"),
    (Token.Literal.Number, "number"),
    (Token.Keyword, "keyword"),
    (Token.Operator.Word, "keyword"),
    (Token.Name.Function, "name"),
    (Token.Name.Class, "name"),
)


class ColouredPiece(NamedTuple):
    """``kind`` is "" for what has no colour."""

    kind: str
    text: str


class SourceLine(NamedTuple):
    """A line with its number."""

    number: int
    pieces: tuple[ColouredPiece, ...]


def source_lines(text: str, first: int = 1) -> list[SourceLine]:
    """The lines of ``text``, counted from ``first``."""
    lines: list[list[ColouredPiece]] = [[]]
    for kind, part in _tokens(text):
        for number, piece in enumerate(part.split("\n")):
            if number:
                lines.append([])
            if piece:
                lines[-1].append(ColouredPiece(kind, piece))
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return [SourceLine(first + number, tuple(pieces)) for number, pieces in enumerate(lines)]


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for token, part in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text):
        yield next((name for kind, name in _CLASSES if token in kind), ""), part
