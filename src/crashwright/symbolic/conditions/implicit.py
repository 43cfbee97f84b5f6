"""Calls that no CALL stands for: ``a[b]`` calls ``__getitem__``, ``a + b`` ``__add__``, ``a.b`` the function of a property."""

from __future__ import annotations

from typing import Final

from crashwright.symbolic.ir.nodes import Binary, Call, Constant, Kind, MethodCallee, NamedCallee, Node, Operand

_BY_KIND: Final = {
    "__getitem__": Kind.INDEX,
    "__setitem__": Kind.SET_INDEX,
    "__delitem__": Kind.DELETE_INDEX,
    "__iter__": Kind.ITERATE,
    "__next__": Kind.NEXT,
    "__enter__": Kind.ENTER,
    "__format__": Kind.FORMAT,
}
_OPERATORS: Final = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "matmul": "@",
}  # fmt: skip
_COMPARISONS: Final = {"__eq__": "==", "__ne__": "!=", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
_BUILTINS: Final = {
    "__len__": ("len", "bool"),
    "__bool__": ("bool",),
    "__str__": ("str", "print"),
    "__repr__": ("repr", "str", "print"),
    "__int__": ("int",),
    "__float__": ("float",),
    "__hash__": ("hash", "set"),
    "__iter__": ("iter", "list", "tuple", "set", "sorted", "sum", "min", "max", "any", "all", "enumerate", "zip"),
    "__next__": ("next",),
    "__getattr__": ("getattr", "hasattr"),
}


def as_call(node: Node, name: str) -> Node | None:
    """An instruction as the call of the method of that name, which it makes; None where it makes none."""
    operands = _passed(node, name)
    if operands is None:
        return None
    call = Call(MethodCallee(name), ("",) * (len(operands) - 1))
    return Node(node.number, Kind.CALL, None, operands, call, node.position, node.before)


def _passed(node: Node, name: str) -> tuple[Operand, ...] | None:
    """The receiver, then the arguments."""
    if _BY_KIND.get(name) is node.kind:
        return node.operands[:1] if node.kind in (Kind.ITERATE, Kind.NEXT, Kind.ENTER) else node.operands
    if node.kind is Kind.COMPARE:
        return _compared(node, name)
    if node.kind is Kind.BINARY and isinstance(node.detail, Binary):
        return _calculated(node, node.detail.operator, name.strip("_"))
    if node.kind is Kind.CALL and isinstance(node.detail, Call) and isinstance(node.detail.callee, NamedCallee):
        return node.operands[:1] or None if node.detail.callee.text in _BUILTINS.get(name, ()) else None
    if node.kind in (Kind.ATTRIBUTE, Kind.METHOD, Kind.SET_ATTRIBUTE):
        return _attribute(node, name)
    if name in ("__bool__", "__len__") and (node.kind is Kind.ASSUME or (node.kind is Kind.UNARY and node.detail == "not")):
        return node.operands[:1]
    return node.operands[:1] if name == "__str__" and node.kind is Kind.FORMAT else None


def _compared(node: Node, name: str) -> tuple[Operand, ...] | None:
    left, right = node.operands
    if name == "__contains__" and node.detail in ("in", "not in"):
        return right, left
    return (left, right) if _COMPARISONS.get(name) == node.detail else None


def _calculated(node: Node, operator: str, name: str) -> tuple[Operand, ...] | None:
    left, right = node.operands
    if _OPERATORS.get(name) == operator or _OPERATORS.get(name.removeprefix("i")) == operator:
        return left, right
    return (right, left) if name.startswith("r") and _OPERATORS.get(name[1:]) == operator else None


def _attribute(node: Node, name: str) -> tuple[Operand, ...] | None:
    held, *values = node.operands
    if node.detail == name:
        return (held, *values)
    asked = Constant(str(node.detail))
    if name == "__setattr__" and node.kind is Kind.SET_ATTRIBUTE:
        return held, asked, *values
    return (held, asked) if name in ("__getattr__", "__getattribute__") and node.kind is not Kind.SET_ATTRIBUTE else None
