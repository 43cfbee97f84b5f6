"""What Python raises by itself is an accident; what the package raises, documents, or hears of a value is none."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.search.suite.accidents import Accidents, raising_places
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.statements import (
    NO_ARGUMENTS,
    Arguments,
    Await,
    Call,
    Definition,
    Literal,
    Named,
    Reference,
    Value,
    Within,
)
from crashwright.engine.testcase.testcase import TestCase

SOURCE = '''
import argparse, decimal, json, sys

class Trouble(LookupError):
    pass

def attribute(): return None.strip
def key(): return {}[1]
def ratio(): return 1 / 0
def refused(): raise TypeError("numbers only")
def asserted(): assert False
def own(): {}.update() or own_error()
def own_error(): raise Trouble
def saying(): raise Trouble(f"it is {None.value}")
def number(): return int("x")
def file(): return open("/nowhere/at/all")
def price(): return decimal.Decimal("x")
def document(): return json.loads("{")
def encoded(): return "\\udc80".encode()
def leave(): raise SystemExit(2)
def left(): sys.exit(2)
def parsed(): argparse.ArgumentParser().parse_args(["--unknown"])
def called(f): return f()

class Managed:
    def __enter__(self): pass
    def __exit__(self, kind, *rest):
        if kind is None: return {}[1]

def documented():
    """Raises KeyError for what is not there."""
    return {}[1]

def documented_base():
    """Raises a LookupError for what is not there."""
    return {}[1]

class Made:
    def __init__(self):
        """:raises AttributeError: always"""
        None.strip
'''
MODULE = "accidental_wares"


@pytest.fixture
def wares(tmp_path: Path) -> Iterator[types.ModuleType]:
    path = tmp_path / f"{MODULE}.py"
    path.write_text(SOURCE, encoding="utf-8")
    module = types.ModuleType(MODULE)
    module.__file__ = str(path)
    sys.modules[MODULE] = module
    exec(compile(SOURCE, str(path), "exec"), module.__dict__)
    yield module
    del sys.modules[MODULE]


def outcome(run: Callable[[], object], executed: int = 0) -> Outcome:
    """What the executor makes of a run."""
    try:
        run()
    except (ArithmeticError, AssertionError, AttributeError, LookupError, OSError, TypeError, ValueError, SystemExit) as error:
        frames = []
        trace = error.__traceback__
        while trace is not None:
            frames.append(RaisedFrame(trace.tb_frame.f_code, trace.tb_lineno, trace.tb_lasti))
            trace = trace.tb_next
        return Outcome(executed, error, tuple(frames[1:]))
    return Outcome(executed + 1)


@pytest.mark.parametrize("name", ["attribute", "key", "ratio", "encoded", "saying"])
def test_python_raised_it(wares: types.ModuleType, name: str) -> None:
    assert caused(wares, name)


@pytest.mark.parametrize(
    "name",
    [
        "refused",
        "asserted",
        "own_error",
        "own",
        "number",
        "file",
        "price",
        "document",
        "leave",
        "left",
        "documented",
        "documented_base",
        "Made",
    ],
)
def test_somebody_meant_it(wares: types.ModuleType, name: str) -> None:
    assert not caused(wares, name)


def caused(wares: types.ModuleType, name: str) -> bool:
    live = getattr(wares, name)
    callee = Callee(MODULE, name, CalleeKind.CLASS if isinstance(live, type) else CalleeKind.FUNCTION, live=live)
    return Accidents(MODULE, Sources()).caused(TestCase((Call(0, callee, NO_ARGUMENTS),)), outcome(live))


def test_what_is_said_of_a_value_of_the_wrong_type_is_an_accident(wares: types.ModuleType) -> None:
    """Also where it is a ValueError; what the code raises itself is none."""
    parameters = (Parameter("text", ParameterKind.POSITIONAL_OR_KEYWORD, ClassHint(str), declared=True),)

    def judged(name: str, value: Value) -> tuple[bool, bool]:
        callee = Callee(MODULE, name, CalleeKind.FUNCTION, parameters, live=getattr(wares, name))
        test = TestCase((Literal(0, value), Call(1, callee, Arguments((0,)))))
        accidents, found = Accidents(MODULE, Sources()), outcome(getattr(wares, name), 1)
        return accidents.caused(test, found), accidents.meant(test, found)

    assert judged("number", 1) == (True, False)
    assert judged("number", "x") == (False, False)
    assert judged("refused", 1) == (False, True)


def test_an_end_is_meant_where_the_package_itself_says_so(wares: types.ModuleType) -> None:
    for name, expected in (("left", True), ("parsed", False)):
        callee = Callee(MODULE, name, CalleeKind.FUNCTION, live=getattr(wares, name))
        test = TestCase((Call(0, callee, NO_ARGUMENTS),))
        assert Accidents(MODULE, Sources()).meant(test, outcome(getattr(wares, name))) is expected


def test_what_returns_is_no_accident() -> None:
    assert not Accidents(MODULE, Sources()).caused(TestCase(()), Outcome(1))


def test_the_documentation_of_what_is_awaited_counts(wares: types.ModuleType) -> None:
    callee = Callee(MODULE, "documented", CalleeKind.FUNCTION, live=wares.documented)
    test = TestCase((Call(0, callee, NO_ARGUMENTS), Await(1, 0)))
    assert not Accidents(MODULE, Sources()).caused(test, outcome(wares.documented, 1))
    assert Accidents(MODULE, Sources()).caused(test, outcome(wares.key, 2))


def test_lines_that_raise() -> None:
    found = raising_places(ast.parse("if x:\n    raise A(\n        1)\nassert y\n"))
    assert (found.lines, found.asserts, found.starts) == ({2, 3, 4}, {4}, {(2, 4)})


def test_what_a_function_of_the_test_raises_is_let_through_on_purpose(wares: types.ModuleType) -> None:
    callee = Callee(MODULE, "called", CalleeKind.FUNCTION, (Parameter("f", ParameterKind.POSITIONAL_ONLY),), live=wares.called)
    for body, expected in (("raise KeyError", False), ("return {}[1]", True)):
        test = TestCase((Definition(0, f"def f():\n    {body}"), Call(1, callee, Arguments((0,)))))
        assert Accidents(MODULE, Sources()).caused(test, Executor().run(test)) is expected


def test_what_the_test_throws_into_a_manager_is_let_through_on_purpose(wares: types.ModuleType) -> None:
    callee = Callee(MODULE, "Managed", CalleeKind.CLASS, live=wares.Managed)
    made, error = Call(0, callee, NO_ARGUMENTS), Reference(1, Named("builtins", "KeyError", KeyError))
    for test, expected in (((made, error, Within(2, 0, 1)), False), ((Call(0, callee, NO_ARGUMENTS), Within(2, 0)), True)):
        whole = TestCase(test)
        assert Accidents(MODULE, Sources()).caused(whole, Executor().run(whole)) is expected
