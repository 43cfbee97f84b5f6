"""What is kept of a state that the first tests bring about, and what is not."""

from __future__ import annotations

import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.heartbeat import Heartbeat
from crashwright.engine.execution.isolation.isolation import Isolation
from crashwright.engine.execution.limits import TestClock
from crashwright.engine.execution.streams import Streams
from crashwright.engine.execution.warm_up import WarmUp
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Call, Literal
from crashwright.engine.testcase.testcase import TestCase

SUBJECT = """
import time
from functools import lru_cache

compiled = False
table = None
registry = {}
calls = 0
loads = []  # of another module, so to say: see below

class Grammar:
    rules = {}
    def __init__(self):
        self.memo = {}

grammar = Grammar()

def load():
    global compiled, table
    if not compiled:
        LOADS.append("load")
        table = {"a": 1, "b": 2}
        Grammar.rules["start"] = ["x"]
        grammar.names = ("start",)
        compiled = True

@lru_cache
def locale(name):
    LOADS.append(name)
    return [name]

@lru_cache
def quoted(text):
    LOADS.append(text)
    return repr(text)

def parse(text):
    global calls
    calls += 1
    load()
    locale("en")
    quoted(text)
    grammar.memo[text] = calls
    return text

stored = {}

def store(name):
    load()
    stored[len(stored) + 1] = name
    return len(stored) > 0

def register(name):
    load()
    registry[name] = registry.get(name, 0) + 1

def once():
    global table
    if table is not None:
        raise RuntimeError("twice")
    table = {}

def slow(text):
    if "slow" not in registry:
        end = time.process_time() + 0.25
        while time.process_time() < end:
            pass
        registry["slow"] = True

def hang(text):
    while True:
        pass
"""


class World:
    """A subject, and what warms it up."""

    def __init__(self, seconds: float | None) -> None:
        self.loads: list[str] = []
        self.module = types.ModuleType("lazy_subject")
        vars(self.module)["LOADS"] = self.loads
        sys.modules["lazy_subject"] = self.module
        exec(compile(SUBJECT, "/lazy_subject.py", "exec"), vars(self.module))
        # What the subject says about itself is no state of its own: a list of the test's, which nothing puts back.
        vars(self.module)["LOADS"] = _Log(self.loads)
        heartbeat = Heartbeat()
        self.clock = TestClock(heartbeat, 0.1)
        self.streams = Streams()
        self.streams.install()
        self.isolation = Isolation(("lazy_subject",), self.streams)
        self.isolation.begin()
        self.executor = Executor(heartbeat, self.clock, self.isolation)
        self.warm_up = WarmUp(self.executor, self.isolation, self.clock, time.monotonic, time.process_time, seconds)

    def test(self, name: str, *values: str) -> TestCase:
        function = vars(self.module)[name]
        callee = Callee("lazy_subject", name, CalleeKind.FUNCTION, live=function)
        literals = [Literal(index, value) for index, value in enumerate(values)]
        return TestCase((*literals, Call(99, callee, Arguments(tuple(range(len(values)))))))

    def run(self, name: str, *values: str) -> object:
        """Run a call as the search does. The exception that it raised, True where it ran out of time."""
        outcome = self.executor.run(self.test(name, *values))
        return outcome.error or outcome.timed_out


class _Log:
    """Of a class that is not the subject's: no snapshot looks into it."""

    def __init__(self, entries: list[str]) -> None:
        self.append = entries.append


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., World]]:
    monkeypatch.chdir(tmp_path)
    kept = {name: getattr(sys, name) for name in ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")}
    made: list[World] = []

    def world(seconds: float | None = None) -> World:
        made.append(World(seconds))
        made[-1].clock.start()
        return made[-1]

    yield world
    for one in made:
        one.clock.stop()
    for name, stream in kept.items():
        setattr(sys, name, stream)
    sys.modules.pop("lazy_subject", None)


def test_what_two_calls_do_once_is_kept_and_the_rest_is_put_back(make: Callable[..., World]) -> None:
    world = make()
    world.warm_up.begin([world.test("parse", "x"), world.test("parse", "y")])
    assert world.warm_up.adopted == 1
    module = world.module
    assert (module.compiled, module.table, module.Grammar.rules) == (True, {"a": 1, "b": 2}, {"start": ["x"]})
    assert module.grammar.names == ("start",)
    assert module.calls == 0, "each call counts on: not what is only done once"
    assert module.grammar.memo == {}, "what only one of them filled in"
    world.loads.clear()
    for text in ("x", "z", "z"):
        assert world.run("parse", text) is False
    assert world.loads == ["x", "z", "z"], "nothing is loaded again but what is each test's own"
    assert (module.calls, module.grammar.memo) == (0, {})
    module.table["c"] = 3
    module.locale("de")
    assert world.isolation.after_test() is None
    assert module.table == {"a": 1, "b": 2}, "the warm state is put back as the cold one was"
    world.loads.clear()
    module.locale("de")
    assert world.loads == ["de"]


def test_what_one_test_registers_is_its_own(make: Callable[..., World]) -> None:
    world = make()
    world.warm_up.begin([world.test("register", "x"), world.test("register", "y")])
    assert world.module.compiled
    assert world.module.registry == {}
    world.warm_up.begin([world.test("register", "x"), world.test("register", "x")])
    assert world.module.registry == {}, "the same test twice says nothing"


def test_what_each_run_stores_anew_is_no_first_use(make: Callable[..., World]) -> None:
    world = make()
    world.warm_up.begin([world.test("store", "x"), world.test("store", "y")])
    assert world.warm_up.adopted == 1
    assert world.module.compiled
    assert world.module.stored == {}


def test_nothing_is_kept_where_a_test_then_ends_otherwise(make: Callable[..., World]) -> None:
    world = make()
    world.warm_up.begin([world.test("once"), world.test("once", "too many"), world.test("parse", "x")])
    world.warm_up.settle(world.test("once"), TestCase((Literal(5, "another"), *world.test("once").statements)))
    assert world.module.table is None
    assert world.run("once") is False


def test_a_test_that_was_slow_is_fast_once_another_was_slow_for_the_same_reason(make: Callable[..., World]) -> None:
    world = make(seconds=60.0)
    tests = [world.test("slow", text) for text in "abc"]
    faster = []
    for test in tests:
        assert world.executor.run(test).timed_out is (True not in faster)
        faster.append(world.warm_up.after_run(test))
    assert faster == [False, True, False]
    assert world.module.registry == {"slow": True}
    assert world.clock.limit == 0.1
    assert 0.2 < world.warm_up.spent < 30


def test_what_hangs_takes_a_bounded_part_of_the_time(make: Callable[..., World]) -> None:
    world = make(seconds=0.6)
    world.warm_up.begin([world.test("hang", "a"), world.test("slow", "a"), world.test("hang", "b"), world.test("hang", "c")])
    assert world.warm_up.spent < 3.0
    tried = 0
    for number in range(8):
        before = world.executor.tests_run
        test = world.test("hang", str(number))
        assert world.executor.run(test).timed_out
        world.warm_up.after_run(test)
        tried += world.executor.tests_run > before + 1
    assert tried <= 3, "and is tried ever more seldom"
    assert world.run("parse", "x") is False


def test_without_a_clock_slow_tests_change_nothing(make: Callable[..., World]) -> None:
    world = make()
    for text in "abc":
        test = world.test("slow", text)
        assert world.executor.run(test).timed_out
        assert not world.warm_up.after_run(test)
    assert world.module.registry == {}
