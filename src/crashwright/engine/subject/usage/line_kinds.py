"""The kinds of lines that code tells apart: by what they begin with, by the word that stands first, by the regular expressions that
they match. A small language of lines (a change log, a diff, a configuration, a build file) is all of these.

# Deviation: not in the papers. That a crash needs a line of one kind before, or without, one of another kind is no matter of
characters.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from crashwright.engine.subject.usage.usage import called_name
from crashwright.engine.subject.walking import nodes_of

MOST = 40
LONGEST = 24
"""Characters of a word that a line may begin with."""
MOST_NESTED = 16
_MOST_MATCHES, _TRIES = 2, 8
PLAIN = "text"
_READING = frozenset({"splitlines", "readlines", "readline"})
_DIVIDING = frozenset({"split", "rsplit", "partition", "rpartition"})
_NAMED = re.compile(r"(?:^|_)lines?(?:_|$)")
_ANY = (f"  {PLAIN}", PLAIN, "")
Matching = Callable[[str, int], str | None]
"""A text that a regular expression with such flags matches."""


def reads_lines(functions: Iterable[ast.AST]) -> bool:
    """Whether one of ``functions`` divides a text into lines, or goes through what is called so."""
    return any(_divides(node) for function in functions for node in nodes_of(function))


def line_kinds(
    functions: Sequence[ast.AST], patterns: Iterable[tuple[str, int]], lines: Iterable[str], matching: Matching
) -> tuple[str, ...]:
    """One line of each kind, in the order of the source, at most ``MOST``; none where nothing is divided into lines. ``patterns``
    are the regular expressions that ``functions`` use, with their flags; ``lines`` are known to be taken apart by them."""
    if not reads_lines(functions):
        return ()
    begun = [list(dict.fromkeys(_beginnings(function))) for function in functions]
    matched = (text for pattern, flags in patterns for text in _matches(pattern, flags, matching))
    found = dict.fromkeys(
        (
            *(line for beginnings in begun for beginning in beginnings for line in _begun(beginning)),
            *matched,
            *lines,
            *islice(_nested(begun, [list(_openings(function)) for function in functions]), MOST_NESTED),
            *_worded(functions),
        )
    )
    return (*islice(found, MOST), *(line for line in _ANY if line not in found)) if found else ()


def _divides(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        name = called_name(node)
        said = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
        return name in _READING or (name in _DIVIDING and type(said) is str and said == "\n")
    if isinstance(node, ast.For | ast.comprehension):
        return any(_NAMED.search(name) for name in _names(node.target, node.iter))
    return isinstance(node, ast.arg) and bool(_NAMED.search(node.arg))


def _names(*nodes: ast.expr) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _beginnings(function: ast.AST) -> Iterator[str]:
    """What texts are asked to begin with."""
    for node in nodes_of(function):
        if isinstance(node, ast.Call) and called_name(node) in ("startswith", "removeprefix") and node.args:
            yield from (text for text in _texts(node.args[0]) if text)
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Subscript) and _is_first(node.left.slice):
            within = isinstance(node.ops[0], ast.In | ast.NotIn)
            for text in (text for side in node.comparators for text in _texts(side) if text):
                yield from text if within and not text[0].isalnum() else (text,)


def _is_first(place: ast.expr) -> bool:
    """``[0]``, ``[:1]`` and their like."""
    if isinstance(place, ast.Slice):
        return place.lower is None and place.step is None
    return isinstance(place, ast.Constant) and place.value == 0


def _begun(beginning: str) -> tuple[str, str]:
    gap = " " if beginning[-1].isalnum() else ""
    return beginning + gap + PLAIN, beginning.rstrip()


def _matches(pattern: str, flags: int, matching: Matching) -> list[str]:
    """A few texts that it matches, the short ones."""
    made = (matching(pattern, flags) for _ in range(_TRIES))
    return sorted(dict.fromkeys(text for text in made if text and "\n" not in text), key=len)[:_MOST_MATCHES]


def _nested(begun: Sequence[Sequence[str]], opened: Sequence[Sequence[str]]) -> Iterator[str]:
    """What one function takes off a line may be asked by another what it begins with."""
    for place, outer in enumerate(begun):
        for inner in (*begun[:place], *begun[place + 1 :]):
            for one in (*outer, *opened[place]):
                yield from (one + _begun(other)[0] for other in inner if one not in inner and other not in outer)


def _openings(function: ast.AST) -> Iterator[str]:
    """Words that something is compared with, before a mark that texts are divided at there."""
    for mark in dict.fromkeys(_marks(function)):
        yield from (word + mark for word in dict.fromkeys(_words(function)))


def _worded(functions: Sequence[ast.AST]) -> Iterator[str]:
    """Words before any of the marks, and alone."""
    marks = list(dict.fromkeys(mark for function in functions for mark in _marks(function)))[:2] or [" "]
    for word in dict.fromkeys(word for function in functions for word in _words(function)):
        yield from (f"{word}{mark}{PLAIN}" for mark in marks)
        yield word


def _marks(function: ast.AST) -> Iterator[str]:
    for node in nodes_of(function):
        if isinstance(node, ast.Call) and called_name(node) in _DIVIDING:
            yield from ((text for text in _texts(node.args[0]) if text.strip("\n")) if node.args else (" ",))


def _words(function: ast.AST) -> Iterator[str]:
    for node in nodes_of(function):
        sides: Sequence[ast.expr] = ()
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            sides = node.comparators
        elif isinstance(node, ast.MatchValue):
            sides = (node.value,)
        for side in sides:
            yield from (text for text in _texts(side) if text.strip() and "\n" not in text)


def _texts(node: ast.expr) -> Iterator[str]:
    """Of a constant or a display of constants."""
    for part in node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else (node,):
        if isinstance(part, ast.Constant) and type(part.value) is str and len(part.value) <= LONGEST:
            yield part.value
