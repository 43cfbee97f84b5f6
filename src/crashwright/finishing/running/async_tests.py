"""A plugin of pytest that runs coroutine functions as tests and fixtures where no other plugin does.

Many are written for a plugin that the environment lacks, and then nothing of them runs. It is copied beside the recorder and run in
the subject's interpreter: standard library only.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine, Iterator
from typing import Any


class _LoopOfTests:
    """The event loop of all of them, made when it is first needed: fixtures may outlive a test."""

    def __init__(self) -> None:
        self._runner: asyncio.Runner | None = None

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(coroutine)

    def close(self) -> None:
        if self._runner is not None:
            self._runner.close()
            self._runner = None


_loop = _LoopOfTests()


def pytest_pyfunc_call(pyfuncitem: Any) -> bool | None:
    """Hook: run a test that is a coroutine function. Plugins that do so themselves come first."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    _loop.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def pytest_fixture_setup(fixturedef: Any) -> None:
    """Hook: give pytest a plain function for a fixture that is a coroutine function, or an asynchronous generator."""
    if inspect.isasyncgenfunction(fixturedef.func):
        fixturedef.func = _plain_generator(fixturedef.func)
    elif inspect.iscoroutinefunction(fixturedef.func):
        fixturedef.func = _plain_function(fixturedef.func)


def _plain_generator(function: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    @functools.wraps(function)
    def fixture(*arguments: Any, **options: Any) -> Iterator[Any]:
        generator = function(*arguments, **options)
        yield _loop.run(generator.__anext__())
        _loop.run(_ended(generator))

    return fixture


def _plain_function(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def fixture(*arguments: Any, **options: Any) -> Any:
        return _loop.run(function(*arguments, **options))

    return fixture


async def _ended(generator: Any) -> None:
    async for _ in generator:
        break


def pytest_unconfigure() -> None:
    """Hook: nothing runs any more."""
    _loop.close()
