"""Samples of Python that have the kinds of syntax that code is about.

What walks syntax trees has a method for each kind of node (``visit_Try``), asks for other kinds within it, and a message names the
one that it does not know (``'Call' object has no attribute 'id'``). All of these in one small program is what such code crashes at;
a program that has them by chance is rare.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crashwright.engine.testcase.samples.python_code import BLOCKS, EXPRESSIONS, PLACES, STATEMENTS

MOST = 48
_ANYWHERE = frozenset({"Module", "Expression", "Interactive", "FunctionType", "Expr", "Load", "Store", "Del", "Name", "Pass"})
"""In nearly every program."""
KINDS = {
    name.lower(): name
    for name, value in vars(ast).items()
    if isinstance(value, type) and issubclass(value, ast.AST) and value._fields and name not in _ANYWHERE
}
_PART = re.compile(r"[A-Za-z]+")
_HOLE = "%s"


class SyntaxPiece(NamedTuple):
    """``size`` is the number of nodes."""

    text: str
    kinds: frozenset[str]
    size: int


def kinds_read(functions: Sequence[ast.AST], said: Sequence[str] = (), beside: Sequence[ast.AST] = ()) -> dict[str, int]:
    """Kinds of nodes by how much says that these ``functions`` are about them: their own names, the classes that they name, and the
    words of a message, which are what makes a crash. What they call (``beside``) says less."""
    found: dict[str, int] = {}
    for function, own in (*((one, 3) for one in functions), *((one, 1) for one in beside)):
        name = function.name if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) else ""
        for part in _PART.findall(name):
            _note(found, KINDS.get(part.lower()), own)
        for node in ast.walk(function):
            named = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            _note(found, named if KINDS.get(named.lower()) == named else None, 1)
    for word in said:
        _note(found, word if KINDS.get(word.lower()) == word else None, 3)
    return found


def _note(found: dict[str, int], kind: str | None, weight: int) -> None:
    if kind is not None:
        found[kind] = max(found.get(kind, 0), weight)


def programs_with(kinds: dict[str, int]) -> list[str]:
    """The programs that have most of these, smaller ones first: statements in blocks, and expressions in all places for one."""
    if not kinds:
        return []
    ranked = sorted(_pieces(frozenset(kinds)), key=lambda piece: (-sum(kinds[one] for one in piece.kinds), piece.size, piece.text))
    texts = dict.fromkeys(piece.text for piece in ranked if piece.kinds)
    return list(itertools.islice(filter(_is_read, texts), MOST))  # no more are parsed than are wanted


def _pieces(wanted: frozenset[str]) -> Iterator[SyntaxPiece]:
    statements = _known(STATEMENTS, wanted)
    expressions = _known(EXPRESSIONS, wanted)
    blocks, places = (_known(forms, wanted, inner) for forms, inner in ((BLOCKS, "pass"), (PLACES, "alpha")))
    for outside, inside in ((blocks, (*statements, *expressions)), (places, expressions)):
        for outer, inner in itertools.product(outside, inside):
            yield SyntaxPiece(outer.text.replace(_HOLE, inner.text) + "\n", outer.kinds | inner.kinds, outer.size + inner.size)


def _known(texts: Sequence[str], wanted: frozenset[str], inner: str = "") -> list[SyntaxPiece]:
    """What of ``wanted`` is in each, where this Python reads it at all."""
    found: list[SyntaxPiece] = []
    for text in texts:
        try:
            nodes = [type(node).__name__ for node in ast.walk(ast.parse(text.replace(_HOLE, inner) if inner else text))]
        except SyntaxError:
            continue
        found.append(SyntaxPiece(text, wanted.intersection(nodes), len(nodes)))
    return found


def _is_read(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
