"""Functions and classes that are handed over."""

from __future__ import annotations

import itertools

from crashwright.engine.subject.usage.roles import ANNOTATED, ASYNC, ASYNC_GENERATOR, CLASS, DATACLASS, FUNCTION, GENERATOR, Roles
from crashwright.engine.testcase.definitions.source import code_of
from crashwright.engine.testcase.making.given_callables import callables_for
from crashwright.engine.testcase.statements import CallValue, Definition, Named


def sources(name: str, roles: Roles) -> list[str]:
    made = callables_for(name, roles, ("KeyError",), itertools.count().__next__)
    found = [one.source for part in made for one in part if isinstance(one, Definition)]
    for source in found:
        code_of(source, "test")
    return found


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


def test_dataclasses_are_handed_over_as_classes_and_as_instances_with_a_field_of_each_type_that_the_module_names() -> None:
    alias = Named("shop", "Rest", dict[str, int])
    made = callables_for("record", Roles((DATACLASS,)), (), itertools.count().__next__, [alias])
    rest = [part[0].source for part in made if isinstance(part[0], Definition) and ("Rest", alias) in part[0].names]
    assert rest == ["@dataclass\nclass Record:\n    name: str\n    size: int\n    rest: Rest = None"] * 2
    assert [type(part[-1]) for part in made] == [Definition, CallValue] * 2


def test_a_parameter_that_is_called_a_class_gets_no_instances() -> None:
    made = callables_for("cls", Roles((DATACLASS,)), (), itertools.count().__next__)
    assert [type(part[-1]) for part in made] == [Definition]
