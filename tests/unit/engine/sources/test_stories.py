"""Stories: plain calls one after the other, each gone on with by what became of it."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.search.complaints import Complaints
from crashwright.engine.search.suite.problem import Ran
from crashwright.engine.sources import stories as module_of_stories
from crashwright.engine.sources.stories import Stories
from crashwright.engine.sources.values.plain_calls import PlainCalls
from crashwright.engine.sources.values.usual_types import UsualTypes, usual_in
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.testcase import TestCase

NAME = "stays_of_stories"
SOURCE = """
from datetime import date
from enum import Enum

class Kind(Enum):
    SINGLE = 1
    DOUBLE = 2

class Stay:
    def __init__(self, room: str, guest: str, start: date, end: date, kind: Kind = Kind.SINGLE):
        self.room, self.start, self.end = room, start, end

class Book:
    def __init__(self):
        self.stays: list[Stay] = []

    def add(self, stay: Stay) -> int:
        if stay.end <= stay.start:
            raise ValueError("no night")
        self.stays.append(stay)
        return len(self.stays)

    def drop(self, number: int) -> Stay:
        return self.stays.pop(number - 1)

def rooms(stays: list[Stay]) -> list[str]:
    return [stay.room for stay in stays]

def nights(first: str, night: int) -> int:
    return (date.fromisoformat(first) - date(2020, 1, 1)).days + night

def weekday(first: str) -> int:
    return date.fromisoformat(first).weekday()
"""


@pytest.fixture
def api() -> Iterator[ApiModel]:
    module = types.ModuleType(NAME)
    exec(SOURCE, vars(module))
    sys.modules[NAME] = module
    yield ApiModel(NAME, [NAME])
    del sys.modules[NAME]


@pytest.fixture
def factory(api: ApiModel) -> Factory:
    return Factory(api, SeedPool(), tuple(one for one in api.callables if one.module == NAME))


@pytest.fixture
def usual(api: ApiModel, factory: Factory) -> UsualTypes:
    names = NameChain(api, factory.entry)
    return usual_in((), (ast.parse(SOURCE),), names, factory.names, lambda _callee, _name: [])


def named(factory: Factory, name: str) -> Callee:
    return next(one for one in factory.entry if one.name == name)


def test_arguments_are_plain_and_differ(factory: Factory, usual: UsualTypes) -> None:
    calls = PlainCalls(factory, usual, Random(1))
    assert calls.call(named(factory, "Stay"), whole=True) is not None
    text = "\n".join(print_test(TestCase(tuple(calls.statements))).body)
    assert 'Stay("room", "guest", date, ' in text
    assert text.index("2024, 1, 1") < text.index("2024, 1, 2")
    assert "kind=Kind." in text


def test_several_of_a_class_are_asked_for(factory: Factory, usual: UsualTypes) -> None:
    calls = PlainCalls(factory, usual, Random(1))
    assert calls.call(named(factory, "rooms")) is not None
    test = TestCase(tuple(calls.statements))
    assert print_test(test).body[-1].startswith("rooms([stay")
    assert Executor().run(test).error is None


class SoFar:
    """Runs what it is given."""

    def __init__(self, factory: Factory) -> None:
        self.factory = factory
        self.covered = 0
        self.stories: list[TestCase] = []
        self.plain: set[int] = set()
        self.latest: list[Any] = []
        self.complaints = Complaints()

    def run(self, test: TestCase) -> None:
        outcome = Executor().run(test)
        self.complaints.words = "" if outcome.error is None else str(outcome.error)
        self.covered += 1
        self.latest = [Ran(test, None, self.covered, 1, raised=outcome.error is not None)]


def test_what_returned_is_gone_on_with(api: ApiModel, factory: Factory, usual: UsualTypes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_of_stories, "usual_in_module", lambda _subject, _factory: usual)
    so_far: Any = SoFar(factory)
    subject: Any = types.SimpleNamespace(callables=factory.entry)
    told = []
    for test in Stories().tests(subject, so_far, Random(1)):
        so_far.run(test)
        told.append("; ".join(print_test(test).body))
    assert any("book.add(" in one and one.endswith("book.drop(1)") for one in told)
    assert any(one.count("book.add(") == 2 for one in told)
    assert not any("book.drop(1); " in one for one in told if "book.add(" not in one.split("book.drop(1)")[0])
    assert len(told) == len(set(told))
    assert all("datetime.date(2024, 1, 2)" in "; ".join(print_test(one).body) for one in so_far.stories if "Stay(" in str(one))


def test_a_text_that_is_refused_is_another_one_from_then_on(
    factory: Factory, usual: UsualTypes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module_of_stories, "usual_in_module", lambda _subject, _factory: usual)
    so_far: Any = SoFar(factory)
    subject: Any = types.SimpleNamespace(callables=[named(factory, "nights"), named(factory, "weekday")])
    told = []
    for test in Stories().tests(subject, so_far, Random(1)):
        so_far.run(test)
        told.append("; ".join(print_test(test).body))
    assert told == ['nights("first", 1)', 'nights("2020-01-02", 1)', 'weekday("2020-01-02")'] or told == [
        'nights("first", 1)',
        'weekday("first")',
        'nights("2020-01-02", 1)',
        'weekday("2020-01-02")',
    ]
    assert len(so_far.stories) == 2
