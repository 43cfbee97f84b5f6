"""STDistance: |R| - lcp - (1 - StatementDistance) + penalty, with each frame of three uncovered in turn."""

from __future__ import annotations

import pytest
from shelf_crash import (
    ELSEWHERE,
    FAR,
    MESSAGE,
    OTHER_MESSAGE,
    OTHER_TYPE,
    SHORT_CUT,
    SILENT,
    TAKE,
    TIMED_OUT,
    called,
    chain,
    fitness_of,
    judge,
    raised,
    taken,
    trace,
)

from crashwright.core.target import CrashTarget
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.frame_goal import FrameGoal
from crashwright.engine.goals.crash.score import CrashJudge, Variant
from crashwright.engine.goals.crash.st_distance import StackTraceDistanceFitness
from crashwright.engine.goals.distance import SMALLEST
from crashwright.engine.instrument.trace import Activation


def distance(outcome: Outcome, *activations: Activation) -> float:
    return fitness_of("st-distance").score(outcome, trace(*activations)).fitness


def test_nothing_covered() -> None:
    assert distance(SILENT) == 3 + 1
    assert distance(SILENT, called(0, (3,), {FAR: 1.0})) == pytest.approx(3 - (1 - 1.5 / 2.5) + 1)


def test_the_first_frame_covered_and_the_second_not_entered() -> None:
    assert distance(SILENT, *chain(0)) == 3 - 1 - 0 + 1


def test_the_second_frame_entered_and_stopped_before_its_line() -> None:
    outer = taken()
    inner = called(1, (8,), caller=outer, caller_line=5)
    assert distance(SILENT, outer, inner) == pytest.approx(3 - 1 - 1 + SMALLEST / 2 + 1, abs=1e-15)


def test_the_last_frame_uncovered() -> None:
    assert distance(SILENT, *chain(1)) == 3 - 2 - 0 + 1
    last = called(2, (12,), {0: 3.0}, chain(1)[1], 9)
    assert last.caller is not None
    assert last.caller.caller is not None
    assert distance(SILENT, last.caller.caller, last.caller, last) == pytest.approx(3 - 2 - (1 - 0.75 / 1.75) + 1)


def test_all_covered_leaves_the_penalty() -> None:
    assert distance(SILENT, *chain(2)) == 1
    assert distance(OTHER_TYPE, *chain(2)) == 1
    assert distance(OTHER_MESSAGE, *chain(2)) < 0.05
    assert 0.05 < distance(SHORT_CUT, *chain(2)) <= 0.1


def test_the_penalty_is_lifted_only_by_the_exception_at_the_crash_line() -> None:
    assert distance(ELSEWHERE, *chain(0)) == distance(SILENT, *chain(0)) == 3
    assert distance(SHORT_CUT, *chain(0)) == 2


def test_a_frame_is_covered_only_by_the_call_from_the_right_line() -> None:
    outer = taken()
    wrong_line = called(1, (8, 9), caller=outer, caller_line=4)
    assert distance(SILENT, outer, wrong_line) == distance(SILENT, *chain(0))
    by_itself = called(1, (8, 9))
    assert distance(SILENT, outer, by_itself) == distance(SILENT, *chain(0))
    assert distance(SILENT, by_itself) == distance(SILENT)


def test_recursion_covers_a_frame_for_each_call_of_the_chain() -> None:
    """Three frames of the same function, the first two on the same line."""
    goals = (FrameGoal(0, 10, [1]), FrameGoal(0, 10, [1]), FrameGoal(0, 12, [2]))
    fitness = StackTraceDistanceFitness(judge(), goals, Variant())

    def call(caller: Activation | None, *markers: int) -> Activation:
        made = Activation(0, 3, caller, 10 if caller is not None else 0)
        for marker in (0, *markers):
            made.hits[marker] = 1  # type: ignore[index]
        return made

    first = call(None, 1)
    second = call(first, 1)
    third, stopped = call(second, 2), call(second)
    assert fitness.score(SILENT, trace(first)).fitness == 3 - 1 + 1
    assert fitness.score(SILENT, trace(first, second)).fitness == 3 - 2 + 1
    assert fitness.score(SILENT, trace(first, second, stopped)).fitness == pytest.approx(1 + SMALLEST / 2, abs=1e-15)
    assert fitness.score(SILENT, trace(first, second, third)).fitness == 1


def test_a_timeout_scores_worst() -> None:
    assert distance(TIMED_OUT, *chain(2)) == 4


def test_a_crash_at_import_has_only_the_penalty() -> None:
    target = CrashTarget("shelf", "AttributeError", MESSAGE, ())
    fitness = StackTraceDistanceFitness(CrashJudge(target, lambda _path: True), (), Variant())
    assert fitness.score(SILENT, trace()).fitness == 1
    assert fitness.score(raised(AttributeError(MESSAGE), (TAKE, 5)), trace()).fitness > 0
