"""What holds for every crash fitness function, on hand-made traces."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some
from shelf_crash import (
    ELSEWHERE,
    FAR,
    NEAR,
    OTHER_MESSAGE,
    OTHER_TYPE,
    OUTSIDE,
    RIGHT,
    SHORT_CUT,
    SILENT,
    TIMED_OUT,
    called,
    chain,
    fitness_of,
    trace,
)

from crashwright.engine.goals.crash.fitness import FITNESS
from crashwright.engine.instrument.trace import Trace

NAMES = sorted(FITNESS)
WRONG_SIDES = some.one_of(
    some.floats(min_value=0, exclude_min=True, allow_nan=False), some.sampled_from([5e-324, 1e-300, 1e-12, 1.0, 1e300, math.inf])
)
STEPS = [
    (SILENT, []),
    (SILENT, [called(0, (3,))]),
    (SILENT, [called(0, (3,), {FAR: 5.0})]),
    (SILENT, [called(0, (3,), {FAR: 1.0})]),
    (SILENT, [called(0, (3,), {FAR: 0.0})]),
    (SILENT, [called(0, (3, 4), {FAR: 0.0, NEAR: 9.0})]),
    (SILENT, [called(0, (3, 4), {FAR: 0.0, NEAR: 1.0})]),
    (SILENT, [called(0, (3, 4), {FAR: 0.0, NEAR: 0.0})]),
]
"""Runs from far to near, up to the target frame's line."""


@pytest.mark.parametrize("block_coverage", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_each_step_to_the_line_of_the_target_frame_is_better_than_the_one_before(name: str, block_coverage: bool) -> None:
    fitness = fitness_of(name, block_coverage=block_coverage)
    scores = [fitness.score(outcome, trace(*activations)) for outcome, activations in STEPS]
    reached = fitness.score(SILENT, trace(*chain(0)))
    assert all(farther.fitness > nearer.fitness for farther, nearer in pairwise([*scores, reached]))
    assert [score.frames for score in scores] == [0, *[1] * 7]
    told = [score.standing.name for score in (*scores, reached)]
    assert told == ["NOT_ENTERED", "STOPPED", *["WRONG_SIDE"] * 2, "STOPPED", *["WRONG_SIDE"] * 2, "STOPPED", "REACHED"]
    assert {score.level for score in scores} == {0}


@pytest.mark.parametrize("name", NAMES)
def test_zero_is_only_the_whole_crash(name: str) -> None:
    fitness = fitness_of(name)
    whole = fitness.score(RIGHT, trace(*chain(2)))
    assert (whole.fitness, whole.level, whole.agreeing, whole.frames) == (0.0, 4, 3, 3)
    rests = [fitness.score(outcome, trace(*chain(2))) for outcome in (OTHER_MESSAGE, SHORT_CUT, OTHER_TYPE, SILENT)]
    assert 0 < rests[0].fitness < 0.06
    assert all(better.fitness < worse.fitness for better, worse in pairwise(rests[:3]))
    assert [score.level for score in rests] == [3, 2, 0, 0]


@pytest.mark.parametrize("name", NAMES)
def test_a_timeout_is_no_better_than_doing_nothing(name: str) -> None:
    fitness = fitness_of(name)
    assert fitness.score(TIMED_OUT, trace()).fitness >= fitness.score(SILENT, trace()).fitness


@pytest.mark.parametrize("name", NAMES)
@given(wrong=WRONG_SIDES, level=some.sampled_from([FAR, NEAR]), begun=some.booleans())
def test_the_right_side_of_a_decision_is_better_than_every_wrong_side(name: str, wrong: float, level: int, begun: bool) -> None:
    """SPEC 2, the inversion: a run that took the right side and was stopped before the line. How much of the path began must not
    matter."""
    passed = {FAR: 0.0} if level == NEAR else {}
    stopped = called(0, (3,), {**passed, level: 0.0})
    missed = called(0, (3, 4) if begun else (3,), {**passed, level: wrong})
    fitness = fitness_of(name)
    right, astray = fitness.score(SILENT, trace(stopped)).fitness, fitness.score(SILENT, trace(missed)).fitness
    assert right < astray < math.inf
    reached = fitness.score(SILENT, trace(*chain(0))).fitness
    assert reached < right


@pytest.mark.parametrize("name", NAMES)
@given(near=WRONG_SIDES, far=WRONG_SIDES)
def test_scores_are_finite_and_nearer_decisions_are_no_worse(name: str, near: float, far: float) -> None:
    fitness = fitness_of(name)
    farther = fitness.score(SILENT, trace(called(0, (3,), {FAR: far}))).fitness
    nearer = fitness.score(SILENT, trace(called(0, (3, 4), {FAR: 0.0, NEAR: near}))).fitness
    nothing = fitness.score(SILENT, trace()).fitness
    stopped = fitness.score(SILENT, trace(called(0, (3,), {FAR: 0.0}))).fitness
    assert 0 < nearer < stopped < farther < nothing < math.inf


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("outcome", [SILENT, ELSEWHERE, OUTSIDE, OTHER_TYPE])
def test_coverage_is_carried_only_where_it_is_asked_for(name: str, outcome: object) -> None:
    runs: list[Trace] = [trace(), trace(called(0, (3,))), trace(called(0, (3, 4), {FAR: 0.0, NEAR: 0.0}))]
    assert all(fitness_of(name, block_coverage=False).score(outcome, run).coverage is None for run in runs)  # type: ignore[arg-type]
    assert all(fitness_of(name).score(outcome, run).coverage is not None for run in runs)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_without_block_coverage_ties_stay_ties(name: str) -> None:
    """Two runs that were stopped at different statements between the same decisions."""
    fitness = fitness_of(name, block_coverage=False)

    def score(lines: tuple[int, ...]) -> float:
        outer, middle = chain(1)
        return fitness.score(SILENT, trace(outer, middle, called(2, lines, {0: 0.0}, middle, 9))).fitness

    assert score((12,)) == score((12, 13))
