"""Algorithms 1 and 2 of paper 003 on traces made by hand."""

from __future__ import annotations

import math

import pytest
from flag_bench import FlagBench
from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.goals.coverage.flags import FlagDistances, aggregate
from crashwright.engine.goals.distance import LARGEST, normalise
from crashwright.engine.instrument.trace import Activation, Trace

POSITIVE = st.floats(min_value=1e-6, max_value=1e6)


@given(st.lists(POSITIVE, min_size=1, max_size=8))
def test_harmonic_mean_lies_between_the_extremes(values: list[float]) -> None:
    assert min(values) * (1 - 1e-9) <= aggregate(values) <= max(values) * (1 + 1e-9)


@given(st.lists(POSITIVE, min_size=2, max_size=8), st.floats(min_value=0.1, max_value=0.9))
def test_harmonic_mean_is_sensitive_to_every_distance(values: list[float], factor: float) -> None:
    for place in range(len(values)):
        nearer = [value * factor if number == place else value for number, value in enumerate(values)]
        assert aggregate(nearer) <= aggregate(values)


def test_one_distance_of_zero_covers() -> None:
    assert aggregate([3.0, 0.0, 7.0]) == 0.0


class ByHand:
    """``twice`` calls ``is_large`` on two lines; the activations of a run are put together here."""

    def __init__(self, bench: FlagBench) -> None:
        self.bench = bench
        self.functions = bench.recorder.functions
        self.flags = FlagDistances(bench.analysis)
        self.caller = self.begun("twice", None, 0)
        self.activations = [self.caller]

    def begun(self, qualname: str, caller: Activation | None, line: int) -> Activation:
        number = self.bench.numbers[qualname]
        return Activation(number, len(self.functions[number].markers), caller, line)

    def line(self, text: str) -> int:
        return next(number for number, line in enumerate(self.bench.lines, 1) if text in line)

    def called(self, qualname: str, at: str, to_true: float, returned: bool = True) -> None:
        """A call from ``twice`` that returned False with such a distance of its only comparison (or raised before)."""
        call = self.begun(qualname, self.caller, self.line(at))
        if returned:
            call.hits[0] = 1
            call.true_distance[0], call.false_distance[0] = to_true, 0.0
        self.activations.append(call)

    def distance(self, at: str, outcome: bool = True) -> float | None:
        predicate = self.bench.predicate("twice", at)
        self.caller.true_distance[predicate], self.caller.false_distance[predicate] = 1.0, 0.0
        trace = Trace(self.functions, self.activations)
        return self.flags.of(trace.functions, trace.activations).distance(self.caller, predicate, outcome)


@pytest.fixture(scope="module")
def bench() -> FlagBench:
    return FlagBench()


@pytest.fixture
def hand(bench: FlagBench) -> ByHand:
    return ByHand(bench)


FIRST, SECOND = "if is_large(item):", "if is_large(item - 2000):"


def test_one_required_branch_and_one_iteration(hand: ByHand) -> None:
    hand.called("is_large", FIRST, 99.0)
    found = hand.distance(FIRST)
    assert found is not None
    assert math.isclose(found, normalise(normalise(99.0)))


def test_iterations_are_aggregated_harmonically_and_then_normalised(hand: ByHand) -> None:
    hand.called("is_large", FIRST, 99.0)
    hand.called("is_large", FIRST, 1.0)
    expected = normalise(2 / (1 / normalise(99.0) + 1 / normalise(1.0)))
    found = hand.distance(FIRST)
    assert found is not None
    assert math.isclose(found, expected)


def test_other_call_context_does_not_count(hand: ByHand) -> None:
    hand.called("is_large", FIRST, 1.0)
    hand.called("is_large", SECOND, 99.0)
    found = hand.distance(SECOND)
    assert found is not None
    assert math.isclose(found, normalise(normalise(99.0)))


def test_other_function_at_the_site_does_not_count(hand: ByHand) -> None:
    hand.called("stored", FIRST, 1.0)
    assert hand.distance(FIRST) == LARGEST


def test_call_that_was_stopped_at_once_is_farther_than_any_wrong_result(hand: ByHand) -> None:
    hand.called("is_large", FIRST, 1.0, returned=False)
    stopped = hand.distance(FIRST)
    assert stopped is not None
    assert stopped > normalise(normalise(1e12))


def test_flag_evaluated_without_a_call_is_as_far_as_can_be(hand: ByHand) -> None:
    assert hand.distance(FIRST) == LARGEST
