"""What values are likely to be, told by what a function does with them: the methods it calls on them, the keys it gives, the
literals they are compared with and added to (STAR, section 3).

None of it is certain. Who goes by it says so: what is assumed becomes a condition of the way (``semantics.step``).
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from crashwright.symbolic.ir.nodes import (
    Binary,
    Call,
    Constant,
    Function,
    Kind,
    Local,
    NamedCallee,
    Node,
    Operand,
    Parameter,
    Place,
)
from crashwright.symbolic.ir.type_names import ANYTHING, NONE, UNKNOWN, Types, constant_type, stem

MOST_LIKELY: Final = 4
"""Types beyond which uses say too little."""
_FOLLOWED: Final = 3
"""Copies of copies that are followed."""
_NUMBER: Types = frozenset({"int", "float"})
_ITERABLE: Types = frozenset({"list", "tuple", "dict", "set", "frozenset", "deque", "str", "bytes"})
_SEQUENCE: Types = frozenset({"list", "tuple", "str", "bytes"})
_WITH_METHODS: Final[dict[str, type]] = {
    one.__name__: one for one in (str, bytes, list, dict, set, frozenset, tuple, deque, int, float)
}
_TAKEN: Final[dict[str, Types]] = {
    **dict.fromkeys(("len", "sorted", "list", "tuple", "set", "frozenset", "any", "all", "enumerate", "iter", "sum"), _ITERABLE),
    **dict.fromkeys(("range", "chr", "hex", "bin", "oct"), frozenset({"int"})),
    **dict.fromkeys(("abs", "round", "divmod"), _NUMBER),
    "ord": frozenset({"str"}),
    "reversed": _SEQUENCE,
}
"""What builtin functions take as their first argument."""
_ASKED: Final = frozenset({"isinstance", "type", "hasattr", "callable", "issubclass"})
"""Who asks this of a value has several types in mind."""


class Uses:
    """The uses of one function's variables. ``having``: the declared classes that have an attribute of a name; ``types``: what is
    known for sure of an operand of a node."""

    def __init__(
        self, function: Function, having: Callable[[str], tuple[str, ...]], types: Callable[[int, Operand], Types]
    ) -> None:
        self._having = having
        self._types = types
        self._parameters = {one.name: one for one in function.parameters}
        self._read: dict[Place, list[tuple[Node, int]]] = {}
        self._written: dict[Place, list[int]] = {}
        for node in function.nodes:
            for place, operand in enumerate(node.operands):
                if not isinstance(operand, Constant):
                    self._read.setdefault(operand, []).append((node, place))
            if node.target is not None:
                self._written.setdefault(node.target, []).append(node.number)

    def of(self, variable: Place, defined: int) -> Types:
        """What a variable that was assigned at a node is likely to be, None always among it; ANYTHING where uses say nothing."""
        found: Types | None = None
        for node, place in self._uses(variable, defined, _FOLLOWED):
            asked = self._asked(node, place)
            if asked is None:
                return ANYTHING
            if UNKNOWN not in asked:
                found = asked if found is None else found & asked
        if found is None and isinstance(variable, Local):
            found = _default(self._parameters.get(variable.name))
        if not found or len(found) > MOST_LIKELY:
            return ANYTHING
        return found | {NONE}

    def _uses(self, variable: Place, defined: int, depth: int) -> Iterator[tuple[Node, int]]:
        """Those behind the assignment and before the next one, in source order; of copies too."""
        until = next((number for number in self._written.get(variable, ()) if number > defined), None)
        for node, place in self._read.get(variable, ()):
            if node.number <= defined or (until is not None and node.number > until):
                continue
            if node.kind in (Kind.COPY, Kind.LOAD) and node.target is not None:
                if depth:
                    yield from self._uses(node.target, node.number, depth - 1)
            else:
                yield node, place

    def _asked(self, node: Node, place: int) -> Types | None:
        """What one use asks of the value; None where it asks which type it has, or what no type has that is known here."""
        if node.kind is Kind.CALL and isinstance(node.detail, Call):
            return _passed(node.detail, place)
        if node.kind in (Kind.METHOD, Kind.ATTRIBUTE):
            return self._with_attribute(str(node.detail), node.kind is Kind.METHOD)
        if node.kind is Kind.BINARY and isinstance(node.detail, Binary):
            return _operand(node.detail.operator, place, self._types(node.number, node.operands[1 - place]))
        if node.kind is Kind.COMPARE and node.detail in ("<", "<=", ">", ">="):
            return _ordered(self._types(node.number, node.operands[1 - place]))
        if node.kind is Kind.UNARY and node.detail != "not":
            return _NUMBER
        if place:
            return ANYTHING
        if node.kind in (Kind.INDEX, Kind.SET_INDEX, Kind.DELETE_INDEX):
            return self._subscripted(node)
        if node.kind is Kind.SLICE:
            return _SEQUENCE
        if node.kind in (Kind.ITERATE, Kind.UNPACK):
            return _ITERABLE
        return ANYTHING

    def _with_attribute(self, name: str, is_method: bool) -> Types | None:
        declared = frozenset(self._having(name))
        builtin = frozenset(one for one, kind in _WITH_METHODS.items() if hasattr(kind, name)) if is_method else frozenset()
        if "str" in builtin:
            builtin -= {"bytes"}  # what both have is meant of texts far more often
        return declared | builtin or None

    def _subscripted(self, node: Node) -> Types:
        keys = {stem(one) for one in self._types(node.number, node.operands[1])}
        if keys <= {"str", "bytes", "tuple", NONE}:
            return frozenset({"dict"})
        if node.kind is Kind.INDEX and keys <= {"int"} and isinstance(node.operands[1], Constant):
            return _SEQUENCE
        return frozenset({"list", "dict", "tuple", "str", "bytes", "deque"})


def _passed(call: Call, place: int) -> Types | None:
    if not isinstance(call.callee, NamedCallee) or place:
        return ANYTHING
    name = call.callee.text
    return None if name in _ASKED else _TAKEN.get(name, ANYTHING)


def _operand(operator: str, place: int, other: Types) -> Types:
    kinds = {stem(one) for one in other}
    if UNKNOWN in kinds:
        return _NUMBER if operator in ("-", "//", "**") else ANYTHING
    if operator == "+" and len(kinds) == 1 and kinds <= {"str", "bytes", "list", "tuple"}:
        return frozenset(kinds)
    if operator in ("+", "-", "/", "//", "**") and kinds <= {"int", "float", "bool"}:
        return _NUMBER
    if operator == "%" and place == 0 and kinds <= {"int"}:
        return _NUMBER
    if operator in ("<<", ">>") and kinds <= {"int"}:
        return frozenset({"int"})
    return ANYTHING


def _ordered(other: Types) -> Types:
    kinds = {stem(one) for one in other}
    if kinds <= {"int", "float", "bool"}:
        return _NUMBER
    return frozenset(kinds) if len(kinds) == 1 and kinds <= {"str", "bytes"} else ANYTHING


def _default(parameter: Parameter | None) -> Types | None:
    """The type of a default that is a literal other than None."""
    try:
        value = ast.literal_eval(parameter.default) if parameter is not None and parameter.default else None
    except (ValueError, SyntaxError):
        return None
    kind = stem(constant_type(value))
    return None if value is None or kind not in _WITH_METHODS | {"bool": bool} else frozenset({kind})
