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
from crashwright.engine.testcase.statements import Arguments, Call, Literal, MethodCall, Statement, Value
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
    assert any('put("bolt")' in text and 'put("abolt")' in text and "all()" in text for text in found)
    assert not any(text.count("Shelf(") > 1 for text in found)


def test_they_run_on_one_object(api: ApiModel) -> None:
    tests = [using(api, "put", 0, "bolt"), using(api, "drop", 20, "bolt")]
    ran = [Executor().run(test) for test in scenarios(tests, itertools.count(1000).__next__)]
    assert any(outcome.error is None for outcome in ran)
    assert any(type(outcome.error) is ValueError for outcome in ran)


def test_tests_of_functions_have_no_object_to_go_on_with(api: ApiModel) -> None:
    assert texts([TestCase(shelf(api, 0))]) == []


@pytest.mark.parametrize(("value", "other"), [("bolt", "abolt"), ("", "A"), (1, 2), (1.5, 2.5), (True, None), (None, None)])
def test_other_values_are_of_the_kind(value: Value, other: Value) -> None:
    assert another(value) == other
