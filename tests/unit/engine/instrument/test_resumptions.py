"""Generators and coroutines that are resumed from several places: who called what they do next, and whether that is the chain of a
report."""

from __future__ import annotations

from types import ModuleType

import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.goals.crash.chain import chain_distance
from crashwright.engine.goals.crash.frame_goal import FrameGoal
from crashwright.engine.instrument.hook import all_functions
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.instrument.variants import ProbedModule

SOURCE = """
def leaf(x):
    return 1 // x

def numbers(values):
    for value in values:
        yield leaf(value)

def outer(values):
    yield from numbers(values)

def consume(values):
    found = outer(values)
    next(found)
    return [x for x in found]

def guarded():
    try:
        yield 1
    except ValueError:
        leaf(2)
    finally:
        leaf(3)

def throw():
    found = guarded()
    next(found)
    try:
        found.throw(ValueError())
    except StopIteration:
        pass

class Pause:
    def __await__(self):
        yield 1

class Items:
    def __aiter__(self):
        return self
    async def __anext__(self):
        await Pause()
        return 1
    async def __aenter__(self):
        await Pause()
    async def __aexit__(self, *error):
        pass

async def awaiting():
    await Pause()
    leaf(1)

async def entering():
    async with Items():
        leaf(1)

async def iterating():
    async for item in Items():
        leaf(1)
        break

def drive(make):
    made = make()
    made.send(None)
    try:
        made.send(  # the second time
            None)
    except StopIteration:
        pass

def twice():
    found = numbers([1, 1, 1])
    for _ in range(3):
        next(found)
"""


def line_of(text: str) -> int:
    return 1 + next(number for number, line in enumerate(SOURCE.splitlines()) if text in line)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder(limit=50)


@pytest.fixture
def subject(recorder: Recorder) -> ModuleType:
    module = ModuleType("subject")
    helping = {"__await__", "__anext__", "__aenter__", "__aexit__", "__aiter__"}  # left alone, as those of a library are
    chosen = {key for key in all_functions("subject", SOURCE, "subject.py") if key.name not in helping}
    probed = ProbedModule("subject", SOURCE, "subject.py", chosen, recorder, resumptions=True)
    exec(probed.compile(None), module.__dict__)
    assert not probed.unprobed
    recorder.reset()
    return module


def number_of(trace: Trace, name: str) -> int:
    return next(number for number, function in enumerate(trace.functions) if function.key.name == name)


def chains(trace: Trace, name: str) -> list[list[tuple[str, int]]]:
    """The chains of the calls of a function, outermost first: each function with the line on which it stood."""
    found = []
    for activation in trace.activations:
        chain: list[tuple[str, int]] = []
        one = activation if trace.functions[activation.function].key.name == name else None
        while one is not None and one.caller is not None:
            chain.insert(0, (trace.functions[one.caller.function].key.name, one.caller_line))
            one = one.caller
        if chain:
            found.append(chain)
    return found


def test_what_a_generator_calls_has_the_line_that_resumed_it(recorder: Recorder, subject: ModuleType) -> None:
    assert subject.consume([1, 1]) == [1]
    inner = [("outer", line_of("yield from")), ("numbers", line_of("yield leaf"))]
    first, second = line_of("next(found)"), line_of("[x for x")
    assert chains(recorder.trace(), "leaf") == [[("consume", first), *inner], [("consume", second), *inner]]


def test_the_chain_of_a_report_through_a_generator_that_was_begun_elsewhere(recorder: Recorder, subject: ModuleType) -> None:
    with pytest.raises(ZeroDivisionError):
        subject.consume([1, 0])
    trace = recorder.trace()
    lines = [("consume", "[x for x"), ("outer", "yield from"), ("numbers", "yield leaf"), ("leaf", "1 // x")]
    goals = [FrameGoal(number_of(trace, name), line_of(text), [0]) for name, text in lines]
    found = chain_distance(goals, trace.activations)
    assert (found.depth, found.activations) == (3, 1)


def test_where_only_the_generator_is_on_the_way(recorder: Recorder, subject: ModuleType) -> None:
    subject.consume([1])
    trace = recorder.trace()
    assert [chain[0][1] for chain in chains(trace, "numbers")] == [line_of("next(found)"), line_of("[x for x")]
    numbers = [one for one in trace.activations if one.function == number_of(trace, "numbers")]
    assert [list(one.hits) for one in numbers] == [[1, 1]] * 2  # one object: they share what they record


def test_resumed_from_one_line_it_is_one_activation(recorder: Recorder, subject: ModuleType) -> None:
    subject.twice()
    trace = recorder.trace()
    assert [trace.functions[one.function].key.name for one in trace.activations] == ["twice", "numbers", "leaf", "leaf", "leaf"]


def test_an_exception_thrown_in_is_a_resumption(recorder: Recorder, subject: ModuleType) -> None:
    subject.throw()
    line = line_of("found.throw")
    assert chains(recorder.trace(), "leaf") == [
        [("throw", line), ("guarded", line_of("leaf(2)"))],
        [("throw", line), ("guarded", line_of("leaf(3)"))],
    ]


@pytest.mark.parametrize("name", ["awaiting", "entering", "iterating"])
def test_coroutines(recorder: Recorder, subject: ModuleType, name: str) -> None:
    subject.drive(getattr(subject, name))
    [[(driver, line), (coroutine, _)]] = chains(recorder.trace(), "leaf")
    assert (driver, line, coroutine) == ("drive", line_of("the second time"), name)


def test_beyond_the_limit_the_subject_goes_on(recorder: Recorder, subject: ModuleType) -> None:
    for _ in range(30):
        assert subject.consume([1, 1, 1]) == [1, 1]
    assert len(recorder.trace().activations) == 50


def test_without_resumptions_asked_for_nothing_is_told(recorder: Recorder) -> None:
    module = ModuleType("plain")
    keys: set[CodeKey] = set(all_functions("plain", SOURCE, "plain.py"))
    exec(ProbedModule("plain", SOURCE, "plain.py", keys, recorder).compile(None), module.__dict__)
    recorder.reset()
    module.consume([1, 1])
    assert len(chains(recorder.trace(), "numbers")) == 1
