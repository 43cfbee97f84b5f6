"""Classes that a test defines, of a small declarative package: made, run, printed and judged."""

from __future__ import annotations

import ast
import gc
import random
import sys
import types
from collections.abc import Iterator

import declared
import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import ClassHint, Hint, TypeHint
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.codec import decode, encode
from crashwright.engine.testcase.definitions.source import name_of, open_names
from crashwright.engine.testcase.editing.changes import change
from crashwright.engine.testcase.editing.edits import has_entry
from crashwright.engine.testcase.editing.minimise import minimise
from crashwright.engine.testcase.foreign import ApiResolver
from crashwright.engine.testcase.legality import is_legal
from crashwright.engine.testcase.making.declaring import is_declarative, missing_members, unfinished_members
from crashwright.engine.testcase.making.definitions import Definer
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import Setting, print_test
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.testcase import TestCase

API = ApiModel("declared", ["declared"])
CATALOGUE = API.constructor(declared.Catalogue)
LOAD = next(callee for callee in API.callables if callee.name == "load")
PATH = (declared.Catalogue, declared.Several, declared.Measured)


def factory(*entry: Callee, definer: Definer | None = None) -> Factory:
    return Factory(API, SeedPool(), entry, definer=definer)


def crash(entry: Callee, error: str, definer: Definer | None, tests: int = 400) -> TestCase | None:
    """A random test that ends so."""
    made, rng = factory(entry, definer=definer), random.Random(1)
    for _ in range(tests):
        test = made.random_test(rng, 6)
        assert test.is_valid()
        if error in repr(Executor().run(test).error):
            return test
    return None


def printed(test: TestCase) -> str:
    text = print_test(test, setting=Setting(alone=True))
    return "\n".join([*text.imports, *text.above, *text.body])


def test_what_is_there_to_be_derived_from() -> None:
    assert is_declarative(declared.Catalogue)
    assert not any(map(is_declarative, (declared.Reader, declared.Field, declared.Declared, int, ast.AST)))


class Report:
    """Leaves three things to its subclasses without being abstract."""

    @property
    def title(self) -> str:
        raise NotImplementedError(f"{type(self).__name__} has no title")

    def rows(self, limit=None):  # type: ignore[no-untyped-def]
        raise NotImplementedError

    async def send(self) -> None:
        raise NotImplementedError("not sent")

    def maybe(self) -> int:
        if self.title:
            return 1
        raise NotImplementedError

    def count(self) -> int:
        return len(self.rows())


class Finished(Report):
    def rows(self, _limit=None):  # type: ignore[no-untyped-def]
        return []


def test_what_only_says_that_it_is_not_implemented_is_left_to_subclasses() -> None:
    assert [member.name for member in unfinished_members(Report)] == ["rows", "send", "title"]
    assert [member.name for member in unfinished_members(Finished)] == ["send", "title"]
    assert unfinished_members(declared.Several) == []


def test_a_subclass_finishes_what_is_left_with_what_its_uses_ask_for() -> None:
    asked: list[str] = []

    def members(_cls: type, name: str) -> tuple[tuple[Hint, float], ...]:
        asked.append(name)
        return ((ClassHint(list), 1.0),)

    rng, definer = random.Random(1), Definer(members=members)
    statements: list[Statement] = []
    definer.subclass(factory(definer=definer), statements, Report, rng)
    last = statements[-1]
    assert isinstance(last, st.Definition)
    assert "class MyReport(Report):" in last.source
    assert "def rows(self, limit=None):" in last.source
    assert "async def send(self):" in last.source
    assert asked == ["rows"]
    assert "return [" in last.source or "return list(" in last.source


def test_an_unfinished_class_is_finished_about_every_second_time() -> None:
    definer, rng = Definer(), random.Random(2)
    assert 150 < sum(definer.wants(Report, rng) for _ in range(400)) < 250
    assert not any(definer.wants(declared.Several, rng) for _ in range(400))


def test_missing_members_are_as_they_are_declared() -> None:
    assert [member.name for member in missing_members(declared.Reader)] == ["name", "read"]
    assert missing_members(declared.Reader)[1].parameters == "self, size=None"


@pytest.mark.parametrize(
    ("entry", "error", "definer"),
    [
        (CATALOGUE, "cannot be bound", Definer(PATH, ("Wares",))),
        (LOAD, "ZeroDivisionError", Definer()),
    ],
)
def test_a_crash_that_only_a_class_of_the_test_meets(entry: Callee, error: str, definer: Definer) -> None:
    test = crash(entry, error, definer)
    assert test is not None
    assert has_entry(test, frozenset({entry}))
    small = minimise(test, lambda one: error in repr(Executor().run(one).error))
    assert len(small) <= 3
    assert is_legal(small, {})
    again = decode(encode(small), ApiResolver(API))
    assert printed(again) == printed(small)
    assert error in repr(Executor().run(again).error)
    with pytest.raises((RuntimeError, ZeroDivisionError)):
        exec(compile(printed(small), "test.py", "exec"), {})


def test_without_definitions_a_declared_class_is_never_found() -> None:
    assert crash(CATALOGUE, "cannot be bound", None) is None


def test_a_class_is_made_anew_and_leaves_nothing() -> None:
    rng, made = random.Random(3), factory(definer=Definer())
    statements: list[Statement] = []
    made.argument(statements, ClassHint(declared.Reader), rng, legal=True)
    assert isinstance(statements[-2], st.Definition)
    for _ in range(3):
        assert Executor().run(TestCase(tuple(statements))).error is None
    gc.collect()
    assert type.__subclasses__(declared.Reader) == []


def test_names_that_the_report_quotes_are_given() -> None:
    definer, rng = Definer(PATH, ("Wares",)), random.Random(1)
    names = set()
    for _ in range(40):
        statements: list[Statement] = []
        definer.subclass(factory(), statements, declared.Catalogue, rng)
        names |= {name_of(one.source) for one in statements if isinstance(one, st.Definition)}
    assert names >= {"Wares", "MyCatalogue"}


def test_a_class_as_a_value_may_be_one_of_the_test() -> None:
    made, kinds = factory(definer=Definer(PATH)), set()
    for seed in range(40):
        statements: list[Statement] = []
        made.argument(statements, TypeHint(declared.Catalogue), random.Random(seed), legal=True)
        kinds.add(type(statements[-1]))
    assert kinds == {st.Reference, st.Definition}


def test_changed_definitions_are_valid_and_differ() -> None:
    made, rng = factory(CATALOGUE, definer=Definer(PATH)), random.Random(2)
    sources = set()
    for _ in range(60):
        statements: list[Statement] = []
        made.definer.subclass(made, statements, declared.Catalogue, rng)  # type: ignore[union-attr]
        test = TestCase(tuple(statements))
        for _ in range(3):
            test = change(test, len(test) - 1, made, rng)
            assert test.is_valid()
            last = test.statements[-1]
            assert isinstance(last, st.Definition)
            assert dict(last.names).keys() <= {*open_names(last.source)}
            sources.add(last.source)
    assert len(sources) > 60


FEEDS = """
import typing
class Item:
    def __init__(self, text: str) -> None: ...
class Feed(typing.Protocol):
    def read(self) -> Item: ...
F = typing.TypeVar("F", bound=Feed)
def same(feed: F) -> F: return feed
"""


@pytest.fixture
def feeds() -> Iterator[ApiModel]:
    module = types.ModuleType("feeds_doubled")
    exec(FEEDS, vars(module))
    sys.modules["feeds_doubled"] = module
    yield ApiModel("feeds_doubled", ["feeds_doubled"])
    del sys.modules["feeds_doubled"]


def test_a_function_that_takes_a_protocol_gives_none_to_who_has_none(feeds: ApiModel) -> None:
    [same] = [callee for callee in feeds.callables if callee.name == "same"]
    made = Factory(feeds, SeedPool(), (same,), definer=Definer())
    made.pool.legal = True
    tests = [made.random_test(random.Random(seed), 2) for seed in range(30)]
    literals = {(number, one.variable) for number, test in enumerate(tests) for one in test if isinstance(one, st.Literal)}
    calls = [(number, one) for number, test in enumerate(tests) for one in test if isinstance(one, st.Call) and one.callee == same]
    assert calls
    assert not any((number, variable) in literals for number, call in calls for variable in call.arguments.positional)
    assert all(is_legal(test, {}) for test in tests)


@pytest.mark.parametrize(("returned", "legal"), [("Item('a')", True), ("Item", False), ("0", False), ("self.kept", True)])
def test_what_a_double_returns_is_of_the_type_that_is_declared(feeds: ApiModel, returned: str, legal: bool) -> None:
    [same] = [callee for callee in feeds.callables if callee.name == "same"]
    item = st.Named("feeds_doubled", "Item", sys.modules["feeds_doubled"].Item)
    source = f"class MyFeed:\n\n    def read(self):\n        return {returned}"
    names = (("Item", item),) if "Item" in returned else ()
    statements = (
        st.Definition(0, source, names),
        st.CallValue(1, 0, st.NO_ARGUMENTS),
        st.Call(2, same, st.Arguments((1,))),
    )
    assert is_legal(TestCase(statements), {}) is legal


CIRCLE = """
from abc import ABC, abstractmethod

class Node(ABC):
    @abstractmethod
    def copy(self) -> "Node": ...

    @abstractmethod
    def leaf(self) -> "Leaf": ...

class Leaf(ABC):
    @abstractmethod
    def parent(self) -> Node: ...

def weigh(node: Node) -> int:
    return 1
"""


def test_abstract_classes_whose_members_return_each_other_come_to_an_end() -> None:
    module = types.ModuleType("circle_of_nodes")
    exec(CIRCLE, vars(module))
    sys.modules["circle_of_nodes"] = module
    try:
        api = ApiModel("circle_of_nodes", ["circle_of_nodes"])
        weigh = next(callee for callee in api.callables if callee.name == "weigh")
        made = Factory(api, SeedPool(), (weigh,), definer=Definer())
        tests = [made.random_test(random.Random(seed), 6) for seed in range(20)]
        texts = ["\n".join(print_test(test).body) for test in tests]
        assert any("def copy(self" in text and "return None" in text for text in texts)
    finally:
        del sys.modules["circle_of_nodes"]
