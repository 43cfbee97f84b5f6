"""Expressions that are another spelling of a path: ``os.path.abspath(x)``, ``Path(x).resolve()``. What is done with them says of
``x`` whether it is a file or a folder, and nothing else of it."""

from __future__ import annotations

import ast

_OF_ARGUMENT = frozenset(
    "abspath realpath normpath normcase expanduser expandvars fspath fsdecode fsencode str Path PurePath PosixPath".split()
)
_OF_RECEIVER = frozenset({"resolve", "absolute", "expanduser", "as_posix", "strip"})


def same_place(node: ast.expr) -> ast.expr | None:
    """The path that ``node`` spells in another way; None where it is no such call."""
    if not isinstance(node, ast.Call):
        return None
    function = node.func
    name = function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    if isinstance(function, ast.Attribute) and name in _OF_RECEIVER and not node.args:
        return function.value
    return node.args[0] if name in _OF_ARGUMENT and len(node.args) == 1 else None
