"""Functions that a test defines, by what is to be done with their result."""

from __future__ import annotations

import asyncio
import collections.abc
import contextlib
import inspect
import random
from typing import cast

import declared
import pytest

from crashwright.engine.execution.handlers import HANDLERS
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.types import ANY, ClassHint, Hint
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.making.definitions import Definer
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Named, Statement

CALLABLE = cast(type, collections.abc.Callable)


class Refused(Exception):
    """Of the subject."""


ERROR = Named("declared", "Refused", Refused)


def function(result: Hint, seed: int, *arguments: Hint):
    """A function for such a hint, None where it is no definition, and what it was made of."""
    factory = Factory(ApiModel("declared", ["declared"]), SeedPool(), (), definer=Definer((declared.Catalogue,), (), (ERROR,)))
    statements: list[Statement] = []
    variable = factory.argument(statements, ClassHint(CALLABLE, (*arguments, result)), random.Random(seed), legal=True)
    env: dict[int, object] = {}
    for statement in statements:
        HANDLERS[type(statement)](env, statement)
    return env[variable] if isinstance(statements[-1], st.Definition) else None, statements


@pytest.mark.parametrize(
    ("cls", "is_kind"),
    [
        (collections.abc.Awaitable, inspect.iscoroutinefunction),
        (collections.abc.Coroutine, inspect.iscoroutinefunction),
        (collections.abc.Iterator, inspect.isgeneratorfunction),
        (collections.abc.AsyncIterator, inspect.isasyncgenfunction),
        (contextlib.AbstractContextManager, lambda made: hasattr(made(1), "__enter__")),
        (contextlib.AbstractAsyncContextManager, lambda made: hasattr(made(1), "__aenter__")),
    ],
)
def test_what_is_done_with_the_result_decides(cls, is_kind):
    made = [function(ClassHint(cls, (ClassHint(int),)), seed, ClassHint(str))[0] for seed in range(30)]
    defined = [one for one in made if one is not None]
    assert len(defined) > 15  # else one of the builtin functions
    assert all(is_kind(one) for one in defined)


def test_results_of_an_async_function_come_one_after_the_other():
    results = set()
    for seed in range(30):
        made, statements = function(ClassHint(collections.abc.Awaitable, (ClassHint(int),)), seed)
        for statement in statements:
            if made is not None and isinstance(statement, st.Literal) and isinstance(statement.value, st.Display):
                for wanted in statement.value.items:
                    assert asyncio.run(made()) == wanted
                    results.add(wanted)
    assert len(results) > 3


def test_a_function_of_unknown_result_may_raise_what_the_report_shows():
    raised = set()
    for seed in range(200):
        made, _ = function(ANY, seed, ClassHint(int))
        if made is not None and not inspect.iscoroutinefunction(made):
            try:
                made(1)
            except (Refused, ValueError, TypeError, KeyError, RuntimeError, StopIteration, OSError) as error:
                raised.add(type(error).__name__)
    assert {"Refused", "ValueError"} <= raised
