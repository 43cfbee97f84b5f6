"""More calls on the object that the last call works on: what was there stays, and what came up is taken again."""

from __future__ import annotations

import itertools
import random

from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ANY, ClassHint
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.sequels import prolong
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Literal, MethodCall
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import used

EITHER, STAR = ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.VAR_POSITIONAL


class Tree: ...


def method(name: str, *parameters: Parameter) -> Callee:
    return Callee(__name__, f"Tree.{name}", CalleeKind.METHOD, parameters, owner=Tree)


TREE = Callee(__name__, "Tree", CalleeKind.CLASS, (), live=Tree, owner=Tree)
ADD = method("add", Parameter("key", EITHER, ClassHint(str)), Parameter("under", EITHER, ANY, False))
MANY = method("many", Parameter("keys", STAR, ClassHint(str), False))
SHOW = method("show")


class Api:
    callables = (TREE, ADD, MANY, SHOW)
    constants = ()

    def methods_of(self, cls):
        return (ADD, MANY, SHOW) if cls is Tree else ()

    def constructors_of(self, hint):
        return (TREE,)

    def producers(self, hint):
        return ()


def factory(**options) -> Factory:
    return Factory(Api(), SeedPool(), (SHOW,), fresh=itertools.count(100), **options)


def call(variable: int, callee: Callee, *passed: int) -> MethodCall:
    return MethodCall(variable, 0, callee.name, Arguments(passed), callee)


SHOWN = TestCase((Call(0, TREE, Arguments()), Literal(1, "a"), call(2, ADD, 1), call(3, SHOW)))


def prolonged(test: TestCase = SHOWN, **options) -> list[TestCase]:
    made = factory(**options)
    return [prolong(test, made, random.Random(seed)) for seed in range(200)]


def test_what_went_before_is_kept_and_more_is_called_on_the_same_object() -> None:
    for test in prolonged():
        assert test.is_valid()
        assert test.statements[:3] == SHOWN.statements[:3]
        calls = [one for one in test.statements if isinstance(one, MethodCall)]
        assert 3 <= len(calls) <= 5
        assert {one.receiver for one in calls} == {0}
        assert calls[-1].callee is SHOW


def test_what_was_passed_or_returned_comes_back() -> None:
    again = [one for test in prolonged() for one in test.statements[3:] if isinstance(one, MethodCall) and one.callee is ADD]
    passed = [variable for one in again for variable in used(one)[1:]]
    assert passed.count(1) > len(again) // 5
    assert 2 in passed
    assert any(variable >= 100 for variable in passed)
    assert all(
        not one.arguments.positional or one.arguments.positional[0] != 2
        for one in again
        if one.callee.parameters[0].hint is not ANY
    )


def test_what_is_passed_stands_where_it_can() -> None:
    for test in prolonged():
        for one in test.statements:
            if isinstance(one, MethodCall) and one.callee is MANY:
                assert not one.arguments.keywords
            if isinstance(one, MethodCall) and one.callee is ADD:
                assert len(one.arguments.positional) == 1
                assert [name for name, _ in one.arguments.keywords] in ([], ["under"])


def test_where_there_is_no_object_or_no_room_the_test_stays() -> None:
    plain = TestCase((Literal(0, "a"), Call(1, TREE, Arguments())))
    assert prolong(plain, factory(), random.Random(1)) is plain
    assert all(test is SHOWN for test in prolonged(max_length=4))


def test_literals_hardly_count_for_the_length_of_diverse_tests() -> None:
    literals: list[st.Statement] = [Literal(number, number) for number in range(10)]
    assert not factory(max_length=5).has_room(literals)
    diverse = factory(max_length=5, diverse=True)
    assert diverse.has_room(literals)
    assert not diverse.has_room(literals + [call(100 + number, SHOW) for number in range(6)])
    assert not diverse.has_room(literals * 2)
