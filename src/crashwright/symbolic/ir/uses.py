"""What values are likely to be, told by what a function does with them: all that the uses of a value leave possible (``evidence``).

None of it is certain. Who goes by it says so: what is assumed becomes a condition of the way (``semantics.step``).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Final

from crashwright.symbolic.ir.evidence import WITH_METHODS, Around, evidence
from crashwright.symbolic.ir.nodes import Constant, Function, Kind, Local, Node, Operand, Parameter, Place
from crashwright.symbolic.ir.type_names import ANYTHING, NONE, UNKNOWN, Types, constant_type, stem

MOST_LIKELY: Final = 4
"""Types beyond which uses say too little."""
_FOLLOWED: Final = 3
"""Copies of copies that are followed."""


class FunctionUses:
    """The uses of one function's variables. ``having``: the declared classes that have an attribute of a name; ``types``: what is
    known for sure of an operand of a node."""

    def __init__(
        self, function: Function, having: Callable[[str], tuple[str, ...]], types: Callable[[int, Operand], Types]
    ) -> None:
        self._around = Around(having, types, lambda _: False)
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
            asked = evidence(node, place, self._around).possible
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


def _default(parameter: Parameter | None) -> Types | None:
    """The type of a default that is a literal other than None."""
    try:
        value = ast.literal_eval(parameter.default) if parameter is not None and parameter.default else None
    except (ValueError, SyntaxError):
        return None
    kind = stem(constant_type(value))
    return None if value is None or kind not in WITH_METHODS else frozenset({kind})
