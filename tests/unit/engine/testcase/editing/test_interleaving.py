"""Something else is done between two steps of what is under way."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.sources.interleaved import Interleaved
from crashwright.engine.sources.source import When
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.editing.interleaving import interleaved_tests, is_under_way
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import (
    NO_ARGUMENTS,
    Arguments,
    Call,
    Enter,
    Iterate,
    Literal,
    MethodCall,
    Statement,
)
from crashwright.engine.testcase.testcase import TestCase

NAME = "under_way"
SOURCE = """
class Tape:
    def __init__(self, text):
        self._words = {word: 1 for word in text.split()}
    def words(self):
        for word in self._words:
            yield word
    def splice(self, word):
        self._words[word] = 1
    def held(self):
        return Hold(self)

class Hold:
    def __init__(self, tape):
        self.tape = tape
    def __enter__(self):
        self.number = len(self.tape._words)
        return self.tape
    def __exit__(self, *_):
        if self.number != len(self.tape._words):
            raise ValueError("spliced meanwhile")
"""


@pytest.fixture
def api() -> Iterator[ApiModel]:
    module = types.ModuleType(NAME)
    exec(SOURCE, vars(module))
    sys.modules[NAME] = module
    yield ApiModel(NAME, [NAME])
    del sys.modules[NAME]


def method(api: ApiModel, cls: str, name: str) -> Callee:
    return next(one for one in api.methods_of(vars(sys.modules[NAME])[cls]) if one.name == name)


def begun(api: ApiModel) -> list[Statement]:
    tape = next(one for one in api.callables if one.qualname == "Tape")
    return [Literal(0, "a b c"), Call(1, tape, Arguments((0,)))]


def driven(api: ApiModel) -> TestCase:
    words = method(api, "Tape", "words")
    return TestCase((*begun(api), MethodCall(2, 1, "words", NO_ARGUMENTS, words), Iterate(3, 2, "list", 50)))


def entered(api: ApiModel) -> TestCase:
    hold = next(one for one in api.callables if one.qualname == "Hold")
    return TestCase((*begun(api), Call(2, hold, Arguments((1,))), Enter(3, 2)))


def factory_of(api: ApiModel) -> Factory:
    return Factory(api, SeedPool(), (method(api, "Tape", "words"),))


def said(tests: list[TestCase]) -> set[str]:
    assert all(test.is_valid() for test in tests)
    return {str(Executor().run(test).error) for test in tests}


def test_what_is_gone_through_changes_between_two_items(api: ApiModel) -> None:
    tests = list(interleaved_tests(driven(api), factory_of(api), Random(1)))
    assert "dictionary changed size during iteration" in said(tests)
    steps = [line for test in tests for line in print_test(test).body if "next(" in line]
    assert steps, "by hand, as somebody would write it"


def test_what_a_block_is_about_changes_within_it(api: ApiModel) -> None:
    assert "spliced meanwhile" in said(list(interleaved_tests(entered(api), factory_of(api), Random(1))))


def test_what_is_not_under_way_stays(api: ApiModel) -> None:
    test = TestCase(tuple(begun(api)))
    assert not is_under_way(test)
    assert list(interleaved_tests(test, factory_of(api), Random(1))) == []


def test_each_is_proposed_once(api: ApiModel) -> None:
    source, factory = Interleaved(), factory_of(api)
    state: Any = SimpleNamespace(
        factory=factory, moment=When.AHEAD, reached=[driven(api)], given={"stories": [driven(api)]}, begun_with=lambda _: []
    )
    first = list(source.tests(cast(Any, None), state, Random(1)))
    assert first
    assert len(list(source.tests(cast(Any, None), state, Random(1)))) < len(first), "the same values came up before"
