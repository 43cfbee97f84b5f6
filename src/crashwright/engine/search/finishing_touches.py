"""What minimising took too much of, put back into a test that is small, where the crash stays as it is.

``"[a"`` is shorter than ``"[a]"``, and often crashes alike. But the fixed code may first of all complain of a text that ends too
early. ``next(rows)`` is as short as a loop, and fails by itself where the fixed code has no rows. Such tests prove nothing of the
bug.

# Deviation: to the papers the smallest test is the best one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.echoing.source import missing_end
from crashwright.engine.testcase.statements import Iterate, Literal, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import used


def touched_up(test: TestCase, as_good: Callable[[TestCase], bool], kept: Mapping[Variable, Value], loops: bool) -> TestCase:
    """``test`` with each of its texts closed, and, if the report ``loops``, with loops in place of ``next()``, wherever it is as
    good so. Literals of the report stay as they are."""
    for index, statement in enumerate(test.statements):
        other = _closed(statement, kept)
        if loops and isinstance(statement, Iterate) and statement.mode == "next" and not _is_used(test, statement.variable):
            other = statement._replace(mode="for", limit=None)
        if other is not statement:
            candidate = TestCase((*test.statements[:index], other, *test.statements[index + 1 :]))
            test = candidate if as_good(candidate) else test
    return test


def _closed(statement: Statement, kept: Mapping[Variable, Value]) -> Statement:
    if not isinstance(statement, Literal) or type(statement.value) is not str:
        return statement
    if statement.variable in kept and st.same_value(kept[statement.variable], statement.value):
        return statement
    end = missing_end(statement.value)
    return Literal(statement.variable, statement.value + end) if end else statement


def _is_used(test: TestCase, variable: Variable) -> bool:
    return any(variable in used(statement) for statement in test.statements)
