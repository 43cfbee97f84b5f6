"""Parameters that are functions, classes or types by what is done with them."""

from __future__ import annotations

import ast
import textwrap

import pytest

from crashwright.engine.subject.usage.roles import (
    ANNOTATED,
    ASYNC,
    ASYNC_GENERATOR,
    CLASS,
    DATACLASS,
    FUNCTION,
    GENERATOR,
    TYPING,
    Roles,
)
from crashwright.engine.subject.usage.uses_of_values import ModuleUses


def roles(source: str, parameter: str = "x", function: str = "f") -> Roles | None:
    use = ModuleUses(ast.parse(textwrap.dedent(source))).use_of(function, parameter)
    return None if use is None else use.roles()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return functools.wraps(x)", FUNCTION),
        ("return functools.update_wrapper(f, x)", FUNCTION),
        ("return x.__name__", FUNCTION),
        ("return getattr(x, '__doc__', None)", FUNCTION),
        ("return asyncio.iscoroutinefunction(x)", ASYNC),
        ("return inspect.isgeneratorfunction(x)", GENERATOR),
        ("return inspect.isasyncgenfunction(x)", ASYNC_GENERATOR),
        ("return inspect.isclass(x)", CLASS),
        ("return isinstance(x, type)", CLASS),
        ("return dataclasses.fields(x)", DATACLASS),
        ("return is_dataclass(x)", DATACLASS),
        ("return typing.get_type_hints(x)", ANNOTATED),
        ("return x.__annotations__", ANNOTATED),
        ("return get_origin(x)", TYPING),
    ],
)
def test_what_is_done_with_it_tells_what_it_is(body: str, kind: str) -> None:
    found = roles(f"def f(x):\n    {body}\n")
    assert found is not None
    assert kind in found.kinds


@pytest.mark.parametrize("body", ["return x + 1", "return x.name", "return record.fields(x)", "return text.replace(x, 'a')"])
def test_nothing_is_defined_for_what_is_no_function_or_class(body: str) -> None:
    assert roles(f"def f(x):\n    {body}\n") is None


def test_how_it_is_called_and_what_it_is_asked_for() -> None:
    found = roles("def f(x, *more):\n    return x(1, 2) if hasattr(x, 'run') else x(*more)\n")
    assert found == Roles((), (2,), several=True, members=("run",))


def test_an_async_function_is_awaited() -> None:
    found = roles("async def f(x):\n    return await x(1)\n")
    assert found == Roles((ASYNC,), (1,))


def test_a_function_within_a_method_hands_on_to_other_methods() -> None:
    source = """
    class Registry:
        def register(self, name):
            def decorator(x):
                return self._add(name, x)
            return decorator

        def _add(self, name, plugin):
            return inspect.isclass(plugin)
    """
    found = roles(source, "x", "Registry.register.<locals>.decorator")
    assert found is not None
    assert found.kinds == (CLASS,)
