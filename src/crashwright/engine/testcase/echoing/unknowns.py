"""What an echoed line says of the names that it does not explain: they are subscripted, iterated, called, compared with a text."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from random import Random

from crashwright.engine.subject.api.hints import Scope
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint, is_any
from crashwright.engine.subject.usage.use_hints import UseReader, Weighted
from crashwright.engine.subject.usage.uses_of_values import ModuleUses

_TRUSTED = 0.85
"""How often a name gets a value of a type that can do what the line does with it."""
_REPEATED = frozenset({str, bytes, list, tuple})
_FREE = frozenset({"%", "**", "@", "<<", ">>"})
"""Operators whose operands are often of different types."""


class Unknowns:
    """Of one line; of none (``line`` None) nothing is known."""

    __slots__ = ("_hints",)

    def __init__(self, line: ast.stmt | None = None) -> None:
        self._hints: Mapping[str, Weighted] = {} if line is None else _read(line)

    def hint(self, identifier: str, hint: Hint, rng: Random) -> Hint:
        """The type of a value for the name, where the parameter has none."""
        weighted = self._hints.get(identifier)
        if weighted is None or not is_any(hint) or rng.random() >= _TRUSTED:
            return hint
        roll = rng.random() * sum(weight for _, weight in weighted)
        for found, weight in weighted:
            roll -= weight
            if roll < 0:
                return found
        return weighted[-1][0]


def other_operand(symbol: str, one: Hint) -> Hint:
    """The type of an operand whose other one is of type ``one``."""
    if symbol == "*" and isinstance(one, ClassHint) and one.cls in _REPEATED:
        return ClassHint(int)
    return ANY if symbol in _FREE else one


def _read(line: ast.stmt) -> Mapping[str, Weighted]:
    names = dict.fromkeys(node.id for node in ast.walk(line) if isinstance(node, ast.Name))
    frame = ast.parse(f"def echo({', '.join(names)}): pass")
    function = frame.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body = [line]
    uses, reader = ModuleUses(frame), UseReader("", Scope({}), ())
    found = {name: uses.use_of("echo", name) for name in names}
    return {name: hints for name, use in found.items() if use is not None and (hints := reader.hints(use))}
