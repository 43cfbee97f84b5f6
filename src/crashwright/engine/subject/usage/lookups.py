"""The keys of the tables in which functions look things up: handlers by their names, prices by what is sold. They are known where
the table is a global of a loaded module."""

from __future__ import annotations

import ast
from collections import ChainMap
from collections.abc import Iterable, Mapping, MutableMapping
from typing import cast

from crashwright.engine.subject.introspection import identities, is_module, module_dict
from crashwright.engine.subject.usage.shapes import Plain
from crashwright.engine.subject.walking import nodes_of

LARGEST = 60
"""A larger table is no list of a few cases."""
_PLAIN = identities(str, int)


def keys_looked_up(functions: Iterable[tuple[ast.AST, Mapping[str, object]]]) -> list[Plain]:
    """Of the tables that each of ``functions`` reads, with the names of its module."""
    found: dict[tuple[type, Plain], None] = {}
    for function, names in functions:
        namespace = ChainMap(_inner_tables(function, names), cast(MutableMapping[str, object], names))
        for node in nodes_of(function):
            looked_up = _looked_up(node)
            if looked_up is not None:
                found.update(dict.fromkeys((type(key), key) for key in _keys(looked_up[0], namespace)))
    return [key for _, key in found]


def keys_by_name(functions: Iterable[tuple[ast.AST, Mapping[str, object]]]) -> dict[str, list[Plain]]:
    """As :func:`keys_looked_up`, by the name of what is looked up: ``RATES[self.currency]`` says what a currency is."""
    found: dict[str, dict[tuple[type, Plain], None]] = {}
    for function, names in functions:
        namespace = ChainMap(_inner_tables(function, names), cast(MutableMapping[str, object], names))
        for node in nodes_of(function):
            looked_up = _looked_up(node)
            name = "" if looked_up is None else _last_name(looked_up[1])
            if looked_up is not None and name:
                found.setdefault(name, {}).update(dict.fromkeys((type(key), key) for key in _keys(looked_up[0], namespace)))
    return {name: [key for _, key in keys] for name, keys in found.items() if keys}


def index_names(trees: Iterable[ast.AST]) -> dict[str, str]:
    """What keys are called, by the name of what they are looked up in: a key of ``show.prices`` is a category where
    ``prices[category]`` is read. The first name that there is."""
    found: dict[str, str] = {}
    for looked_up in (one for tree in trees for node in nodes_of(tree) if (one := _looked_up(node)) is not None):
        table, key = map(_last_name, looked_up)
        if table and key:
            found.setdefault(table, key)
    return found


def _last_name(node: ast.expr) -> str:
    """Of a variable, an attribute or a constant key; of what is made of one, its name: ``code.upper()``."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[ast.Constant(value=str(name)), *_]):
            return name
        case ast.Call(func=ast.Attribute(value=inner), args=[]):
            return _last_name(inner)
    return ""


def _keys(table: ast.expr, namespace: Mapping[str, object]) -> list[Plain]:
    known = _value(table, namespace)
    if type(known) is not dict or not 0 < len(known) <= LARGEST:
        return []
    return [cast(Plain, key) for key in list(known) if id(type(key)) in _PLAIN]


def _looked_up(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The table, and what is looked up in it."""
    match node:
        case (
            ast.Subscript(value=table, slice=key)
            | ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_])
            | ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[table])
        ) if not isinstance(key, ast.Constant):
            return table, key
    return None


def _inner_tables(function: ast.AST, namespace: Mapping[str, object]) -> dict[str, object]:
    """What a variable may look things up in that is itself looked up: all of them as one, of ``moves = MOVES[state]``."""
    found: dict[str, object] = {}
    for node in nodes_of(function):
        looked_up = _looked_up(node.value) if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if looked_up is not None and isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            table = _value(looked_up[0], namespace)
            inner = list(table.values()) if type(table) is dict and len(table) <= LARGEST else []
            if inner and all(type(one) is dict for one in inner):
                found[node.targets[0].id] = {key: value for one in inner for key, value in one.items()}
    return found


def _value(node: ast.expr, namespace: Mapping[str, object]) -> object:
    match node:
        case ast.Name(id=name):
            return namespace.get(name)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            holder = namespace.get(name)
            return module_dict(holder).get(attribute) if is_module(holder) else None
    return None
