"""The nodes of a syntax tree in order, faster than ``ast.walk``, and remembered: many readers walk the same modules, and that takes
longer than to look at all of the nodes."""

from __future__ import annotations

import ast
from functools import lru_cache

REMEMBERED = 512
"""Trees whose nodes are remembered: modules of the path, and functions of it."""

_NO_NODES = frozenset(
    {
        "arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level", "lineno", "module", "name",
        "rest", "simple", "tag", "type_comment", "type_ignores",
    }
)  # fmt: skip
"""Fields that hold no nodes; whether a name is read or written (``ctx``) says its node."""
_EXCEPT = {"TypeAlias": frozenset({"name"})}
_fields: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: (), ast.Global: (), ast.Nonlocal: ()}


def walk(tree: ast.AST) -> list[ast.AST]:
    """All nodes below ``tree`` and itself in the order of ``ast.walk``, without the contexts of names."""
    nodes = [tree]
    add, known = nodes.append, _fields
    for node in nodes:
        kind = type(node)
        fields = known.get(kind)
        if fields is None:
            fields = _noted(kind)
        for name in fields:
            value = getattr(node, name, None)
            if value is None:
                continue
            if type(value) is list:
                for one in value:
                    if isinstance(one, ast.AST):
                        add(one)
            elif isinstance(value, ast.AST):
                add(value)
    return nodes


def children(node: ast.AST) -> list[ast.AST]:
    """As ``ast.iter_child_nodes``, without the context of a name."""
    found: list[ast.AST] = []
    kind = type(node)
    for name in _fields.get(kind) or _noted(kind):
        value = getattr(node, name, None)
        if type(value) is list:
            found += [one for one in value if isinstance(one, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


@lru_cache(maxsize=REMEMBERED)
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """As :func:`walk`, for trees that nobody changes."""
    return tuple(walk(tree))


def _noted(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of such nodes that may hold nodes."""
    known = _fields.get(kind)
    if known is None:
        kept = _EXCEPT.get(kind.__name__, frozenset())
        known = _fields[kind] = tuple(name for name in kind._fields if name in kept or name not in _NO_NODES)
    return known
