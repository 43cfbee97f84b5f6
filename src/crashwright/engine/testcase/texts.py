"""The texts that a test holds, as opposed to its names: literals, contents of files and of the process, results of stand-ins."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Display, Statement, Value
from crashwright.engine.testcase.testcase import TestCase

Change = Callable[[str], str]


def with_texts(test: TestCase, text: Change, code: Change) -> TestCase:
    """``test`` with each of its texts as ``text`` has it, and with definitions as ``code`` has their source."""
    return TestCase(tuple([_statement(one, text, code) for one in test.statements]))


def _statement(statement: Statement, text: Change, code: Change) -> Statement:
    match statement:
        case st.Literal(value=value):
            return statement._replace(value=_value(value, text))
        case st.StubCallable(result=result):
            return statement._replace(result=_value(result, text))
        case st.StubClass(members=members):
            return statement._replace(members=tuple([(name, kind, _value(value, text)) for name, kind, value in members]))
        case st.FileFixture(content=content):
            return statement._replace(content=cast(str | bytes, _value(content, text)))
        case st.Ambient(content=content):
            return statement._replace(content=_value(content, text))
        case st.Definition(source=source):
            return statement._replace(source=code(source))
    return statement


def _value(value: Value, text: Change) -> Value:
    if isinstance(value, Display):
        return Display(value.kind, tuple([_item(item, text) for item in value.items]))
    if type(value) is str:
        return text(value)
    if type(value) is bytes:
        changed = text(value.decode("latin-1"))
        return changed.encode("latin-1", "replace")
    return value


def _item(item: object, text: Change) -> object:
    if type(item) is tuple:
        return tuple([_value(cast(Value, part), text) for part in item])
    return _value(cast(Value, item), text)
