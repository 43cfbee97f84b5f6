"""What minimising took too much of, put back into a test that is small, where the crash stays as it is.

``"[a"`` is shorter than ``"[a]"``, and often crashes alike. But the fixed code may first of all complain of a text that ends too
early. ``next(rows)`` is as short as a loop, and fails by itself where the fixed code has no rows. A program that is called with the
words of a command line ends the process when it has done what it should. Such tests prove nothing of the bug.

# Deviation: to the papers the smallest test is the best one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from crashwright.engine.frameworks.click import RETURNING, is_program
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.echoing.source import missing_end
from crashwright.engine.testcase.statements import Iterate, Literal, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used


def touched_up(test: TestCase, as_good: Callable[[TestCase], bool], kept: Mapping[Variable, Value], loops: bool) -> TestCase:
    """``test`` with each of its texts closed, with programs that return in place of ending the process, and, if the report
    ``loops``, with loops in place of ``next()``, wherever it is as good so. Literals of the report stay as they are."""
    for index, statement in enumerate(test.statements):
        other = _closed(statement, kept)
        if loops and isinstance(statement, Iterate) and statement.mode == "next" and not _is_used(test, statement.variable):
            other = statement._replace(mode="for", limit=None)
        if other is not statement:
            candidate = TestCase((*test.statements[:index], other, *test.statements[index + 1 :]))
            test = candidate if as_good(candidate) else test
    for index in range(len(test.statements) - 1, -1, -1):
        returning = _returning(test, index)
        if returning is not None and as_good(returning):
            test = returning
    return test


def ending_calls(test: TestCase) -> int:
    """How many calls of programs end the process, however well they go."""
    return sum(_returning(test, index) is not None for index in range(len(test.statements)))


def _returning(test: TestCase, index: int) -> TestCase | None:
    """With a program called so that it returns; None where there is none, or it does so already."""
    statement = test.statements[index]
    if type(statement) is not st.CallValue or any(name == RETURNING for name, _ in statement.arguments.keywords):
        return None
    before = test.statements[:index]
    made = [one for one in before if type(one) is st.Reference and one.variable == statement.function]
    if not made or not is_program(made[-1].named.live):
        return None
    variable = 1 + max(number for one in test.statements if (number := defined(one)) is not None)
    arguments = statement.arguments._replace(keywords=(*statement.arguments.keywords, (RETURNING, variable)))
    call = statement._replace(arguments=arguments)
    return TestCase((*before, Literal(variable, False), call, *test.statements[index + 1 :]))


def _closed(statement: Statement, kept: Mapping[Variable, Value]) -> Statement:
    if not isinstance(statement, Literal) or type(statement.value) is not str:
        return statement
    if statement.variable in kept and st.same_value(kept[statement.variable], statement.value):
        return statement
    end = missing_end(statement.value)
    return Literal(statement.variable, statement.value + end) if end else statement


def _is_used(test: TestCase, variable: Variable) -> bool:
    return any(variable in used(statement) for statement in test.statements)
