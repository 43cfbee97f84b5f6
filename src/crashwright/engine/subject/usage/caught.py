"""Exceptions that a module waits for: what is handed to it may raise them."""

from __future__ import annotations

import ast
import builtins

from crashwright.engine.subject.introspection import derives, is_class

MOST_ERRORS = 6
_USUAL_ERRORS = ("ValueError", "KeyError", "OSError")


def caught_in(tree: ast.AST) -> tuple[str, ...]:
    """The builtin exceptions that the module catches: what its collaborators may raise."""
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            parts = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            names = [part.id for part in parts if isinstance(part, ast.Name)]
            found.update(dict.fromkeys(name for name in names if is_builtin_error(name)))
    return tuple([*found][:MOST_ERRORS]) or _USUAL_ERRORS


def is_builtin_error(name: str) -> bool:
    """Whether a lambda of a test can raise it by that name."""
    value = vars(builtins).get(name)
    return is_class(value) and derives(value, Exception) and not derives(value, UnicodeError)
