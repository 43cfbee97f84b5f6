"""Functions of the caller's in the middle of a report, defined in tests by the one line that is shown of them."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterator
from random import Random

import pytest

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.testcase.echoing.callers_functions import FunctionMaker, shown_function
from crashwright.engine.testcase.making.definitions import Definer
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Definition, Ref, Statement
from crashwright.engine.testcase.testcase import TestCase

SOURCE = """
class Bell:
    def __init__(self, limit=3):
        self.limit = limit
    def ring(self, topic):
        return topic

class Stroll:
    def back(self, rest):
        return rest

def sounded(topic):
    return topic
"""
DRAWS = 40


@pytest.fixture
def factory() -> Iterator[Factory]:
    module = types.ModuleType("bells_in_the_middle")
    exec(SOURCE, vars(module))
    sys.modules[module.__name__] = module
    api = ApiModel(module.__name__, [module.__name__])
    entry = next(one for one in api.callables if one.name == "sounded")
    yield Factory(api, SeedPool(), (entry,), definer=Definer())
    del sys.modules[module.__name__]


def subject_class(name: str) -> type:
    found: type = vars(sys.modules["bells_in_the_middle"])[name]
    return found


def maker(factory: Factory, name: str, source: str, leading: str, callee: str = "") -> FunctionMaker:
    shown = shown_function(name, source, leading, None, subject_class(callee) if callee else None)
    assert shown is not None
    return FunctionMaker(shown, NameChain(factory.api, factory.entry), factory)  # type: ignore[arg-type]


def drawn(factory: Factory, made: FunctionMaker, before: list[Statement]) -> list[tuple[str, list[Statement]]]:
    """Sources with the statements before them, in many draws."""
    found = []
    for seed in range(DRAWS):
        statements = list(before)
        if made.function(statements, Random(seed)) is not None:
            assert TestCase(tuple(statements)).is_valid()
            last = statements[-1]
            assert isinstance(last, Definition)
            found.append((last.source, statements))
    return found


def test_it_takes_what_it_is_called_with_and_works_on_what_is_at_hand(factory: Factory) -> None:
    before: list[Statement] = []
    bell = factory.argument(before, ClassHint(subject_class("Bell")), Random(1), 1, legal=True)
    made = drawn(factory, maker(factory, "paid", "bell.ring(topic)", "handler(topic)", "Bell"), before)
    wanted = "def paid(topic):\n    return bell.ring(topic)"
    assert {source for source, _ in made} == {wanted}
    assert ("bell", Ref(bell)) in dict.fromkeys(pair for _, statements in made for pair in statements[-1].names)  # type: ignore[union-attr]


def test_the_object_that_calls_it_may_be_what_it_works_on(factory: Factory) -> None:
    made = drawn(factory, maker(factory, "shine", "return works.ring(piece)", "piece = stage(self, piece)", "Bell"), [])
    sources = [source for source, _ in made]
    assert "def shine(works, piece):\n    return works.ring(piece)" in sources
    assert any(source.startswith("def shine(value, piece)") for source in sources), "or something else"


def test_what_is_passed_behind_a_star_has_a_name_or_none(factory: Factory) -> None:
    made = drawn(factory, maker(factory, "paid", "sounded(amount)", "handler(*details)"), [])
    assert {"amount=None", "*args"} <= {source.partition("(")[2].partition(")")[0].partition(",")[0] for source, _ in made}


def test_a_lambda_is_written_as_a_function_with_its_arguments(factory: Factory) -> None:
    made = drawn(factory, maker(factory, "<lambda>", 'sheet.derive(lambda row: row.cell("city"))', "function(row)"), [])
    assert {source for source, _ in made} == {"def callback(row):\n    return row.cell('city')"}


def test_what_waits_is_a_coroutine_function(factory: Factory) -> None:
    made = drawn(factory, maker(factory, "fetch", "await sounded(key)", "await self._source(key)"), [])
    assert {source for source, _ in made} == {"async def fetch(key):\n    return await sounded(key)"}


def test_what_works_on_itself_is_a_method_of_a_subclass(factory: Factory) -> None:
    made = maker(factory, "at_mill", "return self.back(rest)", "visitor(rest)", "Stroll")
    assert made.bases() == (subject_class("Stroll"),)
    statements: list[Statement] = []
    assert made.subclass(statements, subject_class("Stroll"), Random(1)) is not None
    (defined,) = statements
    assert isinstance(defined, Definition)
    cls = ast.parse(defined.source).body[0]
    assert isinstance(cls, ast.ClassDef)
    assert ast.unparse(cls.bases[0]) == "Stroll"
    assert ast.unparse(cls.body[-1]) == "def at_mill(self, rest):\n    return self.back(rest)"


def test_it_may_be_the_method_of_a_class_of_its_own(factory: Factory) -> None:
    statements: list[Statement] = []
    assert maker(factory, "on_paid", "self.seen = topic", "hook.on_paid(topic)").bearer(statements, Random(1)) is not None
    (defined,) = statements
    assert isinstance(defined, Definition)
    assert defined.source == "class OnPaid:\n\n    def on_paid(self, topic):\n        self.seen = topic"


@pytest.mark.parametrize(("name", "source"), [("paid", "]"), ("<lambda>", "ring(topic)"), ("<module>", "ring()")])
def test_what_cannot_be_read_is_not_defined(name: str, source: str) -> None:
    assert shown_function(name, source, "handler(topic)") is None
