"""Mocks say what they stand for: ``Mock(spec=ConfigParser, ...)`` for a parameter that takes a parser.

Reading is easier with it, and a test with a method that the class no longer has fails. A search has no use for it, and drops it.
"""

from __future__ import annotations

from collections.abc import Callable

from crashwright.engine.subject.introspection import class_module, class_qualname
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.making.definitions import constructor_of
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.mocked import mocked_class
from crashwright.engine.testcase.statements import Named, Reference, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined


def with_specs(test: TestCase, good: Callable[[TestCase], bool], factory: Factory | None = None) -> TestCase:
    """``test``, which is good, with the declared class for the ``spec`` of each mock that has none, where it stays good. The
    ``factory`` knows where users import a class from; else it is by its own address."""
    for variable, cls in _asked(test).items():
        mocks = ((place, one) for place, one in enumerate(test.statements) if st.is_mock(one) and one.variable == variable)
        place, mock = next(mocks, (0, None))
        if mock is None or "spec" in dict(mock.arguments.keywords):
            continue
        spec = 1 + max(made for one in test.statements if (made := defined(one)) is not None)
        keywords = (("spec", spec), *mock.arguments.keywords)
        specified = mock._replace(arguments=mock.arguments._replace(keywords=keywords))
        candidate = TestCase(
            (*test.statements[:place], Reference(spec, _named(cls, factory)), specified, *test.statements[place + 1 :])
        )
        if good(candidate):
            test = candidate
    return test


def _named(cls: type, factory: Factory | None) -> Named:
    if factory is None:
        return Named(class_module(cls), class_qualname(cls), cls)
    home = constructor_of(factory, cls)
    return Named(home.module, home.qualname, cls)


def _asked(test: TestCase) -> dict[Variable, type]:
    """The classes of libraries that are asked for where variables of the test are passed."""
    found: dict[Variable, type] = {}
    for one in test.statements:
        if st.is_mock(one) or not isinstance(one, st.Call | st.MethodCall) or one.callee is None:
            continue
        for parameter, variable in bound(one.callee, one.arguments.positional, one.arguments.keywords):
            cls = mocked_class(parameter.hint, one.callee.module)
            if cls is not None:
                found.setdefault(variable, cls)
    return found
