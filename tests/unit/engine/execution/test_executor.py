from __future__ import annotations

import asyncio
import contextlib
import gc
import time
import types
import weakref
from typing import NamedTuple

import pytest
from patience import HANG

from crashwright.engine.execution.executor import Executor, Spoiled, release
from crashwright.engine.execution.heartbeat import Heartbeat
from crashwright.engine.execution.outcome import Outcome, position_of
from crashwright.engine.execution.running_call import RunningCall
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Arguments, Call, Display, Literal, Named, Ref
from crashwright.engine.testcase.testcase import TestCase


def callee(function):
    return Callee("m", getattr(function, "__name__", "f"), CalleeKind.FUNCTION, live=function)


class Seen:
    """A callee that keeps what it is called with."""

    def __init__(self):
        self.calls = []
        self.callee = callee(self)

    def __call__(self, *args, **kwargs):
        self.calls.append((args, kwargs))
        return args[0] if args else None


def run(*statements, **options):
    return Executor(**options).run(TestCase(statements))


def value_of(variable, *statements, **options):
    seen = Seen()
    outcome = run(*statements, Call(99, seen.callee, Arguments((variable,))), **options)
    assert outcome.error is None, outcome
    return seen.calls[0][0][0]


def foreign(source, name="f"):
    """A function from a file that is not ours."""
    space = {}
    exec(compile(source, "/subject.py", "exec"), space)
    return space[name]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, 3),
        (Display("list", (1, Ref(0))), [1, "zero"]),
        (Display("dict", ((1, Display("tuple", (2,))), (Ref(0), 3))), {1: (2,), "zero": 3}),
        (Display("set", (1, 1)), {1}),
        (Display("frozenset", (1,)), frozenset({1})),
        (Display("bytearray", (b"ab",)), bytearray(b"ab")),
        (Ref(0), "zero"),
    ],
)
def test_literals(value, expected):
    result = value_of(1, Literal(0, "zero"), Literal(1, value))
    assert result == expected
    assert type(result) is type(expected)


def test_displays_are_built_afresh():
    test = TestCase((Literal(0, Display("list", ())), st.MethodCall(1, 0, "append", Arguments((0,))), Literal(2, Ref(0))))
    executor = Executor()
    assert executor.run(test).error is None
    assert executor.run(test).error is None


def test_all_forms_of_arguments():
    seen = Seen()
    outcome = run(
        Literal(0, 1),
        Literal(1, Display("list", (2, 3))),
        Literal(2, Display("dict", (("k", 4),))),
        Call(3, seen.callee, Arguments((0, 0), (("a", 0),), 1, 2)),
        Call(4, seen.callee, Arguments((), (("a", 0),))),
        Call(5, seen.callee, NO_ARGUMENTS),
    )
    assert outcome == Outcome(6)
    assert seen.calls == [((1, 1, 2, 3), {"a": 1, "k": 4}), ((), {"a": 1}), ((), {})]


@pytest.mark.parametrize(
    ("name", "operands", "expected"),
    [
        ("+", (7, 2), 9),
        ("in", (7, [7]), True),
        ("not in", (7, [7]), False),
        ("is not", (1, 2), True),
        ("//", (7, 2), 3),
        ("-", (7,), -7),
        ("not", (7,), False),
        ("slice", (1, 2, 3), slice(1, 2, 3)),
        ("<<", (1, 3), 8),
        ("@", (7, 2), TypeError),
    ],
)
def test_operations(name, operands, expected):
    given = [Literal(i, Display("list", tuple(v)) if isinstance(v, list) else v) for i, v in enumerate(operands)]
    operation = st.Operation(9, name, tuple(range(len(operands))))
    if expected is TypeError:
        assert type(run(*given, operation).error) is TypeError
    else:
        assert value_of(9, *given, operation) == expected


def test_attributes_items_methods_references():
    holder = types.SimpleNamespace(x=1)
    reference = st.Reference(0, Named("m", "holder", holder))
    assert value_of(2, reference, Literal(1, 5), st.SetAttribute(0, "x", 1), st.GetAttribute(2, 0, "x")) == 5
    gone = [reference, st.DeleteAttribute(0, "x"), st.GetAttribute(1, 0, "x")]
    assert type(run(*gone).error) is AttributeError
    items = [Literal(0, Display("dict", (("a", 1), ("b", 2)))), Literal(1, "a"), Literal(2, "b"), st.SetItem(0, 2, 1)]
    assert value_of(3, *items, st.DeleteItem(0, 1), st.GetItem(3, 0, 2)) == "a"
    assert value_of(1, Literal(0, "ab"), st.MethodCall(1, 0, "upper", NO_ARGUMENTS)) == "AB"
    assert value_of(2, Literal(0, "7"), st.Reference(1, Named("builtins", "int", int)), st.CallValue(2, 1, Arguments((0,)))) == 7


@pytest.mark.parametrize(
    ("mode", "limit", "expected"), [("list", None, [1, 2]), ("list", 1, [1]), ("for", None, 2), ("next", None, 1)]
)
def test_iteration(mode, limit, expected):
    assert value_of(1, Literal(0, Display("list", (1, 2))), st.Iterate(1, 0, mode, limit)) == expected


def test_stub_callables():
    stub = st.StubCallable(1, "x, *args, **kwargs", Display("list", (Ref(0),)))
    function = value_of(1, Literal(0, 1), stub, Literal(2, Ref(1)))
    assert isinstance(function, types.FunctionType)
    assert value_of(2, Literal(0, 1), stub, st.CallValue(2, 1, Arguments((0,)))) == [1]
    assert type(run(Literal(0, 1), stub, st.CallValue(2, 1, NO_ARGUMENTS)).error) is TypeError
    raising = run(st.StubCallable(1, "", None, "KeyError"), st.CallValue(2, 1, NO_ARGUMENTS))
    assert type(raising.error) is KeyError
    assert raising.frames == ()


def test_stub_classes():
    members = (("a", "attribute", 1), ("m", "method", Display("list", ())), ("p", "property", "x"))
    instance = value_of(0, st.StubClass(0, "Stub", (Named("builtins", "dict", dict),), members))
    assert isinstance(instance, dict)
    assert (type(instance).__name__, instance.a, instance.m(1, x=2)) == ("Stub", 1, [])  # type: ignore[attr-defined]
    cls = value_of(0, st.StubClass(0, "Stub", (), (), instantiate=False))
    assert isinstance(cls, type)


def test_file_fixture(tmp_path):
    path = value_of(0, st.FileFixture(0, "sub/a.txt", "äb"), folder=str(tmp_path))
    assert path == str(tmp_path / "sub/a.txt")
    assert (tmp_path / "sub/a.txt").read_bytes() == "äb".encode()


def test_run_module(tmp_path, monkeypatch):
    (tmp_path / "cw_fresh.py").write_text("import sys\nfresh = 'cw_fresh' in sys.modules\nif __name__ == '__main__': 1 / 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import sys

    import cw_fresh

    module = value_of(0, st.RunModule(0, "cw_fresh"))
    assert module is not cw_fresh
    assert module.fresh
    assert sys.modules["cw_fresh"] is cw_fresh
    outcome = run(st.RunModule(0, "", str(tmp_path / "cw_fresh.py")))
    assert type(outcome.error) is ZeroDivisionError
    assert outcome.frames[-1].code.co_name == "<module>"


def test_a_failing_import_shows_no_frames_of_the_import_system(tmp_path, monkeypatch):
    (tmp_path / "cw_broken.py").write_text("\n1 / 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    outcome = run(st.RunModule(0, "cw_broken"))
    assert [(frame.code.co_name, frame.line) for frame in outcome.frames] == [("<module>", 2)]


def test_enter_spans_the_rest_and_sees_the_exception():
    log = []

    @contextlib.contextmanager
    def manager():
        log.append("in")
        try:
            yield 5
        except ValueError:
            log.append("suppressed")
        log.append("out")

    fails = callee(foreign("def f(): raise ValueError"))
    test = (Call(0, callee(manager), NO_ARGUMENTS), st.Enter(1, 0), Call(2, fails, NO_ARGUMENTS), Literal(3, 1))
    assert run(*test) == Outcome(2)
    assert log == ["in", "suppressed", "out"]
    assert value_of(1, *test[:2]) == 5


def test_a_block_of_one_line_ends_and_may_raise():
    log = []

    @contextlib.contextmanager
    def manager():
        try:
            yield 5
            log.append("done")
        except ValueError as error:
            log.append(type(error))

    error = st.Reference(1, Named("builtins", "ValueError", ValueError))
    test = (
        Call(0, callee(manager), NO_ARGUMENTS),
        error,
        st.Within(2, 0, 1),
        Call(0, callee(manager), NO_ARGUMENTS),
        st.Within(3, 0),
    )
    assert run(*test) == Outcome(5)
    assert log == [ValueError, "done"]
    assert value_of(2, *test) == 5
    other = st.Reference(1, Named("builtins", "KeyError", KeyError))
    outcome = run(*test[:1], other, st.Within(2, 0, 1))
    assert (outcome.executed, type(outcome.error)) == (2, KeyError)


@pytest.mark.parametrize("kind", ["", "a"])
def test_what_a_manager_enters_is_given_items(kind):
    manager = foreign(
        "class f:\n    def __init__(self): self.items = {}\n"
        f"    {'async ' * bool(kind)}def __{kind}enter__(self): return self.items\n"
        f"    {'async ' * bool(kind)}def __{kind}exit__(self, *a): self.left = dict(self.items)\n"
    )
    filled = st.Within(2, 0, None, bool(kind), st.Display("dict", (("user", st.Ref(1)),)))
    outcome = value_of(3, Call(0, callee(manager), NO_ARGUMENTS), st.Literal(1, "ann"), filled, st.GetAttribute(3, 0, "left"))
    assert outcome == {"user": "ann"}


def test_so_may_an_async_one():
    manager = foreign(
        "class f:\n    async def __aenter__(self): return 1\n    async def __aexit__(self, *a):\n"
        "        log.append(a[0])\n        return True\nlog = []\n"
    )
    error = st.Reference(1, Named("builtins", "KeyError", KeyError))
    assert run(Call(0, callee(manager), NO_ARGUMENTS), error, st.Within(2, 0, 1, True)).error is None
    assert manager.__aexit__.__globals__["log"] == [KeyError]


def test_awaits_run_in_one_loop():
    loops = []

    async def number(value):
        loops.append(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return value + 1

    async def numbers():
        yield 1
        yield 2

    def needs_loop():
        loops.append(asyncio.get_running_loop())

    seen = Seen()
    outcome = run(
        Call(5, callee(needs_loop), NO_ARGUMENTS),
        Literal(0, 1),
        Call(1, callee(number), Arguments((0,))),
        st.Await(2, 1),
        Call(3, callee(numbers), NO_ARGUMENTS),
        st.Await(4, 3, "list"),
        Call(6, seen.callee, Arguments((2, 4))),
    )
    assert outcome.error is None
    assert seen.calls[0][0] == (2, [1, 2])
    assert len(set(loops)) == 1


def test_what_waits_for_nothing_ends_at_once():
    async def late(value):
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 0.01)
        return await asyncio.to_thread(abs, value)

    async def forever():
        await asyncio.Event().wait()

    outcome = run(
        Literal(0, -1),
        Call(1, callee(late), Arguments((0,))),
        st.Await(2, 1),
    )
    assert outcome.error is None
    assert not outcome.timed_out
    assert outcome.executed == 3
    begin = time.monotonic()
    outcome = run(Call(0, callee(forever), NO_ARGUMENTS), st.Await(1, 0), Literal(2, 1))
    assert outcome.timed_out
    assert outcome.executed == 1
    assert time.monotonic() - begin < HANG


def test_async_with_and_errors_in_awaits():
    manager = foreign(
        "class f:\n    async def __aenter__(self): return 1\n    async def __aexit__(self, *a): log.append(a[0])\nlog = []\n"
    )
    fails = foreign("async def f():\n    raise LookupError")
    statements = (
        Call(0, callee(manager), NO_ARGUMENTS),
        st.Enter(1, 0, True),
        Call(2, callee(fails), NO_ARGUMENTS),
        st.Await(3, 2),
    )
    outcome = run(*statements)
    assert outcome.executed == 3
    assert type(outcome.error) is LookupError
    assert [(frame.code.co_name, frame.line) for frame in outcome.frames] == [("f", 2)]
    assert manager.__aexit__.__globals__["log"] == [LookupError]


@pytest.mark.parametrize("exception", ["SystemExit(3)", "KeyboardInterrupt", "GeneratorExit", "BaseException", "StopIteration"])
def test_whatever_is_raised_is_an_outcome(exception):
    outcome = run(Literal(0, 1), Call(1, callee(foreign(f"def f(x): raise {exception}")), Arguments((0,))))
    assert outcome.executed == 1
    assert not outcome.timed_out
    assert type(outcome.error).__name__ in exception


def test_frames_are_those_of_the_subject_with_positions():
    outer = foreign("def f(g):\n    return [g() for _ in [1]]")
    outcome = run(st.StubCallable(0, "", None, "OSError"), Call(1, callee(outer), Arguments((0,))))
    assert outcome.frames[0].code.co_name == "f"
    assert {frame.code.co_filename for frame in outcome.frames} == {"/subject.py"}
    last = outcome.frames[-1]
    assert last.line == 2
    assert position_of(last.code, last.instruction) == (2, 12, 2, 15)


def test_release_lets_go_of_everything():
    class Thing:
        pass

    things = []

    def inner():
        thing = Thing()
        things.append(weakref.ref(thing))
        raise ValueError

    def fails():
        try:
            inner()
        except ValueError:
            raise ExceptionGroup("both", [KeyError(), LookupError()])  # noqa: B904

    gc.disable()
    try:
        outcome = run(Call(0, callee(fails), NO_ARGUMENTS))
        assert things[0]() is not None
        release(outcome)
        assert things[0]() is None
        assert outcome.error.__context__ is not None
    finally:
        gc.enable()


def test_observed_classes_only_while_wanted():
    executor = Executor()
    number = callee(lambda: 1)
    upper = Callee("builtins", "str.upper", CalleeKind.METHOD, live=str.upper)
    test = TestCase((Call(0, number, NO_ARGUMENTS), Literal(1, "a"), st.MethodCall(2, 1, "upper", NO_ARGUMENTS, upper)))
    executor.run(test)
    assert executor.observed == {}
    executor.observe(1)
    executor.run(test)
    executor.run(TestCase((Call(0, callee(dict), NO_ARGUMENTS),)))
    assert executor.observed == {number: {int: None}, upper: {str: None}}
    assert executor.tests_run == 3


def test_a_spoiled_executor_refuses():
    executor = Executor()
    executor.spoiled = "a thread"
    with pytest.raises(Spoiled, match="a thread"):
        executor.run(TestCase(()))


class Look(NamedTuple):
    variable: int


def test_a_look_between_statements_outlives_what_is_told_of_the_first_tests(monkeypatch):
    monkeypatch.setattr("crashwright.engine.execution.executor.TOLD", 0)
    executor = Executor()
    executor.tell(RunningCall(Heartbeat()))
    seen = []
    look = {Look: lambda env, _statement: seen.append(dict(env))}
    assert executor.run_with(TestCase((Literal(0, 5), Look(1))), look).error is None
    assert seen == [{0: 5}]
    assert isinstance(executor.run(TestCase((Literal(0, 5), Look(1)))).error, KeyError)
