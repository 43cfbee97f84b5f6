"""What the doubles of a test were called with: the other half of what a call did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from crashwright.engine.assertions.looks import Fact
from crashwright.engine.subject.introspection import derives, loaded_module
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Display, Expected, Made, Named, Ref, Variable

MOST_CALLS = 12
"""Calls of one double that are told of."""
_HOME = "unittest.mock"


def doubles_in(statements: Sequence[object]) -> tuple[Variable, ...]:
    """The variables that are put in the place of something."""
    return tuple(one.content.variable for one in statements if isinstance(one, st.Ambient) and type(one.content) is Ref)


def calls_of(double: object, direct: Callable[[object], Fact | None]) -> Fact | None:
    """All calls of a mock, in order; what cannot be written down may be anything. None where nothing of it can, or nothing is a
    mock."""
    mock: Any = loaded_module(_HOME)
    if mock is None or not derives(type(double), mock.Mock):
        return None
    made: list[object] = []
    told = 0
    for positional, keywords in _calls(double):
        given = [_written(value, direct, mock.ANY) for value in positional]
        named = [(name, _written(value, direct, mock.ANY)) for name, value in keywords.items()]
        told += sum(known for _, known in given) + sum(known for _, (_, known) in named)
        made.append(
            Made(Named(_HOME, "call", mock.call), tuple(one for one, _ in given), tuple((name, one) for name, (one, _) in named))
        )
    if len(made) > MOST_CALLS or (made and not told):
        return None
    return Fact((".call_args_list",), "equals", Display("list", tuple(made)))


def _calls(double: object) -> list[tuple[tuple[object, ...], dict[str, object]]]:
    return [(tuple(one.args), dict(one.kwargs)) for one in cast(Any, double).call_args_list[: MOST_CALLS + 1]]


def _written(value: object, direct: Callable[[object], Fact | None], anything: object) -> tuple[Expected, bool]:
    """How the value is written, and whether that says anything."""
    fact = direct(value)
    if fact is None or fact.kind not in ("equals", "is", "approximately") or fact.path:
        return Named(_HOME, "ANY", anything), False
    return fact.expected, True
