"""What an echoed line says of the names that it does not explain: they are subscripted, iterated, called, compared with a text, or
stand among texts."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from random import Random

from crashwright.engine.subject.api.callee import Callee, ParameterKind
from crashwright.engine.subject.api.hints import HintScope
from crashwright.engine.subject.api.live_classes import live_classes
from crashwright.engine.subject.api.types import ANY, NONE, ClassHint, Hint, is_any
from crashwright.engine.subject.introspection import is_class
from crashwright.engine.subject.usage.use_hints import UseReader, Weighted
from crashwright.engine.subject.usage.uses_of_values import ModuleUses
from crashwright.engine.subject.walking import walk
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.wants.parameter_names import CALLABLE

_TRUSTED = 0.85
"""How often a name gets a value of a type that can do what the line does with it."""
_AS_SAID = 0.2
"""How often a name gets a value of a type that the message names."""
_QUOTED = re.compile(r"""['"]([A-Za-z_][\w.]*)['"]""")
_NAMELESS: Mapping[str, Hint] = {"NoneType": NONE, "function": CALLABLE, "builtin_function_or_method": CALLABLE, "method": CALLABLE}
"""Types that no name stands for."""
_REPEATED = frozenset({str, bytes, list, tuple})
_PLAIN = frozenset({str, bytes, int, float})
_FREE = frozenset({"%", "**", "@", "<<", ">>"})
"""Operators whose operands are often of different types."""


class Unknowns:
    """Of one line; of none (``line`` None) nothing is known. ``said`` are types that the message of the report names."""

    __slots__ = ("_hints", "_said")

    def __init__(self, line: ast.stmt | None = None, said: Sequence[Hint] = ()) -> None:
        self._hints: Mapping[str, Weighted] = {} if line is None else _read(line)
        self._said = said

    def said(self, rng: Random) -> Hint:
        """Now and then a type that the message names."""
        return self._said[int(rng.random() * len(self._said))] if self._said and rng.random() < _AS_SAID else ANY

    def hint(self, identifier: str, hint: Hint, rng: Random) -> Hint:
        """The type of a value for the name, where the parameter has none."""
        if is_any(hint):
            hint = self.said(rng)
        weighted = self._hints.get(identifier)
        if weighted is None or not is_any(hint) or rng.random() >= _TRUSTED:
            return hint
        roll = rng.random() * sum(weight for _, weight in weighted)
        for found, weight in weighted:
            roll -= weight
            if roll < 0:
                return found
        return weighted[-1][0]


def types_said(message: str, names: NameChain) -> tuple[Hint, ...]:
    """The types that a message names in quotes (``expected str, got 'Leaf'``); where no name stands for one, classes that exist
    now, of the package or of one place alone."""
    found: dict[str, Hint] = {}
    others: list[str] = []
    for name in _QUOTED.findall(message):
        named = None if name in _NAMELESS else names.value(name.rpartition(".")[2])
        if name in _NAMELESS:
            found[name] = _NAMELESS[name]
        elif named is not None and is_class(named.live):
            found[name] = ClassHint(named.live)
        elif named is None:
            others.append(name.rpartition(".")[2])
    return (*found.values(), *(ClassHint(cls) for cls in live_classes(others, (names.package,)).values()))


def other_operand(symbol: str, one: Hint) -> Hint:
    """The type of an operand whose other one is of type ``one``."""
    if symbol == "*" and isinstance(one, ClassHint) and one.cls in _REPEATED:
        return ClassHint(int)
    return ANY if symbol in _FREE else one


def _read(line: ast.stmt) -> Mapping[str, Weighted]:
    names = dict.fromkeys(node.id for node in walk(line) if isinstance(node, ast.Name))
    frame = ast.parse(f"def echo({', '.join(names)}): pass")
    function = frame.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body = [line]
    uses, reader = ModuleUses(frame), UseReader("", HintScope({}), ())
    found = {name: uses.use_of("echo", name) for name in names}
    used = {name: hints for name, use in found.items() if use is not None and (hints := reader.hints(use))}
    return {**_among(line), **used}


def _among(line: ast.stmt) -> Mapping[str, Weighted]:
    """What stands in a list among literals of one type is of that type: ``main(["--check", path])``."""
    found: dict[str, Weighted] = {}
    for node in walk(line):
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            kinds: set[type] = {type(one.value) for one in node.elts if isinstance(one, ast.Constant)}
            if len(kinds) == 1 and kinds <= _PLAIN:
                found.update(
                    {one.id: ((ClassHint(kind), 1.0),) for kind in kinds for one in node.elts if isinstance(one, ast.Name)}
                )
    return found


def positional_hints(callee: Callee | None) -> list[tuple[Hint, str]]:
    """The types and names of what a call is given by position."""
    if callee is None:
        return []
    kinds = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
    return [(parameter.hint, parameter.name) for parameter in callee.parameters if parameter.kind in kinds]
