"""Functions and classes that are handed over."""

from __future__ import annotations

import itertools

from crashwright.engine.subject.usage.roles import ANNOTATED, ASYNC, ASYNC_GENERATOR, CLASS, FUNCTION, GENERATOR, Roles
from crashwright.engine.testcase.definitions.source import code_of
from crashwright.engine.testcase.making.given_callables import callables_for


def sources(name: str, roles: Roles) -> list[str]:
    made = callables_for(name, roles, ("KeyError",), itertools.count().__next__)
    for one in made:
        code_of(one.source, "test")
    return [one.source for one in made]


def test_a_function_that_is_called_takes_what_it_is_given_and_may_raise_what_is_caught() -> None:
    assert sources("callback", Roles((), (2,))) == [
        "def callback(x, y):\n    return x",
        "def callback(x, y):\n    raise KeyError",
        "def callback(x, y):\n    raise RuntimeError",
    ]


def test_one_that_is_called_with_nothing_gives_something() -> None:
    assert sources("fn", Roles((), (0,)))[0] == "def function():\n    return 1"


def test_each_kind_that_is_told_apart_is_there() -> None:
    made = sources("name", Roles((FUNCTION, ASYNC, GENERATOR, ASYNC_GENERATOR, ANNOTATED)))
    assert made == [
        "def function(x):\n    return x",
        "async def function(x):\n    return x",
        "def function(x):\n    yield x",
        "async def function(x):\n    yield x",
        "def function(x: int, y: str='a') -> str:\n    return y",
    ]


def test_a_class_has_the_methods_that_it_is_asked_for() -> None:
    made = sources("plugin", Roles((CLASS,), members=("run", "__doc__")))
    assert made[1:] == ["class Plugin:\n    pass", "class Plugin:\n\n    def run(self, *args):\n        return 1"]
