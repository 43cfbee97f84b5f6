"""Texts that the regular expressions match which stand in the code of an operation: what has a grammar of its own is refused in any
other form.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from random import Random

from crashwright.engine.subject.introspection import loaded_dict, loaded_names
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.making.matching_text import matching_text

MOST_PATTERNS, EACH, DRAWN = 6, 2, 8
"""Expressions, texts of each, and how many are drawn for these."""
_LONGEST = 60
_APPLIED = frozenset({"compile", "match", "fullmatch", "search", "findall", "finditer"})
_BLANKS = re.compile(r"\s+")


def pattern_words(trees: Sequence[ast.AST], package: str) -> tuple[str, ...]:
    """Of those that are written there, and of those that modules of the ``package`` have under names that are used there: the short
    texts first."""
    found = dict.fromkeys((*_written(trees), *_named(trees, package)))
    return tuple(dict.fromkeys(text for pattern, flags in list(found)[:MOST_PATTERNS] for text in _texts(pattern, flags)))


def _written(trees: Sequence[ast.AST]) -> Iterator[tuple[str, int]]:
    for node in (one for tree in trees for one in walk(tree)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=name), args=[ast.Constant(value=str(text)), *_]):
                if name in _APPLIED:
                    yield text, 0


def _named(trees: Sequence[ast.AST], package: str) -> Iterator[tuple[str, int]]:
    names = {node.id for tree in trees for node in walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for tree in trees for node in walk(tree) if isinstance(node, ast.Attribute)}
    for module in loaded_names(package):
        for name, live in loaded_dict(module).items():
            if name in names and type(live) is re.Pattern and type(live.pattern) is str:
                yield live.pattern, live.flags


def _texts(pattern: str, flags: int) -> list[str]:
    drawn = [matching_text(pattern, Random(seed), flags) for seed in range(DRAWN)]
    plain = {_BLANKS.sub(" ", text) for text in drawn if text}
    return [
        text for text in sorted(plain, key=lambda one: (len(one), one)) if len(text) <= _LONGEST and _matches(pattern, flags, text)
    ][:EACH]


def _matches(pattern: str, flags: int, text: str) -> bool:
    try:
        return re.search(pattern, text, flags) is not None
    except (re.error, RecursionError):
        return False
