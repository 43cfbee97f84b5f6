"""Texts of a test that is small get the brackets back that minimising took from their end.

``"[a"`` is shorter than ``"[a]"``, and often crashes alike. But the fixed code may first of all complain of a text that ends too
early, and such a test proves nothing of the bug.

# Deviation: to the papers the smallest test is the best one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Literal, Value, Variable
from crashwright.engine.testcase.testcase import TestCase

_CLOSING = {"(": ")", "[": "]", "{": "}"}


def with_closed_texts(test: TestCase, as_good: Callable[[TestCase], bool], kept: Mapping[Variable, Value]) -> TestCase:
    """``test`` with each of its texts closed that is as good so; literals of the report stay as they are."""
    for index, statement in enumerate(test.statements):
        if not isinstance(statement, Literal) or type(statement.value) is not str:
            continue
        if statement.variable in kept and st.same_value(kept[statement.variable], statement.value):
            continue
        closed = closed_text(statement.value)
        if closed != statement.value:
            candidate = TestCase((*test.statements[:index], Literal(statement.variable, closed), *test.statements[index + 1 :]))
            test = candidate if as_good(candidate) else test
    return test


def closed_text(text: str) -> str:
    """``text`` with what closes its brackets; as it is where they are in disorder."""
    missing: list[str] = []
    for character in text:
        if character in _CLOSING:
            missing.append(_CLOSING[character])
        elif character in _CLOSING.values() and (not missing or missing.pop() != character):
            return text
    return text + "".join(reversed(missing))
