"""What is kept of a run, and that merging activations is the minimum over calls."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from small_module import SmallModule

from crashwright.engine.goals.coverage.footprint import HELD_APART, footprint, together
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import INFINITE, Activation, CallFact, Predicate, ProbedFunction, Trace

PLACE = (1, 0, 1, 1)
FUNCTION = ProbedFunction(("m", "f", 1), (Predicate(PLACE, "lt"), Predicate(PLACE, "eq")), (PLACE, PLACE, PLACE))  # type: ignore[arg-type]

distances = some.one_of(some.just(None), some.tuples(some.booleans(), some.floats(0.5, 1e6)))


@some.composite
def activations(draw: some.DrawFn) -> Activation:
    made = Activation(0, 3)
    made.hits = bytearray(draw(some.lists(some.integers(0, 1), min_size=3, max_size=3)))
    for predicate in (0, 1):
        found = draw(distances)
        if found is not None:
            outcome, away = found
            made.true_distance[predicate] = 0.0 if outcome else away
            made.false_distance[predicate] = away if outcome else 0.0
    return made


@given(some.lists(activations(), min_size=1, max_size=2 * HELD_APART + 2))
def test_merged_is_the_least_distance_of_any_activation_and_every_marker_of_one(given_activations: list[Activation]) -> None:
    entries = footprint(Trace((FUNCTION,), given_activations)).entries[0]
    assert entries is not None
    assert [bool(entry) for entry in entries[:3]] == [any(one.hits[marker] for one in given_activations) for marker in range(3)]
    for predicate in (0, 1):
        for part, attribute in ((0, "true_distance"), (1, "false_distance")):
            least = min(getattr(one, attribute).get(predicate, INFINITE) for one in given_activations)
            assert entries[3 + 3 * predicate + part] == least


def test_what_was_not_called_is_none() -> None:
    found = footprint(Trace((FUNCTION, FUNCTION), [Activation(1, 3)]))
    assert found.entries[0] is None
    assert found.entries[1] is not None


def test_direct_are_the_calls_of_the_test_itself() -> None:
    outer, inner, own = Activation(0, 3), Activation(1, 3), Activation(1, 3)
    inner.caller = outer
    inner.true_distance[0], inner.false_distance[0] = 0.0, 4.0
    own.true_distance[0], own.false_distance[0] = 2.0, 0.0
    found = footprint(Trace((FUNCTION, FUNCTION), [outer, inner, own]))
    everything, direct = found.entries[1], found.direct[1]
    assert everything is not None
    assert direct is not None
    assert everything[3:5] == [0.0, 0.0]
    assert direct[3:5] == [2.0, 0.0]
    assert footprint(Trace((FUNCTION, FUNCTION), [outer, inner])).direct[1] is None


def test_a_call_through_a_wrapper_is_still_the_tests_own() -> None:
    wrapper, inner = Activation(0, 3), Activation(1, 3)
    inner.caller = wrapper
    trace = Trace((FUNCTION, FUNCTION), [wrapper, inner])
    assert footprint(trace).direct[1] is None
    assert footprint(trace, through=frozenset({0})).direct[1] is not None


def test_together_is_the_union_of_the_runs() -> None:
    one, other = Activation(0, 3), Activation(0, 3)
    one.true_distance[0], one.false_distance[0] = 5.0, 0.0
    other.true_distance[0], other.false_distance[0] = 3.0, 0.0
    first = footprint(Trace((FUNCTION,), [one], (CallFact("m:f"),), {1: 4.0, 2: 0.0}))
    second = footprint(Trace((FUNCTION,), [other], (CallFact("m:g"),), {1: 2.0}))
    found = together([first, second])
    entries = found.entries[0]
    assert entries is not None
    assert entries[3] == 3.0
    assert found.infections == {1: 2.0, 2: 0.0}
    assert [call.address for call in found.calls] == ["m:f", "m:g"]


LOOPS = """
def f(items):
    for item in items:
        try:
            item()
        except:
            pass
"""


@pytest.mark.parametrize(
    ("items", "loop", "handler"),
    [
        ([], (1.0, 0.0), (INFINITE, INFINITE)),
        ([int], (0.0, 0.0), (INFINITE, INFINITE)),
        ([lambda: 1 / 0], (0.0, 0.0), (0.0, 1.0)),
    ],
)
def test_outcomes_that_only_markers_tell(
    items: list[object], loop: tuple[float, float], handler: tuple[float, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recorded run and the same run told by hand have the same entries."""
    (tmp_path / "loops_of_markers.py").write_text(LOOPS)
    monkeypatch.syspath_prepend(str(tmp_path))
    recorder = Recorder()
    hook = Instrumentation(recorder, {"loops_of_markers": None})
    hook.install()
    try:
        module = __import__("loops_of_markers")
        recorder.reset()
        module.f(items)
        trace = recorder.trace()
    finally:
        hook.uninstall()
        sys.modules.pop("loops_of_markers", None)
    [recorded] = trace.activations
    function = trace.functions[recorded.function]
    by_hand = Activation(recorded.function, len(function.markers))
    by_hand.hits = recorded.hits
    by_hand.true_distance, by_hand.false_distance = recorded.true_distance, recorded.false_distance
    entries = footprint(trace).entries[recorded.function]
    told = footprint(Trace(trace.functions, [by_hand])).entries[recorded.function]
    assert entries is not None
    assert told is not None
    slots = [len(function.markers) + 3 * predicate for predicate in range(len(function.predicates))]
    kinds = {predicate.kind: tuple(entries[slot : slot + 2]) for predicate, slot in zip(function.predicates, slots, strict=True)}
    assert kinds == {"iter": loop, "except": handler}
    for slot in slots:
        assert entries[slot : slot + 2] == told[slot : slot + 2]
    assert list(map(bool, entries[: len(function.markers)])) == list(map(bool, told[: len(function.markers)]))


def test_a_footprint_does_not_change_when_a_generator_runs_on(tmp_path: Path) -> None:
    module = SmallModule(tmp_path, "def f(a):\n    if a:\n        return 1\n    return 2\n")
    activation = module.call("f", at={"a": (1.0, 0.0)})
    found = footprint(module.trace(activation))
    activation.true_distance[0] = 0.0
    entries = found.entries[0]
    assert entries is not None
    assert entries[len(module.functions[0].markers)] == 1.0
