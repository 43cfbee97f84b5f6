"""Where a local name of a function gets its value: what has to be avoided for an ``UnboundLocalError``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from crashwright.core.location import Position
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.walking import children

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def definitions(function: ast.AST, name: str) -> tuple[Position, ...]:
    """The statements that begin just where the local ``name`` is set, or about to be: an assignment itself, the first statement of
    a loop over it."""
    return tuple(dict.fromkeys(position_of(statement) for statement in _defining(function, name)))


def _defining(function: ast.AST, name: str) -> Iterator[ast.stmt]:
    for statement in _statements(function):
        match statement:
            case ast.For(target=target) | ast.AsyncFor(target=target) if _sets(target, name):
                yield statement.body[0]
            case ast.With(items=items) | ast.AsyncWith(items=items) if any(_sets(item.optional_vars, name) for item in items):
                yield statement.body[0]
            case ast.Try(handlers=handlers) | ast.TryStar(handlers=handlers):
                yield from (handler.body[0] for handler in handlers if handler.name == name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                if any((one.asname or one.name.partition(".")[0]) == name for one in names):
                    yield statement
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if statement.name == name:
                    yield statement
            case _ if any(_sets(part, name) for part in children(statement) if isinstance(part, ast.expr)):
                yield statement


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Those of the function itself, however deep, not of functions in it."""
    for child in children(node):
        if isinstance(child, ast.stmt):
            yield child
        if not isinstance(child, (*_SCOPES, ast.expr)):
            yield from _statements(child)


def _sets(node: ast.AST | None, name: str) -> bool:
    match node:
        case None | ast.Lambda():
            return False
        case ast.Name(id=identifier, ctx=ast.Store()):
            return identifier == name
        case ast.comprehension():  # its target is a name of the comprehension's own
            return any(_sets(part, name) for part in (node.iter, *node.ifs))
    return any(_sets(part, name) for part in children(node))
