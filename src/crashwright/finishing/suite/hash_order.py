"""Which tests hand over sets whose order is another one under each hash seed: few runs may all happen to agree."""

from __future__ import annotations

import ast

from crashwright.finishing.suite.weakening import functions_of

_SETS = ("set", "frozenset")


def ordered_by_hash(text: str) -> frozenset[str]:
    """The test functions of a file, as pytest names them within it, that write down a set of two items or more, numbers apart."""
    return frozenset(name for name, function in functions_of(text).items() if any(map(_is_shuffled, ast.walk(function))))


def _is_shuffled(node: ast.AST) -> bool:
    if isinstance(node, ast.Set):
        return len(node.elts) > 1 and not all(map(_is_number, node.elts))
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SETS and bool(node.args)


def _is_number(node: ast.expr) -> bool:
    """Their hashes are the same in each process."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int | float | complex)
