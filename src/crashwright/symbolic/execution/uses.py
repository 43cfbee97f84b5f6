"""What functions use their variables and attributes as: evidence of types where none is declared.

It is a preference and no knowledge: a variable may be used as several things, and what is used may be another by then.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from typing import Final

from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.ir.nodes import (
    Binary,
    Call,
    Cell,
    Constant,
    Function,
    Global,
    Kind,
    Local,
    MethodCallee,
    NamedCallee,
    Node,
    Operand,
)
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, SCALARS
from crashwright.symbolic.wording.expressions import bare

_KINDS: Final = {name: kind for name, (_, kind) in (*SCALARS.items(), *CONTAINERS.items()) if name != "NoneType"}
_CALLS: Final = {
    "len": ("list", "str"),
    "int": ("str",),
    "float": ("str",),
    "range": ("int",),
    "abs": ("int",),
    "round": ("float",),
    "chr": ("int",),
    "ord": ("str",),
    "sorted": ("list",),
    "sum": ("list",),
    "min": ("list",),
    "max": ("list",),
    "enumerate": ("list",),
    "zip": ("list",),
    "reversed": ("list",),
    "re.match": ("str",),
    "re.search": ("str",),
    "re.compile": ("str",),
    "json.loads": ("str",),
    "os.path.join": ("str",),
}
_USUAL: Final = frozenset({"str", "list", "dict"})
_NOTHING: Final = Constant(None)
_LONGEST: Final = 2
"""Types that one use speaks for; what most types can do says nothing."""


class Uses:
    """Of variables by their names and of attributes by ``.name``, in several functions together. ``made``: the types of what a
    module assigns to a global, ``module:name``."""

    def __init__(self, functions: Iterable[Function], made: Callable[[str], list[str]] = lambda _name: []) -> None:
        self._made = made
        self._votes: dict[str, Counter[str]] = {}
        for function in functions:
            for parameter in function.parameters:
                self._vote(parameter.name, _of_default(parameter.default))
            self._look_at(function)

    def types(self, value: Term) -> list[str]:
        """Names of builtin types, what speaks for most first."""
        key = _key_of(value) or ""
        votes = self._votes.get(key.rpartition(":")[2], Counter())
        return [*(self._made(key) if ":" in key else ()), *(name for name, _ in votes.most_common())]

    def _look_at(self, function: Function) -> None:
        keys: dict[str, str] = {}
        numbers: set[Operand] = set()
        for node in function.nodes:
            for place, operand in enumerate(node.operands):
                if isinstance(operand, Local | Cell | Global):
                    self._vote(keys.get(operand.name, operand.name), _used_as(node, place, numbers))
            if node.kind is Kind.BINARY and isinstance(node.detail, Binary) and node.detail.operator in ("-", "//", "*"):
                numbers.add(node.target or _NOTHING)
            if isinstance(node.target, Local) and node.target.name.startswith("%"):
                if node.kind in (Kind.LOAD, Kind.COPY) and isinstance(node.operands[0], Local | Cell):
                    keys[node.target.name] = keys.get(node.operands[0].name, node.operands[0].name)
                elif node.kind is Kind.ATTRIBUTE:
                    keys[node.target.name] = f".{node.detail}"

    def _vote(self, key: str, names: Iterable[str]) -> None:
        found = tuple(names)
        if found:
            votes = self._votes.setdefault(key, Counter())
            votes.update({name: len(found) - place for place, name in enumerate(found)})


def _key_of(value: Term) -> str | None:
    inner = bare(value)
    if inner.op is Op.INPUT and inner.sort is Sort.VALUE:
        return str(inner.payload)
    if inner.op is Op.SELECT and inner.args[0].sort is Sort.FIELD and inner.args[0].op is Op.INPUT:
        return str(inner.args[0].payload)
    return None


def _of_default(text: str | None) -> Iterator[str]:
    if text is not None:
        with suppress(ValueError, SyntaxError):
            yield from _of_constant(ast.literal_eval(text))


def _of_constant(value: object) -> Iterator[str]:
    yield from [name for name, kind in _KINDS.items() if type(value) is kind]


def _used_as(node: Node, place: int, numbers: Container[Operand]) -> list[str]:
    """Types of the operand at a place for which the instruction speaks. ``numbers``: what was calculated."""
    others = [one for other, one in enumerate(node.operands) if other != place]
    if node.kind is Kind.METHOD or (node.kind is Kind.CALL and place == 0 and _method(node)):
        name = node.detail if node.kind is Kind.METHOD else _method(node)
        having = [one for one, kind in _KINDS.items() if hasattr(kind, str(name))]
        usual = [one for one in having if one in _USUAL]
        return (usual or having)[:_LONGEST]
    if node.kind is Kind.CALL and isinstance(node.detail, Call) and isinstance(node.detail.callee, NamedCallee):
        return list(_CALLS.get(node.detail.callee.text, ())) if place == 0 else []
    if node.kind is Kind.ITERATE:
        return ["list"]
    if node.kind is Kind.UNPACK:
        return ["tuple", "list"]
    if node.kind is Kind.SLICE:
        return ["str", "list"] if place == 0 else ["int"]
    if node.kind in (Kind.INDEX, Kind.SET_INDEX, Kind.DELETE_INDEX):
        return _indexed(node, place, numbers)
    if node.kind is Kind.COMPARE:
        return _compared(str(node.detail), place, others[0])
    if node.kind is Kind.BINARY and isinstance(node.detail, Binary):
        return _calculated(node.detail.operator, place, others[0])
    return []


def _method(node: Node) -> str:
    callee = node.detail.callee if isinstance(node.detail, Call) else None
    return callee.name if isinstance(callee, MethodCallee) and not callee.by_super else ""


def _indexed(node: Node, place: int, numbers: Container[Operand]) -> list[str]:
    if place != 0:
        return []
    key = node.operands[1]
    if isinstance(key, Constant) and isinstance(key.value, str):
        return ["dict"]
    return ["list", "tuple"] if key in numbers or (isinstance(key, Constant) and isinstance(key.value, int)) else []


def _compared(operator: str, place: int, other: Operand) -> list[str]:
    if operator in ("in", "not in"):
        if place == 1:
            return ["dict"]
        return ["str"]
    if isinstance(other, Constant) and other.value is not None:
        return list(_of_constant(other.value))
    return ["int"] if operator in ("<", "<=", ">", ">=") else []


def _calculated(operator: str, place: int, other: Operand) -> list[str]:
    known = list(_of_constant(other.value)) if isinstance(other, Constant) else []
    if operator in ("+", "-"):
        return known or (["int"] if operator == "-" else [])
    if operator in ("/", "//", "**", "<<", ">>"):
        return ["int"]
    return ["str"] if operator == "%" and place == 0 and known == ["str"] else ["int"] if known == ["int"] else []
