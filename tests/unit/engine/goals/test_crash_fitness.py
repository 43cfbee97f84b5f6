"""The landmarks of both crash fitness functions, on real exceptions and hand-made traces."""

from __future__ import annotations

import sys
from types import CodeType

import pytest

from crashwright.core.location import CodeKey, Position
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.goals.crash.fitness import FITNESS
from crashwright.engine.goals.crash.frame_goal import FrameGoal, GuidingBranch
from crashwright.engine.goals.crash.message_distance import message_distance
from crashwright.engine.goals.crash.score import CrashJudge
from crashwright.engine.goals.crash.weighted_sum import trace_distance
from crashwright.engine.instrument.trace import Activation, Predicate, ProbedFunction, Trace

FILE = "/lib/shelf.py"
SOURCE = """
def take(x):
    return locate(x)

def locate(x):
    if x:
        return x.strip()
"""
NAMESPACE: dict[str, object] = {}
exec(compile(SOURCE, FILE, "exec"), NAMESPACE)
TAKE: CodeType = NAMESPACE["take"].__code__  # type: ignore[attr-defined]
LOCATE: CodeType = NAMESPACE["locate"].__code__  # type: ignore[attr-defined]


def frame(name: str, line: int, first: int) -> TargetFrame:
    return TargetFrame(CodeKey("shelf", name, first), FILE, line, "", None, True)


TARGET = CrashTarget(
    "shelf", "AttributeError", "'int' object has no attribute 'strip'", (frame("take", 3, 2), frame("locate", 7, 5))
)
FUNCTIONS = (
    ProbedFunction(CodeKey("shelf", "take", 2), (), (Position(3, 4, 3, 20),)),
    ProbedFunction(
        CodeKey("shelf", "locate", 5), (Predicate(Position(6, 7, 6, 8), "truth"),), (Position(6, 4, 7, 24), Position(7, 8, 7, 24))
    ),
)
GOALS = (FrameGoal(0, 3, [0]), FrameGoal(1, 7, [1], [GuidingBranch(0, True, 0)], [0]))


def trace(deep: bool, true: float | None = None, line: bool = False) -> Trace:
    outer = Activation(0, 1)
    outer.hits[0] = 1
    activations = [outer]
    if deep:
        inner = Activation(1, 2, outer, 3)
        inner.hits[0] = 1
        if true is not None:
            inner.true_distance[0] = true
        if line:
            inner.hits[1] = 1
        activations.append(inner)
    return Trace(FUNCTIONS, activations)


def raised(error: BaseException, *lines: tuple[CodeType, int]) -> Outcome:
    return Outcome(1, error, tuple(RaisedFrame(code, line, 0) for code, line in lines))


SILENT = Outcome(3)
CHAIN = ((TAKE, 3), (LOCATE, 7))
RIGHT = raised(AttributeError("'int' object has no attribute 'strip'"), *CHAIN)
OTHER_MESSAGE = raised(AttributeError("'list' object has no attribute 'strip'"), *CHAIN)
OTHER_TYPE = raised(TypeError("no"), *CHAIN)
SHORT_CUT = raised(AttributeError("'int' object has no attribute 'strip'"), (LOCATE, 7))


def judge() -> CrashJudge:
    return CrashJudge(TARGET, lambda path: path.startswith("/lib"))


@pytest.mark.parametrize("name", sorted(FITNESS))
def test_every_fitness_is_zero_only_for_the_whole_crash(name: str) -> None:
    fitness = FITNESS[name](judge(), GOALS, (None, None))
    whole = fitness.score(RIGHT, trace(True, 0.0, True))
    assert (whole.fitness, whole.level, whole.agreeing) == (0.0, 4, 2)
    for outcome in (SILENT, OTHER_MESSAGE, OTHER_TYPE, SHORT_CUT):
        assert fitness.score(outcome, trace(True, 0.0, True)).fitness > 0


def test_levels_are_those_of_the_independent_judge() -> None:
    fitness = FITNESS["ordered"](judge(), GOALS, (None, None))
    levels = [
        fitness.score(outcome, trace(True, 0.0, True)).level for outcome in (SILENT, OTHER_TYPE, SHORT_CUT, OTHER_MESSAGE, RIGHT)
    ]
    assert levels == [0, 0, 2, 3, 4]


def test_the_ordered_scale_falls_with_every_step() -> None:
    fitness = FITNESS["ordered"](judge(), GOALS, (None, None))
    steps = [
        fitness.score(Outcome(0, None, (), True), Trace(FUNCTIONS, [])),
        fitness.score(SILENT, Trace(FUNCTIONS, [])),
        fitness.score(SILENT, trace(False)),
        fitness.score(SILENT, trace(True)),
        fitness.score(SILENT, trace(True, 4.0)),
        fitness.score(SILENT, trace(True, 1.0)),
        fitness.score(SILENT, trace(True, 0.0)),
        fitness.score(SILENT, trace(True, 0.0, True)),
        fitness.score(OTHER_TYPE, trace(True, 0.0, True)),
        fitness.score(OTHER_MESSAGE, trace(True, 0.0, True)),
        fitness.score(RIGHT, trace(True, 0.0, True)),
    ]
    values = [step.fitness for step in steps]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)
    assert [step.frames for step in steps] == [0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2]


def test_the_site_grades_runs_that_reached_the_crash_line() -> None:
    goals = (GOALS[0], FrameGoal(1, 7, [1], [GuidingBranch(0, True, 0)], [0], site=1))
    fitness = FITNESS["ordered"](judge(), goals, (None, None))

    def silent(site: float | None) -> float:
        seen = trace(True, 0.0, True)
        if site is not None:
            seen.activations[1].true_distance[1] = site
        return fitness.score(SILENT, seen).fitness

    values = [silent(None), silent(1e300), silent(30.0), silent(2.0), silent(1.0), silent(0.0)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values) - 1  # not measured is as bad as farthest
    assert values[0] == pytest.approx(0.19)
    assert values[-1] == pytest.approx(0.15)
    assert fitness.score(OTHER_TYPE, trace(True, 0.0, True)).fitness < values[-1]
    assert FITNESS["ordered"](judge(), GOALS, (None, None)).score(SILENT, trace(True, 0.0, True)).fitness == pytest.approx(0.15)


def test_the_landmarks_of_the_weighted_sum() -> None:
    fitness = FITNESS["weighted-sum"](judge(), GOALS, (None, None))
    not_called = fitness.score(SILENT, Trace(FUNCTIONS, [])).fitness
    line_only = fitness.score(SILENT, trace(True, 0.0, True)).fitness
    wrong_trace = fitness.score(SHORT_CUT, trace(True, 0.0, True)).fitness
    assert not_called > 3
    assert line_only == 3
    assert 0 < wrong_trace < 1


def test_the_right_side_beats_every_wrong_side_in_the_weighted_sum() -> None:
    target = (FrameGoal(1, 7, [1], [GuidingBranch(0, True, 0)], [0]),)
    fitness = FITNESS["weighted-sum"](judge(), target, (None,))
    stopped = fitness.score(SILENT, trace(True, 0.0)).fitness
    for distance in (1e-9, 0.01, 0.5, 1.0, 1e6):
        assert stopped < fitness.score(SILENT, trace(True, distance)).fitness < 6


def test_trace_distance_takes_the_closest_element() -> None:
    places = judge().want
    assert trace_distance(places, places) == 0
    assert trace_distance(places, places[:1]) == pytest.approx(2 / 3)
    assert trace_distance(places, []) == pytest.approx(6 / 7)


def test_a_hostile_str_is_an_unprintable_message() -> None:
    class Nasty(AttributeError):
        def __str__(self) -> str:
            raise RuntimeError

    Nasty.__name__ = "AttributeError"
    judged = judge().judge(raised(Nasty(), *CHAIN))
    assert judged.level == 3


@pytest.mark.parametrize(
    ("nearer", "farther"),
    [
        ("'str' object has no attribute 'strip'", "something else went wrong"),
        ("'int' object has no attribute 'strip'", "'str' object has no attribute 'strip'"),
    ],
)
def test_message_distance_orders(nearer: str, farther: str) -> None:
    wanted = TARGET.message
    assert message_distance(wanted, nearer) < message_distance(wanted, farther) <= 1


def test_positions_are_read_through_the_code_that_raised() -> None:
    try:
        NAMESPACE["locate"](1)  # type: ignore[operator]
    except AttributeError as error:  # `pytest.raises` would keep the frames, and the error, alive
        assert error.__traceback__ is not None  # noqa: PT017
        inner = error.__traceback__.tb_next
        assert inner is not None
        caret = Position(7, 15, 7, 22)
        goals = FITNESS["ordered"](judge(), GOALS, (None, caret))
        outcome = raised(error, (LOCATE, 7))
        outcome = outcome._replace(frames=(RaisedFrame(LOCATE, 7, inner.tb_lasti),))
        score = goals.score(outcome, trace(True, 0.0, True))
        assert score.level == 2
    assert sys.exc_info() == (None, None, None)
