"""Clocks that tests hand over: which of their functions answer with a number, and tests in which the clock of the machine, that
an argument has by default, is such a function.

What is reckoned from the real time differs from run to run, so that nothing can be asserted of it, and it does not go on when a
test would have it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from crashwright.engine.subject.api.callee import Callee, ParameterKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Arguments, Literal, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase

STANDING = 100.0
"""What a clock shows that a test hands over in place of the machine's."""
_REAL = frozenset(map(id, (time.time, time.monotonic, time.perf_counter, time.process_time)))


def mocks_in(test: TestCase) -> dict[int, st.Call]:
    """The mocks that a test makes, by the place of each."""
    return {place: one for place, one in enumerate(test.statements) if st.is_mock(one)}


def clocks_in(test: TestCase) -> dict[int, tuple[Variable, int | float]]:
    """The functions that answer with a number, by where they are made, and the number."""
    literals = {one.variable: one.value for one in test.statements if isinstance(one, Literal)}
    answers = {place: literals.get(dict(one.arguments.keywords).get("return_value", -1)) for place, one in mocks_in(test).items()}
    return {
        place: (test.statements[place][0], answer)
        for place, answer in answers.items()
        if type(answer) is int or type(answer) is float
    }


def timed(test: TestCase, mock: Callable[[], Callee], new: Callable[[], Variable]) -> TestCase | None:
    """The test with one clock of its own wherever the machine's is left to be the default; None where none is. ``mock`` is asked
    for what makes it."""
    if not any(isinstance(one, st.Call | st.MethodCall) and _left_out(one) for one in test.statements):
        return None
    moment = Literal(new(), STANDING)
    clock = st.Call(new(), mock(), Arguments((), (("return_value", moment.variable),)))
    statements: list[Statement] = []
    for one in test.statements:
        names = _left_out(one) if isinstance(one, st.Call | st.MethodCall) else []
        if isinstance(one, st.Call | st.MethodCall) and names:
            if moment not in statements:
                statements += [moment, clock]
            keywords = (*one.arguments.keywords, *((name, clock.variable) for name in names))
            one = one._replace(arguments=one.arguments._replace(keywords=keywords))
        statements.append(one)
    return TestCase(tuple(statements))


def _left_out(call: st.Call | st.MethodCall) -> list[str]:
    """The arguments of a call that are left out, can be passed by name, and are a clock of the machine by default."""
    if call.callee is None:
        return []
    given = {name for name, _ in call.arguments.keywords}
    return [
        one.name
        for place, one in enumerate(call.callee.parameters)
        if not one.required
        and id(one.default) in _REAL
        and one.name not in given
        and place >= len(call.arguments.positional)
        and one.kind in (ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.KEYWORD_ONLY)
    ]
