"""Stand-ins for others become mocks, of which a test can ask what they were called with.

A search takes for a ``Protocol`` whatever leads somewhere: a class of the test, an empty text, one object for three roles. A mock
of the declared class with what its methods are to answer does the same, and says afterwards what was sent or stored.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from crashwright.engine.subject.api.callee import Parameter
from crashwright.engine.subject.api.types import ClassHint, Hint, UnionHint, accepts
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.definitions.source import returned_by_methods
from crashwright.engine.testcase.editing.unused import without_unused
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.mocked import answers_of, mock_of, stands_for_others
from crashwright.engine.testcase.statements import Arguments, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, used

MOST = 8
"""Stand-ins of one test."""
_PLAIN: tuple[tuple[type, tuple[Value, ...]], ...] = (
    (bool, (True, False)),
    (int, (1, 0)),
    (float, (1.5, 0.0)),
    (str, ("text", "")),
)
Good = Callable[[TestCase], bool]


class _Role(NamedTuple):
    """The argument ``variable`` of the call in that place, which is to be an object of ``cls``."""

    place: int
    parameter: Parameter
    variable: Variable
    cls: type


def with_mocks(test: TestCase, factory: Factory, rng: Random, good: Good) -> TestCase:
    """``test``, which is good, with a mock for each stand-in where it stays good."""
    tried: set[tuple[object, str]] = set()
    for _ in range(MOST):
        role = next((one for one in _roles(test) if _key(test, one) not in tried), None)
        if role is None:
            break
        tried.add(_key(test, role))
        for results in _results(test, role):
            candidate = _mocked(test, role, results, factory, rng)
            if candidate.is_valid() and good(candidate):
                test = without_unused(candidate, good)
                break
    return test


def _key(test: TestCase, role: _Role) -> tuple[object, str]:
    return defined(test.statements[role.place]), role.parameter.name


def _roles(test: TestCase) -> Iterator[_Role]:
    """Arguments that stand for others, and are no mocks of what is asked for."""
    made = {defined(one): one for one in test.statements}
    specs = {one.variable: one.named.live for one in test.statements if isinstance(one, st.Reference)}
    for index, one in enumerate(test.statements):
        if st.is_mock(one) or not isinstance(one, st.Call | st.MethodCall) or one.callee is None:
            continue
        for parameter, variable in bound(one.callee, one.arguments.positional, one.arguments.keywords):
            cls = _asked(parameter.hint)
            maker = made.get(variable)
            given = dict(maker.arguments.keywords) if st.is_mock(maker) else {}
            if cls is not None and specs.get(given.get("spec", -1)) is not cls:
                yield _Role(index, parameter, variable, cls)


def _asked(hint: Hint) -> type | None:
    """The class of others that a parameter asks for, if it asks for one."""
    if isinstance(hint, UnionHint):
        return next((found for one in hint.members if (found := _asked(one)) is not None), None)
    return hint.cls if isinstance(hint, ClassHint) and stands_for_others(hint.cls) else None


def _mocked(test: TestCase, role: _Role, results: Mapping[str, Value], factory: Factory, rng: Random) -> TestCase:
    before = test.statements[: role.place]
    # What the stand-in has answered itself is not handed to the mock: then nothing could go.
    seen = list(without_answers(before, role.variable))
    known = len(seen)
    mock = mock_of(factory, seen, role.cls, rng, results)
    call = test.statements[role.place]
    assert isinstance(call, st.Call | st.MethodCall)
    mocked = call._replace(arguments=_with(call, role, mock))
    return TestCase((*before, *seen[known:], mocked, *test.statements[role.place + 1 :]))


def without_answers(statements: Sequence[Statement], variable: Variable) -> Iterator[Statement]:
    """Without what comes of ``variable``, or of another stand-in."""
    found = {variable, *(one.variable for one in statements if isinstance(one, st.Definition | st.StubClass))}
    for one in statements:
        if found.isdisjoint(used(one)):
            yield one
        elif (made := defined(one)) is not None:
            found.add(made)


def _with(call: st.Call | st.MethodCall, role: _Role, mock: Variable) -> Arguments:
    """The arguments with the mock for the one parameter: others may have been given the same object."""
    arguments = call.arguments
    assert call.callee is not None
    names = [one.name for one, _ in bound(call.callee, arguments.positional, ())]
    positional = [mock if name == role.parameter.name else given for name, given in zip(names, arguments.positional, strict=False)]
    keywords = [(name, mock if name == role.parameter.name else given) for name, given in arguments.keywords]
    return arguments._replace(positional=(*positional, *arguments.positional[len(positional) :]), keywords=tuple(keywords))


def _results(test: TestCase, role: _Role) -> Iterator[dict[str, Value]]:
    """What the methods may answer: plain values, or as the stand-in does, as far as that is what they declare."""
    hints = answers_of(role.cls)
    known = {name: value for name, value in _answered(test, role.variable) if name in hints and accepts(hints[name], type(value))}
    for choice in range(2):
        plain: dict[str, Value] = {}
        for name, hint in hints.items():
            values = next((values for cls, values in _PLAIN if isinstance(hint, ClassHint) and hint.cls is cls), ())
            plain.update({name: values[choice]} if values else {})
        yield plain
        if choice == 0:
            yield {**plain, **known}


def _answered(test: TestCase, variable: Variable) -> Iterator[tuple[str, Value]]:
    """What the methods of a stand-in return that is a literal."""
    made = {defined(one): one for one in test.statements}
    maker = made.get(variable)
    if isinstance(maker, st.StubClass):
        yield from ((name, value) for name, kind, value in maker.members if kind == "method")
    if isinstance(maker, st.CallValue) and isinstance(cls := made.get(maker.function), st.Definition):
        for name, node in returned_by_methods(cls.source):
            if isinstance(node, ast.Constant | ast.UnaryOp):
                yield name, ast.literal_eval(node)
    if st.is_mock(maker):
        for name, given in maker.arguments.keywords:
            inner = made.get(given)
            answer = dict(inner.arguments.keywords).get("return_value") if isinstance(inner, st.Call) else None
            if isinstance(value := made.get(answer), st.Literal):
                yield name, value.value
