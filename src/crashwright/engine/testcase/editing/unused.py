"""Objects that nothing in a test uses (any more), taken out one by one: making one may have an effect, so whoever asks decides."""

from __future__ import annotations

from collections.abc import Callable

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.deletion import prune
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used

_MAKING = (st.Call, st.CallValue, st.GetAttribute, st.GetItem, st.Operation, st.Literal, st.StubClass, st.Definition)


def without_unused(test: TestCase, good: Callable[[TestCase], bool]) -> TestCase:
    """``test`` without each object that only its own statement mentions, where it is ``good`` without; its last statement stays."""
    for index in range(len(test) - 2, -1, -1):
        if index >= len(test) - 1:
            continue  # what made only this one went with it
        statement, later = test.statements[index], test.statements[index + 1 :]
        variable = defined(statement)
        if variable is None or not isinstance(statement, _MAKING) or any(variable in used(one) for one in later):
            continue
        smaller = prune(TestCase(test.statements[:index] + later))
        if good(smaller):
            test = smaller
    return test
