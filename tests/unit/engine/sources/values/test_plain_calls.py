"""Plain calls pass what a person would who tries a class out."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterator
from random import Random

import pytest

from crashwright.engine.sources.values.plain_calls import PlainCalls
from crashwright.engine.sources.values.usual_types import UsualTypes, usual_in
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.testcase import TestCase

NAME = "desk_of_plain_calls"
SOURCE = """
import sqlite3
from collections.abc import Callable
from datetime import date

class Desk:
    def __init__(self, connection: sqlite3.Connection, today: Callable[[], date], told: Callable[[str], None]) -> None:
        self.connection = connection

class ShelfNode:
    pass

class Tree:
    def __init__(self, node_class):
        self.root = node_class()
"""


@pytest.fixture
def api() -> Iterator[ApiModel]:
    module = types.ModuleType(NAME)
    exec(SOURCE, vars(module))
    sys.modules[NAME] = module
    yield ApiModel(NAME, [NAME])
    del sys.modules[NAME]


def made(api: ApiModel, name: str) -> str:
    factory = Factory(api, SeedPool(), api.callables)
    names = NameChain(api, factory.entry)
    usual: UsualTypes = usual_in([], [ast.parse(SOURCE)], names, factory.names, lambda _callee, _name: ())
    calls = PlainCalls(factory, usual, Random(1))
    callee = next(one for one in api.callables if one.name == name)
    assert calls.call(callee) is not None
    return " ".join("\n".join(print_test(TestCase(tuple(calls.statements))).body).split())


def test_a_function_is_a_mock_with_a_plain_answer_and_no_other_object(api: ApiModel) -> None:
    text = made(api, "Desk")
    assert 'connect(":memory:")' in text
    assert "Mock(return_value=datetime.date(2024, 1, 1))" in text
    assert text.count("return_value") == 1


def test_a_class_is_passed_where_the_name_asks_for_one(api: ApiModel) -> None:
    assert "Tree(ShelfNode)" in made(api, "Tree")
