"""The vocabulary of a hand-written parser, from its source: the characters and strings that it compares its text with, splits on,
or looks for, and the kinds of characters that it asks for (after PANINI, which infers grammars from such comparisons)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from crashwright.engine.subject.walking import nodes_of

MOST = 64
"""Strings of a vocabulary, those of the functions that come first before others."""
LONGEST = 12
"""Characters of a string in it; what is longer is a message, or a word of prose."""
_ASKING = frozenset(
    """startswith endswith split rsplit partition rpartition find rfind index rindex count strip lstrip rstrip removeprefix
    removesuffix replace""".split()
)
_OF_CODES = re.compile(r"char|byte|octet|ord$|code$|codes$|^c$|^ch$", re.IGNORECASE)
"""Names in functions that compare codes of characters."""
_KINDS = {
    "isdigit": "0123456789",
    "isnumeric": "0123456789",
    "isdecimal": "0123456789",
    "isalpha": "abcxyzABC",
    "isalnum": "abc012XYZ",
    "isidentifier": "abc_",
    "isspace": " \n\t",
    "isupper": "ABC",
    "islower": "abc",
    "splitlines": "\n",
}


class Vocabulary(NamedTuple):
    """``kinds`` are characters of the kinds that are asked for."""

    strings: tuple[str, ...]
    kinds: tuple[str, ...]


def vocabulary_of(functions: Iterable[ast.AST]) -> Vocabulary:
    """What the functions compare text with."""
    return merged(_said(function) for function in functions)


def merged(vocabularies: Iterable[Vocabulary]) -> Vocabulary:
    """Several as one, of which the first count most."""
    strings: dict[str, None] = {}
    kinds: dict[str, None] = {}
    for vocabulary in vocabularies:
        strings.update(dict.fromkeys(vocabulary.strings))
        kinds.update(dict.fromkeys(vocabulary.kinds))
    return Vocabulary(tuple(islice(strings, MOST)), tuple(kinds))


def _said(function: ast.AST) -> Vocabulary:
    strings: list[str] = []
    kinds: list[str] = []
    for node in nodes_of(function):
        if isinstance(node, ast.Compare):
            strings.extend(_compared(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in _KINDS:
                kinds.append(_KINDS[node.func.attr])
            elif node.func.attr in _ASKING and node.args:
                strings.extend(_texts(node.args[0]))
        elif isinstance(node, ast.MatchValue):
            strings.extend(_texts(node.value))
    if any(_OF_CODES.search(name) for name in _names(function)):
        strings.extend(_characters(function))
    return Vocabulary(tuple([text for text in strings if 0 < len(text) <= LONGEST]), tuple(kinds))


def _names(function: ast.AST) -> Iterator[str]:
    for node in nodes_of(function):
        if isinstance(node, ast.Name | ast.arg):
            yield node.id if isinstance(node, ast.Name) else node.arg
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _characters(function: ast.AST) -> Iterator[str]:
    """Those whose codes something is compared with."""
    for node in nodes_of(function):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            for side in (node.left, *node.comparators):
                for part in side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else (side,):
                    if isinstance(part, ast.Constant) and type(part.value) is int and 32 <= part.value < 127:
                        yield chr(part.value)


def _compared(comparison: ast.Compare) -> Iterator[str]:
    for operator, side in zip(comparison.ops, comparison.comparators, strict=True):
        within = isinstance(operator, ast.In | ast.NotIn)
        for text in _texts(side):
            yield from text if within and isinstance(side, ast.Constant) else (text,)
    yield from _texts(comparison.left)


def _texts(node: ast.expr) -> Iterator[str]:
    """Of a constant or a display of constants; bytes by their characters."""
    for part in node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else (node,):
        if isinstance(part, ast.Constant):
            if type(part.value) is str:
                yield part.value
            elif type(part.value) is bytes:
                yield part.value.decode("latin-1")
