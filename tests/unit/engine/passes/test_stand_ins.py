"""What stands for others in a test becomes a mock of the declared class, with plain answers or those that it had."""

from __future__ import annotations

import random
import re
import sys
import types
from collections.abc import Callable, Iterator

import pytest

from crashwright.engine.passes.stand_ins import with_mocks, without_answers
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.mocked import stands_for_others
from crashwright.engine.testcase.making.variety import SUITE
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, CallValue, Definition, Literal
from crashwright.engine.testcase.testcase import TestCase

NAME = "desk_with_stand_ins"
SOURCE = """
import abc
from typing import Protocol

class Sender(Protocol):
    closed: "bool"
    def send(self, text: str) -> bool: ...

class Diary(abc.ABC):
    @abc.abstractmethod
    def note(self, text: str) -> None: ...
    @abc.abstractmethod
    def total(self) -> float:
        return self.kept * 2.0

class Half(abc.ABC):
    @abc.abstractmethod
    def note(self, text: str) -> None: ...
    def told(self) -> int:
        return 3

class Desk:
    def __init__(self, sender: Sender, diary: Diary, half: Half = None) -> None:
        self.sender = sender
"""


@pytest.fixture
def factory() -> Iterator[Factory]:
    module = types.ModuleType(NAME)
    sys.modules[NAME] = module
    exec(SOURCE, vars(module))
    api = ApiModel(NAME, [NAME])
    yield Factory(api, SeedPool(), api.callables, variety=SUITE)
    del sys.modules[NAME]


def found(name: str) -> type:
    cls = vars(sys.modules[NAME])[name]
    assert isinstance(cls, type)
    return cls


def desk(factory: Factory) -> TestCase:
    """One object for both roles, of a class that the test defines."""
    defined, made = factory.new(), factory.new()
    callee = factory.api.constructors_of(ClassHint(found("Desk")))[0]
    return TestCase(
        (
            Definition(
                defined, "class My:\n    def send(self, text):\n        return False\n    def total(self):\n        return 2.5"
            ),
            CallValue(made, defined, Arguments()),
            st.Call(factory.new(), callee, Arguments((made, made))),
        )
    )


def text_of(test: TestCase) -> str:
    return "\n".join(print_test(test).body)


def always(_test: TestCase) -> bool:
    return True


def test_classes_that_only_say_what_others_do_are_mocked(factory: Factory) -> None:
    assert stands_for_others(found("Sender"))
    assert stands_for_others(found("Diary"))
    assert not stands_for_others(found("Half"))
    assert not stands_for_others(found("Desk"))


def test_each_role_gets_a_mock_of_its_own(factory: Factory) -> None:
    text = text_of(with_mocks(desk(factory), factory, random.Random(1), always))
    assert "class My" not in text
    assert re.search(r"Mock\(spec=Sender, closed=(True|False), send=Mock\(return_value=True\)\)", text), text
    assert "Mock(spec=Diary, total=Mock(return_value=1.5))" in text


def answers(value: object) -> Callable[[TestCase], bool]:
    return lambda test: any(isinstance(one, Literal) and one.value == value for one in test.statements)


def test_where_plain_answers_lead_elsewhere_it_answers_as_before(factory: Factory) -> None:
    text = text_of(with_mocks(desk(factory), factory, random.Random(1), answers(2.5)))
    assert "Mock(spec=Diary, total=Mock(return_value=2.5))" in text


def test_where_no_mock_does_the_test_stays(factory: Factory) -> None:
    test = desk(factory)
    assert with_mocks(test, factory, random.Random(1), lambda _test: False) is test


def test_what_a_stand_in_has_answered_is_not_what_a_mock_answers(factory: Factory) -> None:
    defined, made, _ = desk(factory).statements
    assert isinstance(made, CallValue)
    answer = st.MethodCall(factory.new(), made.variable, "total", Arguments())
    kept = Literal(factory.new(), 2.5)
    more = st.MethodCall(factory.new(), answer.variable, "hex", Arguments())
    assert list(without_answers((defined, made, answer, kept, more), kept.variable)) == [defined, kept]
    assert list(without_answers((kept, more), answer.variable)) == [kept]
