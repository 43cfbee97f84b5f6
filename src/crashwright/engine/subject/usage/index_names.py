"""By what names code looks things up: ``prices[category]`` and ``order.category in prices`` say what a key of ``prices`` is."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from crashwright.engine.subject.walking import walk


def index_names(trees: Iterable[ast.AST]) -> dict[str, str]:
    """The last name of what is looked up in, and that of the first key."""
    found: dict[str, str] = {}
    for tree in trees:
        for node in walk(tree):
            match node:
                case (
                    ast.Subscript(value=held, slice=key)
                    | ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[held])
                    | ast.Call(func=ast.Attribute(value=held, attr="get" | "pop" | "setdefault"), args=[key, *_])
                ):
                    name, index = _last_name(held), _last_name(key)
                    if name and index:
                        found.setdefault(name, index)
    return found


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
    return ""
