"""Activations: who called whom from which line, under recursion, generators, exceptions, and beyond the limit."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable
from types import ModuleType

import pytest

from crashwright.core.location import CodeKey, Position
from crashwright.engine.instrument.probes import Recorder, is_probe_code
from crashwright.engine.instrument.python_probes import PythonProbes
from crashwright.engine.instrument.trace import Activation, Trace
from crashwright.engine.instrument.variants import ProbedModule

SOURCE = """
def leaf(x):
    if x == 3:
        raise ValueError(x)
    return x

def middle(x):
    y = 0
    y += leaf(
        x)
    return y

def plain(f, *args):
    return f(*args)

def top(x):
    return plain(
        middle, x)

def walk(n):
    if n > 0:
        walk(n - 1)
    return leaf(n)

def numbers(n):
    for i in range(n):
        yield leaf(i + 10)

def consume(n):
    g = numbers(n)
    first = next(g)
    return first, [x for x in g], any(leaf(x) for x in [1])

def forget(x):
    thing = x()
    if thing is not None:
        return 1

def looping(items):
    for item in items:
        if item:
            break

def handled(error):
    try:
        raise error
    except (KeyError, IndexError):
        return 1
    except ValueError:
        return 2
    except:
        return 3

key = lambda x: x > 1

def looks():
    for i in range(2):
        if i == 1:
            leaf(5)
    return sorted(locals())
"""
CHOSEN = ["leaf", "middle", "top", "walk", "numbers", "consume", "forget", "looping", "handled", "<lambda>", "looks"]


@pytest.fixture
def recorder() -> Recorder:
    return Recorder(limit=50)


@pytest.fixture
def subject(recorder: Recorder) -> ModuleType:
    lines = {line.split()[1].split("(")[0]: number for number, line in enumerate(SOURCE.splitlines(), 1) if line.startswith("def")}
    lines["<lambda>"] = next(number for number, line in enumerate(SOURCE.splitlines(), 1) if "lambda" in line)
    module = ModuleType("subject")
    probed = ProbedModule("subject", SOURCE, "subject.py", {CodeKey("subject", name, lines[name]) for name in CHOSEN}, recorder)
    exec(probed.compile(None), module.__dict__)
    assert not probed.unprobed
    recorder.reset()
    return module


def names(trace: Trace) -> list[str]:
    return [trace.functions[activation.function].key.name for activation in trace.activations]


def chain(trace: Trace, activation: Activation | None) -> list[tuple[str, int]]:
    found = []
    while activation is not None:
        found.append((trace.functions[activation.function].key.name, activation.caller_line))
        activation = activation.caller
    return found


def distances(trace: Trace, function: str, text: str | int) -> list[tuple[float | None, float | None]]:
    """Of the predicate of a kind in each activation of a function."""
    found = []
    for activation in trace.activations:
        probed = trace.functions[activation.function]
        if probed.key.name == function:
            for number, predicate in enumerate(probed.predicates):
                if text in (predicate.kind, number):
                    found.append((activation.true_distance.get(number), activation.false_distance.get(number)))
    return found


def test_callers_and_their_lines(recorder: Recorder, subject: ModuleType) -> None:
    subject.top(7)
    trace = recorder.trace()
    assert names(trace) == ["top", "middle", "leaf"]
    assert chain(trace, trace.activations[2]) == [("leaf", 9), ("middle", 17), ("top", 0)]


def test_recursion(recorder: Recorder, subject: ModuleType) -> None:
    subject.walk(2)
    trace = recorder.trace()
    assert names(trace) == ["walk"] * 3 + ["leaf"] * 3
    assert [len(chain(trace, activation)) for activation in trace.activations] == [1, 2, 3, 4, 3, 2]


def test_callers_after_exceptions_and_with_frames_used_again(recorder: Recorder, subject: ModuleType) -> None:
    for x in (3, 4, 3, 5):
        with pytest.raises(ValueError, match="3") if x == 3 else pytest.MonkeyPatch.context():
            subject.plain(subject.middle, x)
        subject.leaf(9)
    trace = recorder.trace()
    assert names(trace) == ["middle", "leaf", "leaf"] * 4
    assert [len(chain(trace, activation)) for activation in trace.activations] == [1, 2, 1] * 4


def test_a_generator_is_one_activation(recorder: Recorder, subject: ModuleType) -> None:
    assert subject.consume(3) == (10, [11, 12], True)
    trace = recorder.trace()
    assert names(trace) == ["consume", "numbers", "leaf", "leaf", "leaf", "leaf"]
    assert [chain(trace, activation)[1:] for activation in trace.activations if activation.caller is not None][1:4] == [
        [("numbers", 31), ("consume", 0)]
    ] * 3
    # the last was called by a generator expression, which stands in `consume`
    assert chain(trace, trace.activations[-1])[1:] == [("consume", 0)]


def test_a_generator_that_outlives_its_run(recorder: Recorder, subject: ModuleType) -> None:
    generator = subject.numbers(3)
    next(generator)
    recorder.reset()
    next(generator)
    trace = recorder.trace()
    assert names(trace) == ["leaf"]
    assert trace.activations[0].caller is None


def test_hits_and_distances(recorder: Recorder, subject: ModuleType) -> None:
    subject.leaf(7)
    [activation] = recorder.trace().activations
    probed = recorder.functions[activation.function]
    assert [position.line for position in probed.markers] == [3, 4, 5]
    assert list(activation.hits) == [1, 0, 1]
    assert probed.predicates[0] == (Position(3, 7, 3, 13), "eq")
    assert (activation.true_distance, activation.false_distance) == ({0: 4}, {0: 0.0})


def test_a_trace_may_be_asked_again(recorder: Recorder, subject: ModuleType) -> None:
    generator = subject.numbers(2)
    next(generator)
    [activation] = [a for a in recorder.trace().activations if recorder.functions[a.function].key.name == "numbers"]
    assert activation.false_distance == {0: 1.0}
    assert list(generator) == [11]
    recorder.trace()
    assert activation.false_distance == {0: 0.0}


def test_loops(recorder: Recorder, subject: ModuleType) -> None:
    for items in ([], [1], [0]):
        subject.looping(items)
    assert distances(recorder.trace(), "looping", "iter") == [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)]


def test_except_clauses(recorder: Recorder, subject: ModuleType) -> None:
    assert [subject.handled(error) for error in (KeyError(), ValueError(), OSError())] == [1, 2, 3]
    found = distances(recorder.trace(), "handled", "except")
    assert found[:3] == [(0.0, 1.0), (None, None), (None, None)]
    assert found[3:6] == [(1.0, 0.0), (0.0, 1.0), (None, None)]
    assert found[6:] == [(1.0, 0.0), (1.0, 0.0), (0.0, 1.0)]


def test_a_lambda_has_an_activation(recorder: Recorder, subject: ModuleType) -> None:
    assert [subject.key(1), subject.key(5)] == [False, True]
    trace = recorder.trace()
    assert names(trace) == ["<lambda>", "<lambda>"]
    assert distances(trace, "<lambda>", "gt") == [(1, 0.0), (0.0, 4)]


def test_a_function_that_looks_at_its_locals(recorder: Recorder, subject: ModuleType) -> None:
    assert subject.looks() == ["i"]
    trace = recorder.trace()
    assert chain(trace, trace.activations[1]) == [("leaf", 59), ("looks", 0)]
    assert list(trace.activations[0].hits) == [1] * 4
    assert distances(trace, "looks", "eq") == [(0.0, 0.0)]


def test_beyond_the_limit_the_subject_goes_on(recorder: Recorder, subject: ModuleType) -> None:
    for x in range(10, 200):
        subject.middle(x)
    assert len(recorder.trace().activations) == 50
    assert subject.consume(2) == (10, [11], True)
    assert subject.looks() == ["i"]
    recorder.reset()
    subject.leaf(1)
    assert names(recorder.trace()) == ["leaf"]


def test_uninstrumented_frames_beneath_the_run_are_not_searched(recorder: Recorder, subject: ModuleType) -> None:
    """A run may be started by code of the subject itself; its activation is not of this run."""
    subject.plain(lambda: (recorder.reset(), subject.leaf(1)))
    [activation] = recorder.trace().activations
    assert activation.caller is None


def test_nothing_keeps_the_subjects_objects(recorder: Recorder, subject: ModuleType) -> None:
    class Thing:
        pass

    seen: list[weakref.ref[Thing]] = []

    def make() -> Thing:
        thing = Thing()
        seen.append(weakref.ref(thing))
        return thing

    gc.disable()
    try:
        subject.forget(make)
        assert seen[0]() is None
    finally:
        gc.enable()
    frames = [referrer for referrer in gc.get_referrers(recorder.trace().activations[0]) if type(referrer) is type(sys._getframe())]
    assert all(frame.f_code.co_filename == __file__ for frame in frames)


def test_wanted_values(recorder: Recorder) -> None:
    source = (
        "def f(s, n, c):\n    return [s == 'abc', 'left' == s, n == 42, s in ('p', 'q'), s.startswith('pre') or 1,"
        " s in {'k': 1}, 'z' * 200 == s, 1 if s.endswith(('x', 'y')) else 0, c != b'bytes']\n"
    )
    namespace: dict[str, Callable[..., object]] = {}
    exec(ProbedModule("m", source, "m.py", {CodeKey("m", "f", 1)}, recorder).compile(None), namespace)
    namespace["f"]("input", 7, b"")
    assert recorder.wanted == ()
    recorder.note_wanted(True)
    namespace["f"]("input", 7, b"")
    recorder.note_wanted(False)
    namespace["f"]("input", 1000, b"")
    assert recorder.wanted == ("abc", "left", 42, "p", "q", "input", "k", "x", "y", b"bytes")


def test_wanted_values_are_bounded(recorder: Recorder) -> None:
    state = [0.0, 0.0, 0.0]
    recorder.note_wanted(True)
    for number in range(1000):
        recorder.probes.eq(state, 0, False, -1, number, None)
    assert recorder.wanted == tuple(range(744, 1000))


def test_probe_code() -> None:
    assert is_probe_code(Recorder(make=PythonProbes).probes.enter.__code__)  # type: ignore[attr-defined]
    assert is_probe_code(Recorder(make=PythonProbes).probes.eq.__code__)  # type: ignore[attr-defined]
    assert is_probe_code(Recorder(make=PythonProbes).probes.lt.__code__)  # type: ignore[attr-defined]
    assert not is_probe_code(test_probe_code.__code__)
