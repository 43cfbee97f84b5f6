"""What a module calls of others is noticed while it is called, and named as the module names it."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.search.suite.collaborators import Collaborators
from crashwright.engine.subject.source import ModuleSource

NAME = "weather_that_calls"
SOURCE = """\
import functools
from functools import reduce

def outer(hook):
    return inner(hook)

def inner(hook):
    return functools.reduce(hook, [1, 2])

def by_name(hook):
    return reduce(hook, [1, 2])

def of_an_object(hook):
    part = functools.partial(len, "ab")
    return part.func(hook) if hook is None else sorted([2, 1], key=hook)

def apart():
    return 1

class Client:
    def get(self, hook):
        return outer(hook)
"""


@pytest.fixture
def module() -> Iterator[Any]:
    made = types.ModuleType(NAME)
    exec(compile(SOURCE, f"{NAME}.py", "exec"), vars(made))
    sys.modules[NAME] = made
    yield made
    del sys.modules[NAME]


@pytest.fixture
def collaborators(module: Any) -> Collaborators:
    assert module.__name__ == NAME
    return Collaborators(ModuleSource(NAME, f"{NAME}.py", SOURCE))


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


def test_builtins_are_nobody_elses(module: Any, collaborators: Collaborators) -> None:
    module.of_an_object(lambda value: collaborators.notice() or value)
    assert collaborators.names == {}


def test_callers_of_callers_reach_it(module: Any, collaborators: Collaborators) -> None:
    module.outer(noticing(collaborators))
    found = f"{NAME}:functools.reduce"
    assert collaborators.reached_from([CodeKey(NAME, "Client.get", 23)]) == (found,)
    assert collaborators.reached_from([CodeKey(NAME, "outer", 4)]) == (found,)
    assert collaborators.reached_from([CodeKey(NAME, "apart", 17)]) == ()
    assert collaborators.may_reach([CodeKey(NAME, "Client.get", 23)], {"inner"})


@pytest.mark.parametrize(("allowance", "found"), [("network", 1), ("processes", 1), ("write:/etc", 0), ("", 0)])
def test_only_what_a_test_can_do_without_is_replaced(module: Any, collaborators: Collaborators, allowance: str, found: int) -> None:
    module.outer(lambda one, other: collaborators.refused(allowance) or one + other)
    assert len(collaborators.names) == found
