"""Lowered functions against CPython: the same result, the same exception, raised at the same place of the source."""

from __future__ import annotations

import copy
import re
import sys
import types
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_interpreter import Interpreter, OpaqueReachedError

from crashwright.core.location import Position
from crashwright.symbolic.ir.functions import functions_of
from crashwright.symbolic.ir.nodes import Function, Node
from crashwright.symbolic.ir.type_names import UNKNOWN, stem
from crashwright.symbolic.ir.types import TypesOfFile

SOURCE = Path(__file__).with_name("subjects.txt").read_text(encoding="utf-8")
NAMESPACE: dict[str, Any] = {"__name__": "subjects"}
FILE = "subjects.txt"
exec(compile(SOURCE, FILE, "exec"), NAMESPACE)
FUNCTIONS = functions_of(SOURCE, "subjects", sys.version_info[:2])
TYPES = TypesOfFile(FUNCTIONS)


def check_types(function: Function, node: Node, found: list[Any]) -> None:
    """What is said of the types of operands is true of their values."""
    for operand, value in zip(node.operands, found, strict=True):
        said = frozenset(map(stem, TYPES.of_function(function).of(node.number, operand)))
        if not said & {UNKNOWN, "object"} and not said & {"function", "method", "type", "module", "iterator", "generator"}:
            names = {
                f"subjects:{one.__qualname__}" if one.__module__ == "subjects" else one.__name__ for one in type(value).__mro__
            }
            if not said & names:
                raise LyingTypesError(f"{function.qualname} {node}: {operand} is {value!r}, said to be {set(said)}")


class LyingTypesError(BaseException):
    """A type that is said is not that of the value."""


INTERPRETER = Interpreter(FUNCTIONS, NAMESPACE, check_types)
NAMES = [name for name, value in NAMESPACE.items() if isinstance(value, types.FunctionType) and value.__module__ == "subjects"]
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}


class End(NamedTuple):
    value: Any
    error: str | None
    position: Position | None
    args: list[Any]


def really(name: str, args: list[Any]) -> End:
    args = copy.deepcopy(args)
    try:
        return End(_plain(NAMESPACE[name](*args)), None, None, args)
    except Exception as error:  # noqa: BLE001 - whatever the subject raises
        return End(None, *_failed(error, raised_at(error)), args)


def raised_at(error: BaseException) -> Position | None:
    """In the function that was called, its comprehensions included."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != FILE:
        trace = trace.tb_next
    assert trace is not None
    while trace.tb_next is not None and trace.tb_next.tb_frame.f_code.co_name in COMPREHENSIONS:
        trace = trace.tb_next
    where = list(trace.tb_frame.f_code.co_positions())[trace.tb_lasti // 2]
    line, end_line, column, end_column = where
    assert line is not None
    return Position(line, column or 0, end_line or line, end_column or 0)


def lowered(name: str, args: list[Any]) -> End:
    args = copy.deepcopy(args)
    function = FUNCTIONS.function(name)
    assert function is not None
    try:
        value = INTERPRETER.callable(function)(*args)
        if isinstance(value, types.GeneratorType):
            value = list(value)
        return End(_plain(value), None, None, args)
    except OpaqueReachedError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever the subject raises
        return End(None, *_failed(error, INTERPRETER.raised_at), args)


def _failed(error: BaseException, position: Position | None) -> tuple[str, Position | None]:
    """Where 3.11 runs two accesses to variables as one instruction, it says the place of the first though the second is unbound:
    then the variable is what must agree."""
    if not isinstance(error, UnboundLocalError):
        return type(error).__name__, position
    quoted = re.search(r"'(\w+)'", str(error))
    return f"{quoted[1] if quoted else error} is unbound", None


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, types.GeneratorType) else value


def equal(one: Any, other: Any) -> bool:
    """Whether two results are the same: objects by what they hold."""
    return type(one).__name__ == type(other).__name__ and repr(_told(one)) == repr(_told(other))


def _told(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(_told, value)]
    if isinstance(value, dict):
        return {repr(_told(key)): _told(one) for key, one in value.items()}
    if hasattr(value, "__dict__") and not isinstance(value, (type, types.ModuleType)):
        return type(value).__name__, _told(vars(value))
    return value


BOX, CHEST = NAMESPACE["Box"], NAMESPACE["Chest"]
small = st.one_of(st.integers(-2, 6), st.sampled_from([None, True, "", "a", "kk", 0.5, 7]))
values = st.recursive(
    small,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(st.sampled_from(["k", "value", 0, 1, 2]), inner, max_size=3),
        st.builds(BOX, inner, inner),
    ),
    max_leaves=8,
)
likely = st.one_of(st.integers(-1, 4), st.lists(st.integers(-1, 4), max_size=5), values, values)


def _where(name: str, end: End) -> object:
    """From 3.15 on, what cannot be iterated is complained of where the generator expression is written, not where its source is:
    the line must agree there."""
    if sys.version_info >= (3, 15) and name in ("consumers", "stops") and end.position is not None:
        return end.position.line
    return end.position


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(data=st.data())
def test_runs_as_cpython_does(name: str, data: st.DataObject) -> None:
    count = NAMESPACE[name].__code__.co_argcount
    args = [data.draw(likely) for _ in range(count)]
    expected, found = really(name, args), lowered(name, args)
    assert (found.error, _where(name, found)) == (expected.error, _where(name, expected))
    assert equal(found.value, expected.value)
    assert equal(found.args, expected.args)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(a=likely, b=likely)
def test_a_collecting_generator_returns_what_it_would_yield(a: Any, b: Any) -> None:
    function = FUNCTIONS.function("collected", collecting=True)
    assert function is not None
    expected = really("collected", [a, b])
    try:
        found = End(INTERPRETER.callable(function)(*copy.deepcopy([a, b])), None, None, [])
    except Exception as error:  # noqa: BLE001 - whatever the subject raises
        found = End(None, *_failed(error, INTERPRETER.raised_at), [])
    assert (found.error, found.position) == (expected.error, expected.position)
    assert equal(found.value, expected.value)
