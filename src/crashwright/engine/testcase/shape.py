"""When two tests are the same test under other names: the identity that keeps clones out of a population."""

from __future__ import annotations

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import DEFINES_NOTHING, map_used, map_value, used


def shape_of(test: TestCase) -> int:
    """Equal for tests that differ only in the numbers of their variables. Stable within a process and its forks; computed once."""
    if not test.shape:
        test.shape = _shape_of(test) or 1
    return test.shape


def _shape_of(test: TestCase) -> int:
    places: dict[Variable, int] = {}
    parts: list[object] = []
    for place, statement in enumerate(test.statements):
        kind = type(statement)
        parts.append(kind)
        if kind is st.Literal:
            value = statement[1]
            if type(value) is st.Display:
                value = map_value(value, places.__getitem__)
            else:
                parts.append(type(value))
            parts.append(value)
            places[statement[0]] = place
        else:
            parts.append(_payload(statement, places))
            if kind not in DEFINES_NOTHING:
                places[statement[0]] = place
    return hash(tuple(parts))


def _payload(statement: Statement, places: dict[Variable, int]) -> object:
    """What the statement says, but for the variable that it defines."""
    uses = tuple([places[variable] for variable in used(statement)])
    if isinstance(statement, st.Call | st.MethodCall):
        arguments = statement.arguments
        what = statement.callee if isinstance(statement, st.Call) else statement.name
        return what, uses, len(arguments.positional), tuple([name for name, _ in arguments.keywords])
    kind = type(statement)
    fields: tuple[object, ...] = tuple(map_used(statement, places.__getitem__))
    return fields if kind in DEFINES_NOTHING else fields[1:]
