"""The landmarks of EvoCrash's f(t) = 3 ds + 2 dexc + dtr."""

from __future__ import annotations

import pytest
from shelf_crash import (
    CHECK,
    ELSEWHERE,
    FAR,
    LOCATE,
    MESSAGE,
    NEAR,
    OTHER_MESSAGE,
    OTHER_TYPE,
    OUTSIDE,
    SHORT_CUT,
    SILENT,
    TAKE,
    TIMED_OUT,
    called,
    chain,
    fitness_of,
    raised,
    taken,
    trace,
)

from crashwright.core.target import CrashTarget
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.score import CrashJudge, Variant
from crashwright.engine.goals.crash.weighted_sum import WeightedSumFitness
from crashwright.engine.goals.distance import SMALLEST
from crashwright.engine.instrument.trace import Activation


def f(outcome: Outcome, *activations: Activation, trace_distance: str = "closest") -> float:
    return fitness_of("weighted-sum", trace_distance).score(outcome, trace(*activations)).fitness


@pytest.mark.parametrize(
    ("activation", "distance"),
    [
        pytest.param(called(1, (8, 9)), 1.0, id="the target frame's function was not called"),
        pytest.param(called(0, (3,)), 2 / 3, id="stopped before the first decision: two levels to go"),
        pytest.param(called(0, (3,), {FAR: 1.0}), 1.5 / 2.5, id="wrong side, one level to go: phi(1 + phi(1))"),
        pytest.param(called(0, (3,), {FAR: 0.0}), 1 / 2, id="right side, one level to go, stopped there"),
        pytest.param(called(0, (3, 4), {FAR: 0.0, NEAR: 3.0}), 0.75 / 1.75, id="wrong side of the last decision: phi(phi(3))"),
        pytest.param(called(0, (3, 4), {FAR: 0.0, NEAR: 0.0}), SMALLEST / 2, id="right side of the last decision, stopped"),
    ],
)
def test_while_the_line_is_not_reached_only_the_distance_to_it_counts(activation: Activation, distance: float) -> None:
    for outcome in (SILENT, OTHER_TYPE, ELSEWHERE):
        assert f(outcome, activation) == pytest.approx(3 * distance + 3, abs=1e-12)
        assert f(outcome, activation) > 3


@pytest.mark.parametrize("outcome", [SILENT, OTHER_TYPE, OUTSIDE])
def test_at_the_line_without_the_exception_it_is_3(outcome: Outcome) -> None:
    assert f(outcome, taken()) == 3
    assert f(outcome, *chain(2)) == 3  # only the target frame's line counts


def test_line_and_exception_may_come_from_different_calls() -> None:
    assert f(ELSEWHERE, taken(), called(0, (3, 4))) < 1


def test_with_the_exception_the_trace_counts_up_to_1() -> None:
    # Of the wanted frames, `take` is there with a line 1 off, the other two only as another function.
    assert f(ELSEWHERE, taken()) == pytest.approx(4.5 / 5.5)
    assert f(SHORT_CUT, taken()) == pytest.approx(4 / 5)
    two = raised(AttributeError(MESSAGE), (LOCATE, 9), (CHECK, 14))
    assert f(two, *chain(2)) == pytest.approx(2 / 3)


def test_a_whole_trace_without_the_message_is_near_0_and_not_0() -> None:
    assert 0.01 < f(OTHER_MESSAGE, *chain(2)) < 0.05
    # All wanted frames are there, and others in between: the closest-element distance is 0.
    longer = raised(AttributeError(MESSAGE), (TAKE, 5), (LOCATE, 9), (LOCATE, 8), (CHECK, 14))
    assert f(OTHER_MESSAGE, *chain(2)) < f(longer, *chain(2)) <= 0.1


def test_the_prefix_distance_goes_frame_by_frame_from_the_crash() -> None:
    two = raised(AttributeError(MESSAGE), (LOCATE, 9), (CHECK, 14))
    assert f(two, *chain(2), trace_distance="prefix") == pytest.approx(1 / 2)
    shifted = raised(AttributeError(MESSAGE), (TAKE, 5), (LOCATE, 9), (CHECK, 14), (LOCATE, 8))
    assert f(shifted, *chain(2), trace_distance="closest") <= 0.1
    assert f(shifted, *chain(2), trace_distance="prefix") == pytest.approx(3 / 4)  # 2/3 for each of three, and 1


def test_a_timeout_scores_worst() -> None:
    assert f(TIMED_OUT, *chain(2)) == 6


def test_the_best_activation_counts() -> None:
    assert f(SILENT, called(0, (3,)), called(0, (3, 4), {FAR: 0.0, NEAR: 1.0}), called(0, (3,), {FAR: 4.0})) == 4.0


def test_a_crash_at_import_has_no_line_to_guide_to() -> None:
    target = CrashTarget("shelf", "AttributeError", MESSAGE, ())
    fitness = WeightedSumFitness(CrashJudge(target, lambda _path: True), (), Variant())
    assert fitness.score(SILENT, trace()).fitness == 3
