"""Data dependence, as far as Korel's chaining approach needs it: which fields and globals a place reads, and which functions write
them ("Automated software test data generation", the last definitions of a problem node)."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from crashwright.core.location import Position
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.walking import walk

_CHANGES = frozenset(
    {"add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"}
)
"""Methods of containers that change them."""


def fields_read(function: ast.AST, places: Collection[Position]) -> tuple[str, ...]:
    """The names of the attributes that are read there, and of the globals that the function declares; not those of methods that
    are called. What a local name stands for is read too."""
    declared = {name for node in walk(function) if isinstance(node, ast.Global) for name in node.names}
    found: dict[str, None] = {}
    sources = assigned_values(function)
    waiting = [node for node in walk(function) if isinstance(node, ast.expr) and position_of(node) in places]
    while waiting:
        node = waiting.pop(0)
        called = {id(part.func) for part in walk(node) if isinstance(part, ast.Call)}
        for part in walk(node):
            if isinstance(part, ast.Attribute) and id(part) not in called and not part.attr.startswith("__"):
                found[part.attr] = None
            elif isinstance(part, ast.Name) and part.id in declared:
                found[part.id] = None
            elif isinstance(part, ast.Name):
                waiting += sources.pop(part.id, ())
    return tuple(found)


def assigned_values(function: ast.AST) -> dict[str, list[ast.expr]]:
    """What local names are assigned, and what loops take them from."""
    found: dict[str, list[ast.expr]] = {}
    for node in walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                pairs = [(target, value) for target in targets]
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                pairs = [(target, value)]
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            for name in walk(target):
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                    found.setdefault(name.id, []).append(value)
    return found


def fields_written(function: ast.AST) -> frozenset[str]:
    """The attributes and declared globals that the function sets, or whose contents it changes."""
    return frozenset(name for name, _ in _written(function))


def lines_written(function: ast.AST, fields: Collection[str]) -> tuple[int, ...]:
    """The lines where that happens to one of ``fields``."""
    return tuple(sorted({line for name, line in _written(function) if name in fields}))


def _written(function: ast.AST) -> Iterator[tuple[str, int]]:
    nodes = walk(function)
    declared = frozenset(name for node in nodes if isinstance(node, ast.Global) for name in node.names)
    for node in nodes:
        match node:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                changed = targets
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                changed = [target]
            case ast.Call(func=ast.Attribute(value=container, attr=method)) if method in _CHANGES:
                changed = [container]
            case _:
                continue
        yield from ((name, node.lineno) for name in _targets(changed, declared))


def _whole(part: ast.expr) -> ast.expr:
    """The container that holds it: of ``self.rows[key]`` the rows."""
    while isinstance(part, ast.Subscript):
        part = part.value
    return part


def _targets(targets: Iterable[ast.expr], declared: frozenset[str]) -> Iterator[str]:
    for target in targets:
        match _whole(target):
            case ast.Attribute(attr=field):
                yield field
            case ast.Name(id=name) if name in declared:
                yield name
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                yield from _targets(parts, declared)
