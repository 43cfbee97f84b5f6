"""Where CPython puts instructions that stand for no expression of their own: it differs from release to release.

Measured on 3.11, 3.12 and 3.13 (``code.co_positions()``); the tests compare them with the interpreter that runs them.
"""

from __future__ import annotations

import ast

from crashwright.core.location import Position

Version = tuple[int, int]
Placed = ast.expr | ast.stmt | ast.excepthandler | ast.pattern | ast.keyword | ast.arg | ast.alias
"""Nodes that stand somewhere in the source by themselves."""
_INLINED, _EXACT = (3, 12), (3, 13)
"""Since when comprehensions and tests have positions of their own; since when loops, ``with`` and ``assert`` have."""


def position_of(node: ast.AST) -> Position | None:
    """The range of a node, as it is written."""
    if not isinstance(node, Placed) or node.end_lineno is None or node.end_col_offset is None:
        return None
    return Position(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def of_attribute(node: ast.Attribute, whole: ast.AST | None = None) -> Position | None:
    """An attribute, or the call of a method (``whole``): one that ends in another line than it starts begins at the name."""
    position = position_of(whole or node)
    end_line, end_column = node.end_lineno, node.end_col_offset
    start = whole.lineno if isinstance(whole, Placed) else node.lineno
    if position is None or end_line is None or end_column is None or start == end_line:
        return position
    return position._replace(line=end_line, column=max(0, end_column - len(node.attr)))


def of_test(test: ast.expr, whole: ast.AST, version: Version) -> Position | None:
    """The asking whether a test is true. ``whole`` is what 3.11 gives it the place of: the statement or expression that has it, or
    the last comparison that was tested in that."""
    return position_of(test if version >= _INLINED else whole)


def of_iteration(iterated: ast.expr, whole: ast.AST, version: Version) -> Position | None:
    """``iter()`` and ``next()`` of a loop or comprehension."""
    return position_of(iterated if version >= _EXACT else whole)


def of_manager(manager: ast.expr, whole: ast.AST, version: Version) -> Position | None:
    """``__enter__`` and ``__exit__``."""
    return position_of(manager if version >= _EXACT else whole)


def of_assertion(statement: ast.Assert, anchor: ast.AST, version: Version) -> Position | None:
    """The raising of an AssertionError."""
    if version >= _EXACT:
        return position_of(statement.test)
    return position_of(statement if version >= _INLINED else anchor)


def of_addition(first: ast.expr, last: ast.expr, whole: ast.AST, version: Version) -> Position | None:
    """What puts an element into the display of a comprehension."""
    start, end = position_of(first), position_of(last)
    if version < _INLINED or start is None or end is None:
        return position_of(whole)
    return Position(start.line, start.column, end.end_line, end.end_column)


def of_field(field: ast.FormattedValue, whole: ast.AST, version: Version) -> Position | None:
    """A field of an f-string."""
    return position_of(field if version >= _INLINED else whole)
