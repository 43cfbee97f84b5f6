"""What one use of a value says of its type: what it may be, if the use is not to fail, and what it then usually is.

A method that is called on it, a key or a literal beside it, a builtin function that takes it. Two readers go by it: types that
a walk assumes are what all uses leave possible (``ir.uses``), and a precondition that has to choose takes what most uses speak
for (``execution.uses``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from crashwright.symbolic.ir.nodes import Binary, Call, Constant, Kind, MethodCallee, NamedCallee, Node, Operand
from crashwright.symbolic.ir.type_names import ANYTHING, NONE, UNKNOWN, Types, stem

NUMBER: Final[Types] = frozenset({"int", "float"})
_ITERABLE: Final[Types] = frozenset({"list", "tuple", "dict", "set", "frozenset", "deque", "str", "bytes"})
_SEQUENCE: Final[Types] = frozenset({"list", "tuple", "str", "bytes"})
_SUBSCRIPTED: Final[Types] = frozenset({"list", "dict", "tuple", "str", "bytes", "deque"})
WITH_METHODS: Final[dict[str, type]] = {
    one.__name__: one for one in (bool, int, float, str, bytes, list, tuple, dict, set, frozenset, deque)
}
_USUAL: Final = frozenset({"str", "list", "dict"})
_LONGEST: Final = 2
"""Types that one use speaks for; what most types can do says nothing."""


class UseEvidence(NamedTuple):
    """``possible``: ANYTHING where the use says nothing, None where several types are meant. ``usual``: builtin types, the most
    usual first."""

    possible: Types | None = ANYTHING
    usual: tuple[str, ...] = ()


_NOTHING: Final = UseEvidence()
_TAKEN: Final[dict[str, UseEvidence]] = {
    **dict.fromkeys(("len",), UseEvidence(_ITERABLE, ("list", "str"))),
    **dict.fromkeys(("sorted", "enumerate", "sum"), UseEvidence(_ITERABLE, ("list",))),
    **dict.fromkeys(("list", "tuple", "set", "frozenset", "any", "all", "iter"), UseEvidence(_ITERABLE)),
    **dict.fromkeys(("range", "chr"), UseEvidence(frozenset({"int"}), ("int",))),
    **dict.fromkeys(("hex", "bin", "oct"), UseEvidence(frozenset({"int"}))),
    "abs": UseEvidence(NUMBER, ("int",)),
    "round": UseEvidence(NUMBER, ("float",)),
    "divmod": UseEvidence(NUMBER),
    "ord": UseEvidence(frozenset({"str"}), ("str",)),
    "reversed": UseEvidence(_SEQUENCE, ("list",)),
    **dict.fromkeys(("min", "max", "zip"), UseEvidence(usual=("list",))),
    **dict.fromkeys(
        ("int", "float", "re.match", "re.search", "re.compile", "json.loads", "os.path.join"), UseEvidence(usual=("str",))
    ),
    **dict.fromkeys(("isinstance", "type", "hasattr", "callable", "issubclass"), UseEvidence(None)),
}
"""What functions take as their first argument. Who asks for the type of a value has several in mind."""


class Around(NamedTuple):
    """What is known about a use. ``having``: the declared classes that have an attribute of a name; ``types``: what is known for
    sure of an operand of a node; ``is_number``: whether an operand is calculated."""

    having: Callable[[str], tuple[str, ...]]
    types: Callable[[int, Operand], Types]
    is_number: Callable[[Operand], bool]


def evidence(node: Node, place: int, around: Around) -> UseEvidence:
    """Of the operand at a place of an instruction."""
    if node.kind is Kind.CALL and isinstance(node.detail, Call):
        return _passed(node.detail, place)
    if node.kind in (Kind.METHOD, Kind.ATTRIBUTE):
        return _with_attribute(str(node.detail), node.kind is Kind.METHOD, around)
    if node.kind is Kind.BINARY and isinstance(node.detail, Binary):
        return _calculated(node, node.detail.operator, place, around)
    if node.kind is Kind.COMPARE:
        return _compared(node, place, around)
    if node.kind is Kind.UNARY and node.detail != "not":
        return UseEvidence(NUMBER)
    if node.kind is Kind.SLICE:
        return UseEvidence(_SEQUENCE, ("str", "list")) if place == 0 else UseEvidence(usual=("int",))
    if place:
        return _NOTHING
    if node.kind in (Kind.INDEX, Kind.SET_INDEX, Kind.DELETE_INDEX):
        return _subscripted(node, around)
    if node.kind in (Kind.ITERATE, Kind.UNPACK):
        return UseEvidence(_ITERABLE, ("list",) if node.kind is Kind.ITERATE else ("tuple", "list"))
    return _NOTHING


def _passed(call: Call, place: int) -> UseEvidence:
    if isinstance(call.callee, MethodCallee) and place == 0 and not call.callee.by_super:
        return UseEvidence(usual=_having(call.callee.name))
    if not isinstance(call.callee, NamedCallee) or place:
        return _NOTHING
    return _TAKEN.get(call.callee.text, _NOTHING)


def _having(name: str) -> tuple[str, ...]:
    """The builtin types that have a method; the usual ones, where there are some."""
    having = [one for one, kind in WITH_METHODS.items() if hasattr(kind, name)]
    return tuple([one for one in having if one in _USUAL] or having)[:_LONGEST]


def _with_attribute(name: str, is_method: bool, around: Around) -> UseEvidence:
    if not is_method:
        return UseEvidence(frozenset(around.having(name)) or None)
    builtin = frozenset(one for one, kind in WITH_METHODS.items() if hasattr(kind, name)) - {"bool"}
    if "str" in builtin:
        builtin -= {"bytes"}  # what both have is meant of texts far more often
    return UseEvidence(frozenset(around.having(name)) | builtin or None, _having(name))


def _subscripted(node: Node, around: Around) -> UseEvidence:
    key = node.operands[1]
    usual: tuple[str, ...] = ("list", "tuple") if around.is_number(key) or _is_literal(key, int) else ()
    if _is_literal(key, str):
        usual = ("dict",)
    keys = {stem(one) for one in around.types(node.number, key)}
    if keys <= {"str", "bytes", "tuple", NONE}:
        return UseEvidence(frozenset({"dict"}), usual)
    is_index = node.kind is Kind.INDEX and keys <= {"int"} and isinstance(key, Constant)
    return UseEvidence(_SEQUENCE if is_index else _SUBSCRIPTED, usual)


def _compared(node: Node, place: int, around: Around) -> UseEvidence:
    other = node.operands[1 - place]
    if node.detail in ("in", "not in"):
        return UseEvidence(usual=("dict",) if place else ("str",))
    ordered = node.detail in ("<", "<=", ">", ">=")
    known = _of_literal(other) if isinstance(other, Constant) and other.value is not None else ("int",) if ordered else ()
    return UseEvidence(_ordered(around.types(node.number, other)) if ordered else ANYTHING, known)


def _ordered(other: Types) -> Types:
    kinds = {stem(one) for one in other}
    if kinds <= {"int", "float", "bool"}:
        return NUMBER
    return frozenset(kinds) if len(kinds) == 1 and kinds <= {"str", "bytes"} else ANYTHING


def _calculated(node: Node, operator: str, place: int, around: Around) -> UseEvidence:
    other = node.operands[1 - place]
    possible = _beside(operator, place, around.types(node.number, other))
    known = _of_literal(other)
    if operator in ("+", "-"):
        return UseEvidence(possible, known or (("int",) if operator == "-" else ()))
    if operator in ("/", "//", "**", "<<", ">>"):
        return UseEvidence(possible, ("int",))
    if operator == "%" and place == 0 and known == ("str",):
        return UseEvidence(possible, ("str",))
    return UseEvidence(possible, ("int",) if known == ("int",) else ())


def _beside(operator: str, place: int, other: Types) -> Types:
    kinds = {stem(one) for one in other}
    if UNKNOWN in kinds:
        return NUMBER if operator in ("-", "//", "**") else ANYTHING
    if operator == "+" and len(kinds) == 1 and kinds <= {"str", "bytes", "list", "tuple"}:
        return frozenset(kinds)
    if operator in ("+", "-", "/", "//", "**") and kinds <= {"int", "float", "bool"}:
        return NUMBER
    if operator == "%" and place == 0 and kinds <= {"int"}:
        return NUMBER
    return frozenset({"int"}) if operator in ("<<", ">>") and kinds <= {"int"} else ANYTHING


def _is_literal(operand: Operand, kind: type) -> bool:
    return isinstance(operand, Constant) and isinstance(operand.value, kind)


def _of_literal(operand: Operand) -> tuple[str, ...]:
    return of_value(operand.value) if isinstance(operand, Constant) else ()


def of_value(value: object) -> tuple[str, ...]:
    """The builtin type of a literal; nothing for None and others."""
    name = type(value).__name__
    return (name,) if WITH_METHODS.get(name) is type(value) else ()
