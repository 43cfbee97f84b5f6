"""Mocks of what a test hands over: they answer as declared, are legal, and say what they were called with."""

from __future__ import annotations

import argparse
import collections
import configparser
import datetime
import pathlib
import random
import sqlite3
import sys
import types
import zipfile
from collections.abc import Callable, Iterator
from unittest.mock import Mock

import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.types import ANY, NONE, ClassHint, UnionHint
from crashwright.engine.testcase.legality import takes_what_is_declared
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.mocked import (
    can_mock,
    is_interface,
    is_meant_to_be_called,
    mock_of,
    mocked_class,
    mocked_function,
)
from crashwright.engine.testcase.making.variety import SUITE
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Call, Named, Reference, Statement
from crashwright.engine.testcase.testcase import TestCase

NAME = "shop_with_collaborators"
SOURCE = """
from typing import Iterator, Protocol

class Stock(Protocol):
    def count(self, name: str) -> int: ...
    def save(self, name: str) -> None: ...
    async def fetch(self, name: str) -> int: ...

class Rows(Protocol):
    def __len__(self) -> int: ...

class Gateway:
    def charge(self, owner: str) -> str:
        raise NotImplementedError

class Working:
    def charge(self, owner: str) -> str:
        return owner

class Till:
    def __init__(self, stock: Stock, gateway: Gateway) -> None:
        self.stock = stock
        self.gateway = gateway

    def sell(self, name: str) -> int:
        self.stock.save(name)
        return self.stock.count(name)
"""


@pytest.fixture
def factory() -> Iterator[Factory]:
    module = types.ModuleType(NAME)
    sys.modules[NAME] = module
    exec(SOURCE, vars(module))
    api = ApiModel(NAME, [NAME])
    yield Factory(api, SeedPool(), api.callables, variety=SUITE)
    del sys.modules[NAME]


def classes() -> dict[str, type]:
    return vars(sys.modules[NAME])


def test_methods_answer_as_they_declare(factory: Factory) -> None:
    statements: list[Statement] = []
    mock_of(factory, statements, classes()["Stock"], random.Random(1))
    text = "\n".join(print_test(TestCase(tuple(statements))).body)
    assert "spec=Stock" in text
    assert "count" in text
    assert "= Mock(return_value=" in text
    assert "AsyncMock(return_value=" in text
    assert "save=" not in text


def test_what_only_says_what_others_do_is_an_interface(factory: Factory) -> None:
    assert is_interface(classes()["Gateway"])
    assert not is_interface(classes()["Working"])
    assert can_mock(classes()["Stock"])
    assert not can_mock(classes()["Rows"])


def test_tests_with_mocks_run_and_are_legal(factory: Factory) -> None:
    rng = random.Random(2)
    sold = 0
    for _ in range(40):
        statements: list[Statement] = []
        factory.call(statements, next(one for one in factory.entry if one.name == "sell"), rng)
        test = TestCase(tuple(statements))
        assert test.is_valid()
        if "Mock(spec=Stock" in "\n".join(print_test(test).body) and takes_what_is_declared(test):
            sold += Executor().run(test).error is None
    assert sold


def test_a_function_is_a_mock_with_a_result(factory: Factory) -> None:
    statements: list[Statement] = []
    hint = ClassHint(Callable, (ClassHint(str), ClassHint(int)))  # type: ignore[arg-type]
    mocked_function(factory, statements, hint, random.Random(1))
    assert "Mock(return_value=" in "\n".join(print_test(TestCase(tuple(statements))).body)


def test_an_object_that_can_be_called_as_well_is_no_function(factory: Factory) -> None:
    asked = ClassHint(Callable, (ClassHint(int),))  # type: ignore[arg-type]
    connection = Call(0, factory.api.standard("sqlite3", "Connection"), NO_ARGUMENTS)
    assert not is_meant_to_be_called(connection, sqlite3.Connection, asked, factory.is_own)
    assert factory.reuse([connection], asked, random.Random(1)) is None
    mock = Call(1, factory.api.standard("unittest.mock", "Mock"), NO_ARGUMENTS)
    assert is_meant_to_be_called(mock, Mock, asked, factory.is_own)
    assert is_meant_to_be_called(connection, type(len), asked, factory.is_own)


def test_a_class_is_called_for_its_instances(factory: Factory) -> None:
    number, anything = ClassHint(Callable, (ClassHint(int),)), ClassHint(Callable)  # type: ignore[arg-type]
    text = Reference(0, Named("builtins", "str", str))
    assert not is_meant_to_be_called(text, type, number, factory.is_own)
    assert is_meant_to_be_called(text, type, anything, factory.is_own)
    assert is_meant_to_be_called(Reference(0, Named("builtins", "bool", bool)), type, number, factory.is_own)


def test_a_connection_is_one_to_a_database_in_memory(factory: Factory) -> None:
    statements: list[Statement] = []
    factory.instances.make(statements, ClassHint(sqlite3.Connection), random.Random(1), 0)
    assert 'connect(":memory:")' in "\n".join(print_test(TestCase(tuple(statements))).body)


def test_a_mock_may_answer_for_what_a_library_makes_and_that_is_no_value(factory: Factory) -> None:
    answering = (configparser.ConfigParser, sqlite3.Connection, zipfile.ZipFile)
    for cls in answering:
        assert mocked_class(ClassHint(cls), NAME) is cls
        assert mocked_class(UnionHint((NONE, ClassHint(cls))), NAME) is cls
    values = (datetime.date, pathlib.PurePath, collections.Counter, argparse.Namespace, ValueError, str)
    assert not any(mocked_class(ClassHint(cls), NAME) for cls in values)
    working = classes()["Working"]
    assert mocked_class(ClassHint(working), NAME) is None, "those of the module itself are made"
    assert mocked_class(ClassHint(working), f"{NAME}.tills") is working
    assert mocked_class(ClassHint(collections.abc.Mapping), NAME) is None
    assert mocked_class(ANY, NAME) is None
