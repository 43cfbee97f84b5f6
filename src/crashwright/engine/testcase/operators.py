"""Dunder methods as a test writes and runs them: ``a == b`` for ``__eq__``, ``len(x)`` for ``__len__``. The printer and the
interpreter share these tables, so that both do the same: an operator tries the other side too, a direct call of the method
does not."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable

from crashwright.engine.testcase.statements import Arguments, Operation, Variable

BINARY: dict[str, str] = {
    "__eq__": "==",
    "__ne__": "!=",
    "__lt__": "<",
    "__le__": "<=",
    "__gt__": ">",
    "__ge__": ">=",
    "__add__": "+",
    "__sub__": "-",
    "__mul__": "*",
    "__truediv__": "/",
    "__floordiv__": "//",
    "__mod__": "%",
    "__pow__": "**",
    "__matmul__": "@",
    "__lshift__": "<<",
    "__rshift__": ">>",
    "__and__": "&",
    "__or__": "|",
    "__xor__": "^",
}
"""Written ``receiver operator argument``."""

REFLECTED: dict[str, str] = {
    f"__r{name.lstrip('_')}": symbol for name, symbol in BINARY.items() if symbol not in ("==", "!=", "<", "<=", ">", ">=")
}
"""Written ``argument operator receiver``."""

UNARY: dict[str, str] = {"__neg__": "-", "__pos__": "+", "__invert__": "~"}
"""Written ``operator receiver``."""

_NO_ARGUMENT = (
    "len",
    "str",
    "repr",
    "bool",
    "int",
    "float",
    "complex",
    "bytes",
    "hash",
    "abs",
    "iter",
    "next",
    "reversed",
    "round",
)
BUILTIN: dict[tuple[str, int], str] = {
    **{(f"__{name}__", 0): name for name in _NO_ARGUMENT},
    **{(f"__{name}__", 1): name for name in ("round", "format", "divmod")},
}
"""By name and number of arguments: written ``builtin(receiver, arguments)``."""

OPERATIONS: dict[tuple[str, int], Callable[..., object]] = {
    **{(name, 1): getattr(operator, name) for name in BINARY},
    **{(name, 0): getattr(operator, name) for name in UNARY},
    **{key: getattr(builtins, name) for key, name in BUILTIN.items()},
    ("__contains__", 1): operator.contains,
    ("__getitem__", 1): operator.getitem,
    ("__setitem__", 2): operator.setitem,
    ("__delitem__", 1): operator.delitem,
}
"""What a method call of that name, with so many positional arguments and no others, does: ``operation(receiver, *arguments)``."""


def reflected(variable: Variable, receiver: Variable, name: str, arguments: Arguments) -> Operation | None:
    """The operator that a call of a reflected method stands for: nobody calls one by its name. None where it is no such call."""
    if name not in REFLECTED or len(arguments.positional) != 1 or arguments.keywords:
        return None
    return Operation(variable, REFLECTED[name], (arguments.positional[0], receiver))
