"""What functions use their variables and attributes as, by how many uses speak for it (``ir.evidence``).

It is a preference and no knowledge: a variable may be used as several things, and what is used may be another by then.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final

from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.ir.evidence import Around, evidence, of_value
from crashwright.symbolic.ir.nodes import Binary, Cell, Constant, Function, Global, Kind, Local, Operand
from crashwright.symbolic.ir.type_names import ANYTHING
from crashwright.symbolic.wording.expressions import bare

_NOTHING: Final = Constant(None)


class NamedUses:
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
        around = Around(lambda _: (), lambda _number, _operand: ANYTHING, numbers.__contains__)
        for node in function.nodes:
            for place, operand in enumerate(node.operands):
                if isinstance(operand, Local | Cell | Global):
                    self._vote(keys.get(operand.name, operand.name), evidence(node, place, around).usual)
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
            yield from of_value(ast.literal_eval(text))
