"""What the operators of source do, by their symbols: for probes that do what stood in their place, for mutants, and for tests."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

Operation = Callable[[Any, Any], Any]

COMPARISONS: Mapping[str, Operation] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda item, items: item in items,
    "not in": lambda item, items: item not in items,
}
"""In the order of ``interface.OPERATORS``, by which probes in C know them, too."""
ORDERINGS = frozenset(("<", "<=", ">", ">="))
ARITHMETIC: Mapping[str, Operation] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
IN_PLACE: Mapping[str, Operation] = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": operator.imul,
    "//": operator.ifloordiv,
    "%": operator.imod,
    "&": operator.iand,
    "|": operator.ior,
    "^": operator.ixor,
    "<<": operator.ilshift,
    ">>": operator.irshift,
}
"""What an assignment with an operator makes."""
