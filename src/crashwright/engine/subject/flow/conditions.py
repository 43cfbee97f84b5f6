"""Atomic conditions of a test expression: what probes measure and what control flow branches on (one definition for both).

``and``, ``or`` and ``not`` are structure; everything beneath them (chained comparisons, calls, names, walrus) is an atom, and an
atom's position is the key that probes, the control flow graph and the fitness share.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from crashwright.core.location import Position


def atoms(test: ast.expr) -> Iterator[tuple[ast.expr, bool]]:
    """The atoms of ``test`` in order of evaluation, each with whether it stands under an odd number of ``not``."""
    return _atoms(test, False)


def _atoms(test: ast.expr, negated: bool) -> Iterator[tuple[ast.expr, bool]]:
    match test:
        case ast.BoolOp():
            for value in test.values:
                yield from _atoms(value, negated)
        case ast.UnaryOp(op=ast.Not()):
            yield from _atoms(test.operand, not negated)
        case _:
            yield test, negated


CHARACTER_TESTS = frozenset(
    {"isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "islower", "isnumeric", "isprintable", "isspace", "isupper"}
)
"""Methods of ``str`` that ask something of each character."""
PATTERN_TESTS = frozenset({"match", "fullmatch", "search"})
"""The functions and methods that look for a regular expression."""


def tested_by(node: ast.expr) -> str | None:
    """The name under which the probes know a call whose result is a yes or no; None for all other expressions."""
    if isinstance(node, ast.Call) and not node.keywords and not any(isinstance(argument, ast.Starred) for argument in node.args):
        match node.func, len(node.args):
            case ast.Name(id="isinstance"), 2:
                return "isinstance"
            case ast.Attribute(attr="startswith" | "endswith" as name), 1:
                return name
            case ast.Attribute(attr=name), 0 if name in CHARACTER_TESTS:
                return name
            case ast.Attribute(attr=name), _ if name in PATTERN_TESTS:
                return "match"
    return None


def position_of(node: ast.AST) -> Position:
    """The source range of a node that has one. Raises AttributeError for nodes without a place (operators, contexts, arguments)."""
    located: Any = node
    line: int = located.lineno
    column: int = located.col_offset
    end_line: int | None = located.end_lineno
    end_column: int | None = located.end_col_offset
    return Position(line, column, line if end_line is None else end_line, column if end_column is None else end_column)


def matches_all(pattern: ast.pattern) -> bool:
    """Whether a pattern cannot fail, so that its case decides nothing (but by its guard)."""
    match pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return matches_all(inner)
        case ast.MatchOr(patterns=patterns):
            return matches_all(patterns[-1])
    return False


_NEVER_SUPPRESS = frozenset(
    {"open", "fdopen", "closing", "nullcontext", "redirect_stdout", "redirect_stderr", "chdir", "Lock", "RLock", "Condition"}
    | {"Semaphore", "BoundedSemaphore", "TemporaryDirectory", "NamedTemporaryFile", "TemporaryFile", "ZipFile", "urlopen"}
    | {"localcontext", "catch_warnings", "Pool", "ThreadPoolExecutor", "ProcessPoolExecutor", "Popen", "scandir", "memoryview"}
)


def never_suppresses(item: ast.withitem) -> bool:
    """Whether a context manager is known, by its name, to let all exceptions pass: files, locks and their like."""
    node = item.context_expr
    if isinstance(node, ast.Call):
        node = node.func
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in _NEVER_SUPPRESS or name.lower().endswith("lock")
