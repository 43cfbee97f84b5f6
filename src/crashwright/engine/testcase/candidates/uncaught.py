"""Runners that catch what the program raises, and keep it for the test to look at: they are told not to. A test that asserts an
exit code passes by the crash otherwise, and the search does not see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType

from crashwright.engine.subject.introspection import is_class, static_attribute
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Literal, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase

_CATCHES = "catch"
"""How options begin that say so, before ``exceptions`` or ``errors``: of the test runners of click, and of what is built on it."""


def uncaught(test: TestCase, fresh: Callable[[], Variable]) -> TestCase:
    """``test`` with each such option off that it does not give; the test itself where there is none. ``fresh`` gives variables."""
    made: list[Statement] = []
    classes: dict[Variable, type] = {}
    for one in test.statements:
        cls = _class_made(one, classes)
        if cls is not None:
            classes[one[0]] = cls
        option = _option(one, classes)
        if option and isinstance(one, st.MethodCall):
            off = Literal(fresh(), False)
            keywords = (*one.arguments.keywords, (option, off.variable))
            made += [off, one._replace(arguments=one.arguments._replace(keywords=keywords))]
        else:
            made.append(one)
    return test if len(made) == len(test.statements) else TestCase(tuple(made))


def _class_made(statement: Statement, classes: Mapping[Variable, type]) -> type | None:
    """The class that the statement names, or makes an object of."""
    live = None
    if isinstance(statement, st.Reference):
        live = statement.named.live
    elif isinstance(statement, st.Call):
        live = statement.callee.live
    elif isinstance(statement, st.CallValue):
        live = classes.get(statement.function)
    return live if is_class(live) else None


def _option(statement: Statement, classes: Mapping[Variable, type]) -> str:
    """The option of the method that it calls, "" if it has none, or is given it."""
    cls = classes.get(statement.receiver) if isinstance(statement, st.MethodCall) else None
    if cls is None or not isinstance(statement, st.MethodCall) or statement.arguments.double_star is not None:
        return ""
    found = static_attribute(cls, statement.name)
    function = None if found is None else found[1]
    if type(function) is not FunctionType:
        return ""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = [name for name, _ in statement.arguments.keywords]
    return next((one for one in names if one.startswith(_CATCHES) and one not in given), "")
