"""Mocks of a suite's test say what they stand for: ``Mock(spec=ConfigParser, ...)`` for a parameter that takes a parser.

Reading is easier with it, and a test with a method that the class no longer has fails. A search has no use for it, and drops it.
"""

from __future__ import annotations

from collections.abc import Callable

from crashwright.engine.subject.api.callee import MOCKS, Callee
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.making.definitions import constructor_of
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.mocked import mocked_class
from crashwright.engine.testcase.statements import Named, Reference, Variable
from crashwright.engine.testcase.testcase import TestCase


def with_specs(test: TestCase, factory: Factory, package: str, good: Callable[[TestCase], bool]) -> TestCase:
    """``test``, which is good, with the declared class for the ``spec`` of each mock that has none, where it stays good."""
    for variable, cls in _asked(test, package).items():
        place = next((place for place, one in enumerate(test.statements) if _is_bare(one, variable)), None)
        if place is None:
            continue
        mock, home, spec = test.statements[place], constructor_of(factory, cls), factory.new()
        assert isinstance(mock, st.Call)
        keywords = (("spec", spec), *mock.arguments.keywords)
        named = Reference(spec, Named(home.module, home.qualname, cls))
        specified = mock._replace(arguments=mock.arguments._replace(keywords=keywords))
        candidate = TestCase((*test.statements[:place], named, specified, *test.statements[place + 1 :]))
        if good(candidate):
            test = candidate
    return test


def _is_bare(statement: st.Statement, variable: Variable) -> bool:
    is_mock = isinstance(statement, st.Call) and statement.callee.module == MOCKS and statement.variable == variable
    return is_mock and isinstance(statement, st.Call) and "spec" not in dict(statement.arguments.keywords)


def _asked(test: TestCase, package: str) -> dict[Variable, type]:
    """The classes of libraries that are asked for where variables of the test are passed."""
    found: dict[Variable, type] = {}
    for one in test.statements:
        callee: Callee | None = one.callee if isinstance(one, st.Call | st.MethodCall) else None
        if callee is None or callee.module == MOCKS or not isinstance(one, st.Call | st.MethodCall):
            continue
        for parameter, variable in bound(callee, one.arguments.positional, one.arguments.keywords):
            cls = mocked_class(parameter.hint, package)
            if cls is not None:
                found.setdefault(variable, cls)
    return found
