"""What a loop goes through, without what only counts or orders the items; and what counts them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from crashwright.engine.subject.usage.usage import called_name

ALIKE = frozenset({"map", "list", "tuple", "iter", "sorted"})
"""Functions that give the items of their last argument, or what is made of each."""
_IN_ORDER = (ALIKE - {"map"}) | {"reversed"}
"""What gives the items themselves of its first argument."""


def gone_through(target: ast.expr, source: ast.expr) -> tuple[ast.expr, ast.expr]:
    """A loop without what only counts or orders the items."""
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.args:
        if source.func.id in _IN_ORDER:
            return gone_through(target, source.args[0])
        if source.func.id == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            return gone_through(target.elts[1], source.args[0])
    return target, source


def counting(target: ast.expr, source: ast.expr) -> Iterator[str]:
    """The name that counts in a loop over a range, or over what is numbered."""
    if isinstance(source, ast.Call) and called_name(source) == "range" and isinstance(target, ast.Name):
        yield target.id
    elif isinstance(source, ast.Call) and called_name(source) == "enumerate" and isinstance(target, ast.Tuple):
        yield from (one.id for one in target.elts[:1] if isinstance(one, ast.Name))


def counts(node: ast.expr, counters: Collection[str]) -> bool:
    """Whether ``node`` is a place in a sequence: a number, a name that counts, or what is reckoned with these."""
    match node:
        case ast.Constant(value=value):
            return type(value) is int
        case ast.Name(id=name):
            return name in counters
        case ast.UnaryOp(operand=operand):
            return counts(operand, counters)
        case ast.BinOp(left=left, right=right):
            return counts(left, counters) or counts(right, counters)
        case ast.Call(func=ast.Name(id="len" | "int" | "range")):
            return True
    return False
