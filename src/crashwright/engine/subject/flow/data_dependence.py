"""Data dependence, as far as Korel's chaining approach needs it: which fields and globals a place reads, and which functions write
them ("Automated software test data generation", the last definitions of a problem node)."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from crashwright.core.location import Position
from crashwright.engine.subject.flow.conditions import position_of

_CHANGES = frozenset(
    {"add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"}
)
"""Methods of containers that change them."""


def fields_read(function: ast.AST, places: Collection[Position]) -> tuple[str, ...]:
    """The names of the attributes that are read there, and of the globals that the function declares; not those of methods that
    are called."""
    declared = {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}
    found: dict[str, None] = {}
    for node in ast.walk(function):
        if not isinstance(node, ast.expr) or position_of(node) not in places:
            continue
        called = {id(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)}
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute) and id(part) not in called and not part.attr.startswith("__"):
                found[part.attr] = None
            elif isinstance(part, ast.Name) and part.id in declared:
                found[part.id] = None
    return tuple(found)


def fields_written(function: ast.AST) -> frozenset[str]:
    """The attributes and declared globals that the function sets, or whose contents it changes."""
    declared = frozenset(name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names)
    return frozenset(_written(function, declared))


def _written(function: ast.AST, declared: frozenset[str]) -> Iterator[str]:
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                yield from _targets(targets, declared)
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                yield from _targets([target], declared)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=field), attr=method)) if method in _CHANGES:
                yield field
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _CHANGES and name in declared:
                yield name


def _targets(targets: Iterable[ast.expr], declared: frozenset[str]) -> Iterator[str]:
    for target in targets:
        match target:
            case ast.Attribute(attr=field) | ast.Subscript(value=ast.Attribute(attr=field)):
                yield field
            case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) if name in declared:
                yield name
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                yield from _targets(parts, declared)
