"""One value of a test in place of another, wherever it stands: what turns ``KeyError: 0`` into the ``KeyError: 'zero'`` of a
report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Display, Ref, Scalar, Statement, Value
from crashwright.engine.testcase.testcase import TestCase

MOST_PLACES = 12
"""Statements that are changed one by one."""


def substituted(test: TestCase, old: Scalar, new: Scalar) -> Iterator[TestCase]:
    """``test`` with ``new`` for ``old``: everywhere, then in one statement after the other. Within a text it is the part that reads
    like the old value."""
    changed = [
        (index, other)
        for index, statement in enumerate(test.statements)
        if (other := _statement(statement, old, new)) is not None and not st.same(other, statement)
    ]
    if changed:
        yield _with(test, changed)
    if len(changed) > 1:
        for change in changed[-MOST_PLACES:]:
            yield _with(test, [change])


def _with(test: TestCase, changes: list[tuple[int, Statement]]) -> TestCase:
    statements = list(test.statements)
    for index, statement in changes:
        statements[index] = statement
    return TestCase(tuple(statements))


def _statement(statement: Statement, old: Scalar, new: Scalar) -> Statement | None:
    if isinstance(statement, st.Literal):
        return st.Literal(statement.variable, _value(statement.value, old, new))
    if isinstance(statement, st.FileFixture) and isinstance(statement.content, str):
        return statement._replace(content=_text(statement.content, old, new))
    return None


def _value(value: Value, old: Scalar, new: Scalar) -> Value:
    if isinstance(value, Display):
        return Display(value.kind, tuple(_item(item, old, new) for item in value.items))
    if isinstance(value, Ref):
        return value
    if type(value) is type(old) and repr(value) == repr(old):
        return new
    return _text(value, old, new) if isinstance(value, str) else value


def _item(item: object, old: Scalar, new: Scalar) -> object:
    if type(item) is tuple:
        return tuple(_value(cast(Value, part), old, new) for part in item)
    return _value(cast(Value, item), old, new)


def _text(text: str, old: Scalar, new: Scalar) -> str:
    part = old if isinstance(old, str) else repr(old)
    return text.replace(part, new if isinstance(new, str) else repr(new)) if part else text
