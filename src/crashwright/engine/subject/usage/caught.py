"""Exceptions that a module waits for: what is handed to it may raise them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping

from crashwright.engine.subject.introspection import attribute_of, derives, is_class
from crashwright.engine.subject.walking import walk

MOST_ERRORS = 6
_ASKING = frozenset({"isinstance", "issubclass"})
_USUAL_ERRORS = ("ValueError", "KeyError", "OSError")


def caught_in(tree: ast.AST) -> tuple[str, ...]:
    """The builtin exceptions that the module catches: what its collaborators may raise."""
    found: dict[str, None] = {}
    for node in walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            parts = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            names = [part.id for part in parts if isinstance(part, ast.Name)]
            found.update(dict.fromkeys(name for name in names if is_builtin_error(name)))
    return tuple([*found][:MOST_ERRORS]) or _USUAL_ERRORS


def waited_for(tree: ast.AST, names: Mapping[str, object]) -> tuple[type[Exception], ...]:
    """The exceptions that a module with these globals asks for, in an ``except`` or by ``isinstance`` and ``issubclass``."""
    found: dict[type[Exception], None] = {}
    for node in walk(tree):
        for part in _classes_asked_for(node):
            value = value_named(part, names)
            if is_class(value) and derives(value, Exception) and value is not Exception:
                found[value] = None
    return tuple([*found][:MOST_ERRORS])


def _classes_asked_for(node: ast.AST) -> Iterator[ast.expr]:
    asked: ast.expr | None = None
    if isinstance(node, ast.ExceptHandler):
        asked = node.type
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ASKING and len(node.args) == 2:
        asked = node.args[1]
    if asked is not None:
        yield from asked.elts if isinstance(asked, ast.Tuple) else [asked]


def value_named(node: ast.expr, names: Mapping[str, object]) -> object:
    """What a name, or a dotted one, stands for in a module with these globals; None where that is unknown."""
    if isinstance(node, ast.Name):
        return names.get(node.id, vars(builtins).get(node.id))
    return attribute_of(value_named(node.value, names), node.attr) if isinstance(node, ast.Attribute) else None


def is_builtin_error(name: str) -> bool:
    """Whether a lambda of a test can raise it by that name."""
    value = vars(builtins).get(name)
    return is_class(value) and derives(value, Exception) and not derives(value, UnicodeError)
