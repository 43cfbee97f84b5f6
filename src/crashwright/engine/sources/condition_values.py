"""Tests in which a precondition's false conditions may hold: what a run had in its frames (``goals.crash.required_values``) is
replaced in the test that passed it.

A value is looked for where the test has it: in its literals, as the argument of that name of one of its calls, as an attribute of
one of its objects. What went through a calculation on the way is not found so; the tests to come get it by its name.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import islice

from crashwright.engine.goals.crash.required_values import RequiredValue
from crashwright.engine.sources.guarding_arguments import passed_for
from crashwright.engine.subject.introspection import class_mro
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import with_argument
from crashwright.engine.testcase.echoing.echo import as_value
from crashwright.engine.testcase.editing.substitution import substituted, with_part
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Literal, SetAttribute, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import defined

MOST = 24
"""Tests that are made of one."""
EACH = 3
"""Of one place of a required value: in all literals at once, and in two of them alone."""
PARTS = 8
"""Parts of literals that one required value is put in the place of, where it is not known which of them it is about."""
TOGETHER = 4
"""Required values that one test has."""


class WithRequiredValues:
    """Of one search. ``quoted`` variables hold what the report shows, and keep it."""

    def __init__(self, factory: Factory, quoted: Container[Variable]) -> None:
        self._factory = factory
        self._quoted = quoted

    def tests(self, test: TestCase, required: Sequence[RequiredValue]) -> list[TestCase]:
        """One required value after the other, and the first of each together."""
        found = {shape_of(test): test}
        together = test
        for number, needed in enumerate(required):
            for one in self._granted(test, needed):
                found.setdefault(shape_of(one), one)
            if number < TOGETHER:
                together = next(self._granted(together, needed), together)
        found.setdefault(shape_of(together), together)
        return [one for one in found.values() if one is not test and one.is_valid()][:MOST]

    def _granted(self, test: TestCase, needed: RequiredValue) -> Iterator[TestCase]:
        new = _value(needed.new)
        if new is None:
            return
        if needed.owner is not None:
            yield from islice(self._with_attribute(test, needed, needed.owner, new[0]), EACH)
            return
        yield from islice(self._with_argument(test, needed.name, new[0]), EACH)
        old = _value(needed.old)
        if old is not None:
            yield from islice(substituted(test, old[0], new[0]), EACH)
        elif not needed.name:
            yield from with_part(test, self._quoted, new[0], PARTS)

    def _with_argument(self, test: TestCase, name: str, value: Value) -> Iterator[TestCase]:
        """The last calls of what has a parameter of that name first."""
        for index in reversed(range(len(test.statements) if name else 0)):
            statement = test.statements[index]
            callee = statement.callee if isinstance(statement, st.Call | st.MethodCall) else None
            if callee is None or not isinstance(statement, st.Call | st.MethodCall):
                continue
            for place, parameter in enumerate(callee.parameters):
                if parameter.name != name or passed_for(statement.arguments, parameter, place) in self._quoted:
                    continue
                variable = self._factory.new()
                arguments = with_argument(statement.arguments, callee, parameter, variable)
                if arguments is not None:
                    before = (*test.statements[:index], Literal(variable, value))
                    yield TestCase((*before, statement._replace(arguments=arguments), *test.statements[index + 1 :]))

    def _with_attribute(self, test: TestCase, needed: RequiredValue, owner: type, value: Value) -> Iterator[TestCase]:
        """Set just before the last statement, which the object is there for."""
        if needed.name.startswith("_"):
            return
        *before, last = test.statements
        for statement in reversed([one for one in before if type(one) is not Literal]):
            cls, variable = type_of(statement, self._factory.observed), defined(statement)
            if cls is not None and variable is not None and any(one is cls for one in class_mro(owner)):
                literal = Literal(self._factory.new(), value)
                yield TestCase((*before, literal, SetAttribute(variable, needed.name, literal.variable), last))


def _value(plain: object) -> tuple[Value] | None:
    try:
        return (as_value(plain),)
    except TypeError:
        return None


def by_name(required: Sequence[RequiredValue]) -> dict[str, tuple[Value, ...]]:
    """The values that parameters should have, by their names."""
    found: dict[str, dict[str, Value]] = {}
    for needed in required:
        new = _value(needed.new)
        if needed.name and needed.owner is None and new is not None:
            found.setdefault(needed.name, {}).setdefault(repr(new[0]), new[0])
    return {name: tuple(values.values()) for name, values in found.items()}


def passed_in(tests: Sequence[TestCase]) -> dict[str, tuple[Value, ...]]:
    """The literals that ``tests`` pass, by the names of the parameters."""
    found: dict[str, dict[str, Value]] = {}
    for test in tests:
        literals = {one.variable: one.value for one in test.statements if isinstance(one, Literal)}
        for statement in test.statements:
            callee = statement.callee if isinstance(statement, st.Call | st.MethodCall) else None
            if callee is None or not isinstance(statement, st.Call | st.MethodCall):
                continue
            for place, parameter in enumerate(callee.parameters):
                passed = passed_for(statement.arguments, parameter, place)
                if passed in literals:
                    value = literals[passed]
                    found.setdefault(parameter.name, {}).setdefault(repr(value), value)
    return {name: tuple(values.values())[:MOST_PASSED] for name, values in found.items()}


MOST_PASSED = 6
"""Values of one parameter that are learnt from composed tests."""
