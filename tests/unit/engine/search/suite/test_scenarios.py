"""Scenarios join tests of two methods on one object."""

from __future__ import annotations

import itertools
import sys
import types
from collections.abc import Iterator

import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.search.suite.scenarios import another, scenarios
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import Arguments, Call, Literal, MethodCall, SetAttribute, Statement, Value
from crashwright.engine.testcase.testcase import TestCase

NAME = "shelf_of_scenarios"
SOURCE = """
class Shelf:
    def __init__(self, width):
        self.items = []

    def put(self, name):
        self.items.append(name)

    def all(self):
        return sorted(self.items)

    def drop(self, name):
        self.items.remove(name)
"""


@pytest.fixture
def api() -> Iterator[ApiModel]:
    module = types.ModuleType(NAME)
    exec(SOURCE, vars(module))
    sys.modules[NAME] = module
    yield ApiModel(NAME, [NAME])
    del sys.modules[NAME]


def method(api: ApiModel, name: str) -> Callee:
    found = api.member(vars(sys.modules[NAME])["Shelf"], name)
    assert found is not None
    return found


def shelf(api: ApiModel, first: int) -> tuple[Statement, ...]:
    made = api.constructor(vars(sys.modules[NAME])["Shelf"])
    return Literal(first, 3), Call(first + 1, made, Arguments((first,)))


def using(api: ApiModel, name: str, first: int, *values: Value) -> TestCase:
    literals = tuple(Literal(first + 2 + number, value) for number, value in enumerate(values))
    arguments = Arguments(tuple(one.variable for one in literals))
    call = MethodCall(first + 9, first + 1, name, arguments, method(api, name))
    return TestCase((*shelf(api, first), *literals, call))


def texts(tests: list[TestCase]) -> list[str]:
    found = list(scenarios(tests, itertools.count(1000).__next__))
    assert all(test.is_valid() for test in found)
    return ["\n".join(print_test(test).body) for test in found]


def test_what_one_changes_another_answers(api: ApiModel) -> None:
    found = texts([using(api, "put", 0, "bolt"), using(api, "all", 20)])
    assert any(text.index('put("bolt")') < text.index("all()") for text in found if "all()" in text and "put" in text)
    assert any('put("bolt")' in text and 'put("another_bolt")' in text and "all()" in text for text in found)
    assert not any(text.count("Shelf(") > 1 for text in found)


def test_they_run_on_one_object(api: ApiModel) -> None:
    tests = [using(api, "put", 0, "bolt"), using(api, "drop", 20, "bolt")]
    ran = [Executor().run(test) for test in scenarios(tests, itertools.count(1000).__next__)]
    assert any(outcome.error is None for outcome in ran)
    assert any(type(outcome.error) is ValueError for outcome in ran)


def test_calls_that_no_test_ends_with_begin_one_too(api: ApiModel) -> None:
    ends_otherwise = using(api, "put", 0, "bolt")
    drop = MethodCall(19, 1, "drop", Arguments((2,)), method(api, "drop"))
    found = texts([TestCase((*ends_otherwise.statements, drop)), using(api, "all", 20)])
    assert any(text.endswith("shelf.all()") and 'put("another_bolt")' in text and "drop" not in text for text in found)


def test_what_was_put_twice_is_asked_for_first(api: ApiModel) -> None:
    found = texts([using(api, "all", 20), using(api, "put", 0, "bolt")])
    asked = [text for text in found if "all()" in text and "put" in text]
    assert asked[0].count("put(") == 2


def test_what_a_call_repeats_is_left_out(api: ApiModel) -> None:
    put = using(api, "put", 0, "bolt")
    drop = MethodCall(19, 1, "drop", Arguments((2,)), method(api, "drop"))
    found = texts([put, TestCase((*put.statements, drop))])
    assert any(text.count("put(") == 2 and "another_bolt" in text and "drop(" in text for text in found)
    assert not any(text.count('put("bolt")') > 1 and 'put("another_bolt")' in text for text in found)


def test_what_is_set_on_an_object_does_not_make_it(api: ApiModel) -> None:
    put = using(api, "put", 20, "bolt")
    told = SetAttribute(1, "items", 2)
    test = TestCase((*shelf(api, 0)[:1], Literal(1, "no shelf"), Literal(2, 3), told, *put.statements))
    assert all("Shelf(" in text for text in texts([test]))


def test_what_is_steered_by_a_function_of_the_test_goes_on_with_what_others_do(api: ApiModel) -> None:
    mock = Call(50, api.standard("unittest.mock", "Mock"), Arguments())
    steered = Call(51, api.constructor(vars(sys.modules[NAME])["Shelf"]), Arguments((50,)))
    put = MethodCall(59, 51, "put", Arguments((52,)), method(api, "put"))
    found = texts(
        [using(api, "put", 0, "bolt"), TestCase((mock, steered, Literal(52, "nut"), put)), using(api, "drop", 20, "bolt")]
    )
    assert any("Mock()" in text and 'put("nut")' in text and "drop(" in text for text in found)
    assert any("Mock()" not in text and 'put("bolt")' in text and "drop(" in text for text in found)
    assert not any("Mock()" in text and text.index("drop(") < text.index("put(") for text in found if "drop(" in text)


def test_dates_become_other_days(api: ApiModel) -> None:
    day = api.standard("datetime", "date")
    numbers = [Literal(number, value) for number, value in enumerate((2024, 1, 1), 30)]
    made = Call(33, day, Arguments((30, 31, 32)))
    put = MethodCall(40, 1, "put", Arguments((33,)), method(api, "put"))
    found = texts([TestCase((*shelf(api, 0), *numbers, made, put))])
    assert any("date(2024, 1, 1)" in text and "date(2024, 1, 2)" in text for text in found)


def test_tests_of_functions_have_no_object_to_go_on_with(api: ApiModel) -> None:
    assert texts([TestCase(shelf(api, 0))]) == []


@pytest.mark.parametrize(("value", "other"), [("bolt", "another_bolt"), ("", "A"), (1, 2), (1.5, 2.5), (True, None), (None, None)])
def test_other_values_are_of_the_kind(value: Value, other: Value) -> None:
    assert another(value) == other
