"""Functions made for a test, where a lambda does not say it: generators, async functions whose results come one after the other,
context managers, functions that raise."""

from __future__ import annotations

import collections.abc
import contextlib
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from crashwright.engine.subject.api.types import ANY, VARIADIC, ClassHint, Hint, UnionHint
from crashwright.engine.testcase.definitions.source import parsed, source_of
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import Definition, Named, Ref, Statement, Variable

_PARAMETERS = ("x", "y", "z", "u", "v", "w")
_ERRORS = ("ValueError", "TypeError", "KeyError", "RuntimeError", "StopIteration", "OSError")
_DEFINED = 0.3
"""How often a function of unknown result is more than a lambda."""


class FunctionShape(NamedTuple):
    """What stands in a function; ``results``: it takes them from a list that is defined before it."""

    head: str
    body: str
    results: bool = False
    decorator: Named | None = None


_RETURNS = FunctionShape("async def", "return {0}.pop(0)", results=True)
_YIELDS = FunctionShape("def", "yield from {0}", results=True)
_ASYNC_YIELDS = FunctionShape("async def", "for item in {0}:\n        yield item", results=True)
_MANAGER = FunctionShape("def", "yield {0}", True, Named("contextlib", "contextmanager", contextlib.contextmanager))
_ASYNC_MANAGER = FunctionShape(
    "async def", "yield {0}", True, Named("contextlib", "asynccontextmanager", contextlib.asynccontextmanager)
)
_RAISES = FunctionShape("def", "raise {0}")
_BY_RESULT: dict[type, FunctionShape] = {
    collections.abc.Awaitable: _RETURNS,
    collections.abc.Coroutine: _RETURNS,
    collections.abc.Iterator: _YIELDS,
    collections.abc.Generator: _YIELDS,
    collections.abc.AsyncIterator: _ASYNC_YIELDS,
    collections.abc.AsyncIterable: _ASYNC_YIELDS,
    collections.abc.AsyncGenerator: _ASYNC_YIELDS,
    contextlib.AbstractContextManager: _MANAGER,
    contextlib.AbstractAsyncContextManager: _ASYNC_MANAGER,
}
_ANY_SHAPE = (_RAISES, _YIELDS, _RETURNS, _MANAGER)


def function_definition(
    builder: StatementBuilder, statements: list[Statement], hint: Hint, rng: Random, exceptions: Sequence[Named] = ()
) -> Variable | None:
    """Appends a function for the callable that ``hint`` asks for; None where a lambda will do. ``exceptions`` are what it may raise
    besides those of the language."""
    arguments = hint.arguments if isinstance(hint, ClassHint) else ()
    result = _result(arguments[-1], rng) if arguments else ANY
    shape = _BY_RESULT.get(result.cls) if isinstance(result, ClassHint) else None
    if shape is None:
        if (arguments and result is not ANY and rng.random() > 0.1) or rng.random() > _DEFINED:
            return None
        shape = _ANY_SHAPE[int(rng.random() * rng.random() * len(_ANY_SHAPE))]
    names: dict[str, Named | Ref] = {}
    used = "results"
    if shape.results:
        inner = _inner(result)
        made = builder.argument(statements, ClassHint(list, (inner,)), rng, 2, legal=True)
        names[used] = Ref(made)
    else:
        used = _error(names, rng, exceptions)
    decorator = ""
    if shape.decorator is not None:
        names[shape.decorator.qualname] = shape.decorator
        decorator = f"@{shape.decorator.qualname}\n"
    text = f"{decorator}{shape.head} function({_parameters(arguments)}):\n    {shape.body.format(used)}\n"
    variable = builder.new()
    bound = tuple([(name, names[name]) for name in sorted(names)])
    statements.append(Definition(variable, source_of(parsed(text)), bound))
    return variable


def _result(hint: Hint, rng: Random) -> Hint:
    """What the function is to return, of a choice one."""
    return hint.members[int(rng.random() * len(hint.members))] if isinstance(hint, UnionHint) else hint


def _inner(result: Hint) -> Hint:
    """Of what an awaitable gives, or an iterator yields."""
    if not isinstance(result, ClassHint) or not result.arguments or result.cls not in _BY_RESULT:
        return ANY
    place = -1 if result.cls is collections.abc.Coroutine else 0
    return result.arguments[place]


def _parameters(arguments: tuple[Hint, ...]) -> str:
    known = arguments and arguments[0] != VARIADIC and len(arguments) <= len(_PARAMETERS)
    return ", ".join(_PARAMETERS[: len(arguments) - 1]) if known else "*args, **kwargs"


def _error(names: dict[str, Named | Ref], rng: Random, exceptions: Sequence[Named]) -> str:
    """What is raised: mostly one of the subject's own where there are any."""
    if exceptions and rng.random() < 0.5:
        error = exceptions[int(rng.random() * len(exceptions))]
        name = error.qualname.rpartition(".")[2]
        names[name] = error
        return name
    return _ERRORS[int(rng.random() * len(_ERRORS))]
