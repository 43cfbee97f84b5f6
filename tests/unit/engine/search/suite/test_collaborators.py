"""What a module calls of others is noticed while it is called, and named as the module names it."""

from __future__ import annotations

import ast
import functools
import importlib
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from crashwright.core.location import CodeKey, Position
from crashwright.engine.search.suite.collaborators import Collaborators
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.source import ModuleSource, Sources

NAME = "weather_that_calls"
SOURCE = """\
import functools
from functools import reduce
from weather_walkers import Walker

def outer(hook):
    return inner(hook)

def inner(hook):
    return functools.reduce(hook, [1, 2])

def by_name(hook):
    return reduce(hook, [1, 2])

def of_an_object(hook):
    part = functools.partial(len, "ab")
    return part.func(hook) if hook is None else sorted([2, 1], key=hook)

def either(hook, session=None):
    return (session or functools).reduce(hook, [1, 2])

def of_what_a_call_gives(hook):
    return make().walk_over(hook)

def make():
    return Walker()

def apart():
    return 1

class Client:
    def get(self, hook):
        return outer(hook)
"""


WALKERS = """\
class Base:
    def walk_over(self, hook):
        return hook(1, 2)

class Walker(Base):
    pass
"""


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    walkers = types.ModuleType("weather_walkers")
    exec(compile(WALKERS, "weather_walkers.py", "exec"), vars(walkers))
    monkeypatch.setitem(sys.modules, "weather_walkers", walkers)
    made = types.ModuleType(NAME)
    exec(compile(SOURCE, f"{NAME}.py", "exec"), vars(made))
    sys.modules[NAME] = made
    yield made
    del sys.modules[NAME]


@pytest.fixture
def collaborators(module: Any) -> Collaborators:
    assert module.__name__ == NAME
    return Collaborators(ModuleSource(NAME, f"{NAME}.py", SOURCE), Sources())


def noticing(collaborators: Collaborators) -> Callable[[int, int], int]:
    def hook(one: int, other: int) -> int:
        collaborators.notice()
        return one + other

    return hook


def test_an_attribute_of_a_module_is_named_by_the_innermost_function(module: Any, collaborators: Collaborators) -> None:
    module.outer(noticing(collaborators))
    assert collaborators.names == {f"{NAME}:functools.reduce": {"inner": None}}
    assert collaborators.live(f"{NAME}:functools.reduce") is functools.reduce


def test_an_imported_function_is_named_as_the_module_has_it(module: Any, collaborators: Collaborators) -> None:
    module.by_name(noticing(collaborators))
    assert list(collaborators.names) == [f"{NAME}:reduce"]


def test_of_two_that_may_be_called_the_one_that_is_there_is_named(module: Any, collaborators: Collaborators) -> None:
    module.either(noticing(collaborators))
    assert list(collaborators.names) == [f"{NAME}:functools.reduce"]


def test_a_method_of_what_a_call_gives_is_named_by_its_class(module: Any, collaborators: Collaborators) -> None:
    module.of_what_a_call_gives(noticing(collaborators))
    assert list(collaborators.names) == [f"{NAME}:Walker.walk_over"]


def test_builtins_are_nobody_elses(module: Any, collaborators: Collaborators) -> None:
    module.of_an_object(lambda value: collaborators.notice() or value)
    assert collaborators.names == {}


def test_callers_of_callers_reach_it(module: Any, collaborators: Collaborators) -> None:
    module.outer(noticing(collaborators))
    found = f"{NAME}:functools.reduce"
    assert collaborators.reached_from([CodeKey(NAME, "Client.get", 33)]) == (found,)
    assert collaborators.reached_from([CodeKey(NAME, "outer", 5)]) == (found,)
    assert collaborators.reached_from([CodeKey(NAME, "apart", 27)]) == ()
    assert collaborators.may_reach([CodeKey(NAME, "Client.get", 33)], {"inner"})


@pytest.mark.parametrize(("allowance", "found"), [("network", 1), ("processes", 1), ("write:/etc", 0), ("", 0)])
def test_only_what_a_test_can_do_without_is_replaced(module: Any, collaborators: Collaborators, allowance: str, found: int) -> None:
    module.outer(lambda one, other: collaborators.refused(allowance) or one + other)
    assert len(collaborators.names) == found


PIPES = """\
import functools

class Pipe:
    def __init__(self, hook):
        self.value = functools.reduce(hook, [1, 2])
"""
READER = """\
from weather_tower.pipes import Pipe

class Reader(Pipe):
    def __init__(self, hook):
        super().__init__(hook)
"""


def test_where_the_module_has_no_name_for_it_the_next_one_further_in_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "weather_tower"
    package.mkdir()
    for name, text in (("__init__", ""), ("pipes", PIPES), ("reader", READER)):
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    reader = importlib.import_module("weather_tower.reader")
    try:
        noticed = Collaborators(ModuleSource(reader.__name__, "reader.py", READER), Sources())
        reader.Reader(noticing(noticed))
        assert noticed.names == {"weather_tower.pipes:functools.reduce": {"Reader.__init__": None}}
        assert noticed.live("weather_tower.pipes:functools.reduce") is functools.reduce
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "weather_tower"]:
            del sys.modules[name]


def test_what_a_failed_import_would_have_bound_is_known_without_a_run() -> None:
    source = "try:\n    import queue_client\nexcept ImportError:\n    queue_client = None\n"
    source += "def send(text):\n    queue_client.put(text)\n"
    name = f"{NAME}_of_queues"
    sys.modules[name] = types.ModuleType(name)
    try:
        found = Collaborators(ModuleSource(name, f"{name}.py", source), Sources())
    finally:
        del sys.modules[name]
    assert found.absent == ("queue_client",)
    assert found.names == {f"{name}:queue_client.put": {"send": None}}


TILL = "weather_shop.till"
SHOP = """\
import shutil
from weather_shop import stock
from weather_shop.stock import listed

def order(name, settings):
    items = listed(name)
    if not items:
        return None
    if stock.count(name) > 2 and settings.checked:
        return items
    return shutil.which("tar") or shutil.which(name)

def later(name):
    row = stock.Row(name)
    return len(name) if row else asks(name)

async def asks(name):
    return await stock.fetched(name) or own(name)

def own(name):
    return name
"""
STOCK = """\
class Row:
    def __init__(self, name):
        self.name = name

def listed(name):
    return []

def count(name):
    return 0

async def fetched(name):
    return []
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Collaborators]:
    package = tmp_path / "weather_shop"
    package.mkdir()
    for name, text in (("__init__", ""), ("stock", STOCK), ("till", SHOP)):
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module(TILL)
    yield Collaborators(ModuleSource(TILL, "till.py", SHOP), Sources())
    for name in [name for name in sys.modules if name.partition(".")[0] == "weather_shop"]:
        del sys.modules[name]


def conditions(qualname: str) -> list[Position]:
    function = next(one for one in ast.walk(ast.parse(SHOP)) if getattr(one, "name", "") == qualname)
    return [position_of(one) for one in ast.walk(function) if isinstance(one, ast.expr)]


def test_functions_of_other_modules_that_decide_what_is_open_count_too(shop: Collaborators) -> None:
    shop.decide({"order": conditions("order")})
    found = ["listed", "stock.count", "shutil.which"]
    assert [name.partition(":")[2] for name in shop.deciding] == found
    assert [name.partition(":")[2] for name in shop.reached_from([CodeKey(TILL, "order", 5)], deciding=True)] == found
    assert shop.reached_from([CodeKey(TILL, "order", 5)]) == ()


def test_neither_classes_nor_what_is_awaited_nor_own_functions_do(shop: Collaborators) -> None:
    shop.decide({name: conditions(name) for name in ("later", "asks", "own")})
    assert shop.deciding == {}
    assert shop.reached_from([CodeKey(TILL, "later", 13)], deciding=True) == ()
