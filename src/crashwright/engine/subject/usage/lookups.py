"""The keys of the tables in which functions look things up: handlers by their names, prices by what is sold. They are known where
the table is a global of a loaded module."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import cast

from crashwright.engine.subject.introspection import identities, is_module, module_dict
from crashwright.engine.subject.usage.shapes import Plain

LARGEST = 60
"""A larger table is no list of a few cases."""
_PLAIN = identities(str, int)


def keys_looked_up(functions: Iterable[tuple[ast.AST, Mapping[str, object]]]) -> list[Plain]:
    """Of the tables that each of ``functions`` reads, with the names of its module."""
    found: dict[tuple[type, Plain], None] = {}
    for function, namespace in functions:
        for node in ast.walk(function):
            table = _table(node, namespace)
            if type(table) is dict and 0 < len(table) <= LARGEST:
                found.update(dict.fromkeys((type(key), cast(Plain, key)) for key in list(table) if id(type(key)) in _PLAIN))
    return [key for _, key in found]


def _table(node: ast.AST, namespace: Mapping[str, object]) -> object:
    match node:
        case (
            ast.Subscript(value=table, slice=key)
            | ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_])
            | ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[table])
        ) if not isinstance(key, ast.Constant):
            return _value(table, namespace)
    return None


def _value(node: ast.expr, namespace: Mapping[str, object]) -> object:
    match node:
        case ast.Name(id=name):
            return namespace.get(name)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            holder = namespace.get(name)
            return module_dict(holder).get(attribute) if is_module(holder) else None
    return None
