"""The landmarks of our own fitness, and how exceptions and messages are judged."""

from __future__ import annotations

import math
import os
import sys
from dataclasses import replace
from itertools import pairwise
from types import CodeType

import pytest
from shelf_crash import (
    CHAIN,
    CHECK,
    FUNCTIONS,
    LOCATE,
    MESSAGE,
    NAMESPACE,
    OTHER_MESSAGE,
    OTHER_TYPE,
    RIGHT,
    SHORT_CUT,
    SILENT,
    TAKE,
    TARGET,
    TIMED_OUT,
    called,
    chain,
    fitness_of,
    goals_of,
    judge,
    raised,
    taken,
    trace,
)

from crashwright.core.chains import GroupMember
from crashwright.core.level import FramePlace
from crashwright.core.location import Position
from crashwright.core.report import OuterException
from crashwright.core.target import CrashTarget
from crashwright.engine.execution.outcome import InnerException, Outcome, RaisedFrame
from crashwright.engine.goals.crash.frame_goal import FrameGoal, NameDefinition
from crashwright.engine.goals.crash.message_distance import message_distance
from crashwright.engine.goals.crash.ordered import OrderedFitness
from crashwright.engine.goals.crash.score import CrashJudge, Variant
from crashwright.engine.instrument.trace import Activation


def at_crash_frame(activation: Activation | None) -> list[Activation]:
    """The chain of the report, ``activation`` its last call."""
    outer, middle = chain(1)
    if activation is None:
        return [outer, middle]
    activation.caller, activation.caller_line = middle, 9
    return [outer, middle, activation]


def test_levels_are_those_of_the_independent_judge() -> None:
    fitness = fitness_of("ordered")
    outcomes = (SILENT, OTHER_TYPE, SHORT_CUT, OTHER_MESSAGE, RIGHT)
    assert [fitness.score(outcome, trace(*chain(2))).level for outcome in outcomes] == [0, 0, 2, 3, 4]
    assert fitness.score(OTHER_MESSAGE, trace(*chain(2))).message  # what may be put right


def test_the_scale_falls_with_every_step() -> None:
    fitness = fitness_of("ordered")
    runs: list[tuple[Outcome, list[Activation]]] = [
        (TIMED_OUT, []),
        (SILENT, []),
        (SILENT, [taken()]),
        (SILENT, at_crash_frame(None)),
        (SILENT, at_crash_frame(called(2, (12,), {0: 4.0}))),
        (SILENT, at_crash_frame(called(2, (12,), {0: 1.0}))),
        (SILENT, at_crash_frame(called(2, (12,), {0: 0.0}))),
        (SILENT, at_crash_frame(called(2, (12, 13), {0: 0.0}))),
        (SILENT, at_crash_frame(called(2, (12, 13, 14), {0: 0.0}))),
        (OTHER_TYPE, chain(2)),
        (OTHER_MESSAGE, chain(2)),
        (RIGHT, chain(2)),
    ]
    scores = [fitness.score(outcome, trace(*activations)) for outcome, activations in runs]
    assert all(farther.fitness > nearer.fitness for farther, nearer in pairwise(scores))
    assert [score.frames for score in scores] == [0, 0, 1, 2, *[3] * 8]


def test_without_block_coverage_progress_is_no_part_of_the_scale() -> None:
    fitness = fitness_of("ordered", block_coverage=False)
    runs = [at_crash_frame(called(2, lines, {0: 0.0})) for lines in ((12,), (12, 13), (12, 13, 14))]
    early, late, reached = (fitness.score(SILENT, trace(*run)).fitness for run in runs)
    assert early == late > reached


def test_the_site_grades_runs_that_reached_the_crash_line() -> None:
    plain = goals_of()
    goals = (*plain[:2], FrameGoal(2, 14, [2], plain[2].branches, [0, 1], site=1))
    fitness = OrderedFitness(judge(), goals, (None, None, None), Variant())

    def silent(site: float | None) -> float:
        seen = chain(2)
        if site is not None:
            seen[2].true_distance[1] = site
        return fitness.score(SILENT, trace(*seen)).fitness

    values = [silent(None), silent(math.inf), silent(1e300), silent(1e200), silent(30.0), silent(2.0), silent(1.0), silent(0.0)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values) - 1  # not measured is as bad as farthest
    assert values[0] == pytest.approx(0.19)
    assert values[-1] == pytest.approx(0.15)
    assert fitness.score(OTHER_TYPE, trace(*chain(2))).fitness < values[-1]
    assert fitness_of("ordered").score(SILENT, trace(*chain(2))).fitness == pytest.approx(0.15)


def test_a_hostile_str_is_an_unprintable_message() -> None:
    class Nasty(AttributeError):
        def __str__(self) -> str:
            raise RuntimeError

    Nasty.__name__ = "AttributeError"
    assert judge().judge(raised(Nasty(), *CHAIN)).level == 3


@pytest.mark.parametrize(
    ("nearer", "farther"),
    [
        ("'str' object has no attribute 'strip'", "something else went wrong"),
        ("'int' object has no attribute 'strip'", "'str' object has no attribute 'strip'"),
    ],
)
def test_message_distance_orders(nearer: str, farther: str) -> None:
    assert message_distance(TARGET.message, nearer) < message_distance(TARGET.message, farther) <= 1


def test_positions_are_read_through_the_code_that_raised() -> None:
    class Sized(int):
        size = 1

    try:
        NAMESPACE["check"](Sized(9))  # type: ignore[operator]
    except AttributeError as error:  # `pytest.raises` would keep the frames, and the error, alive
        assert str(error) == MESSAGE  # noqa: PT017
        assert error.__traceback__ is not None  # noqa: PT017
        inner = error.__traceback__.tb_next
        assert inner is not None
        fitness = OrderedFitness(judge(), goals_of(), (None, None, Position(14, 15, 14, 22)), Variant())
        outcome = raised(TypeError("no"), (CHECK, 14))
        inside = outcome._replace(frames=(RaisedFrame(CHECK, 14, inner.tb_lasti),))
        assert fitness.score(inside._replace(error=error), trace(*chain(2))).level == 2  # noqa: PT017
    assert sys.exc_info() == (None, None, None)
    assert FUNCTIONS[2].key.first_line == CHECK.co_firstlineno


def test_a_comprehension_that_fails_inside_the_caret_is_the_sub_expression() -> None:
    comprehension = CHECK.replace(co_name="<listcomp>")
    whole = Position(5, 0, 99, 0)
    fitness = OrderedFitness(judge(), goals_of(), (whole, None, None), Variant())
    outside = OrderedFitness(judge(), goals_of(), (Position(5, 0, 6, 0), None, None), Variant())
    failed = raised(TypeError("no"), (TAKE, 4), (comprehension, 14))
    assert fitness.score(failed, trace(taken())).fitness == pytest.approx(2.17)
    assert outside.score(failed, trace(taken())).fitness == pytest.approx(2.15)
    assert fitness.score(SILENT, trace(taken())).fitness == pytest.approx(2.15)


def inner(error: BaseException, member: bool, parent: str, *lines: tuple[CodeType, int]) -> InnerException:
    return InnerException(error, tuple(RaisedFrame(code, line, 0) for code, line in lines), member, parent)


def test_crash_within_another_exception_counts_where_the_report_has_it_there() -> None:
    group = raised(ExceptionGroup("two", [ValueError()]))._replace(inner=(inner(AttributeError(MESSAGE), True, "Group", *CHAIN),))
    assert judge().judge(group).level == 0
    member = CrashJudge(replace(TARGET, outer=(OuterException("ExceptionGroup", "member"),)), lambda path: path.startswith("/lib"))
    assert member.judge(group).level == 4
    assert member.may_be(group)
    cause = raised(ValueError("wrapped"))._replace(inner=(inner(AttributeError(MESSAGE), False, "ValueError", *CHAIN),))
    assert member.judge(cause).level == 0
    wrapped = CrashJudge(replace(TARGET, outer=(OuterException("ValueError", "cause"),)), lambda path: path.startswith("/lib"))
    assert wrapped.judge(cause).level == 4
    assert wrapped.judge(group).level == 0
    assert wrapped.judge(RIGHT).level == 4


def test_group_with_other_members_is_no_reproduction() -> None:
    members = (GroupMember("KeyError", "'a'", FramePlace(os.path.realpath("/lib/shelf.py"), 14, "check")),)
    target = replace(TARGET, exception="ExceptionGroup", message="no (1 sub-exception)", members=members)
    group = raised(ExceptionGroup("no", [KeyError("b")]), *CHAIN)
    found = CrashJudge(target, lambda path: path.startswith("/lib"))
    assert found.judge(group._replace(inner=(inner(KeyError("b"), True, "ExceptionGroup", (CHECK, 14)),))).level == 4
    assert found.judge(group._replace(inner=(inner(KeyError("b"), True, "ExceptionGroup", (CHECK, 12)),))).level == 2
    assert found.judge(group._replace(inner=(inner(TypeError("b"), True, "ExceptionGroup", (CHECK, 14)),))).level == 2


def test_what_another_call_raised_is_no_evidence_of_the_chain() -> None:
    """The test went down the chain, and later called the crash function by itself, which raised."""
    later = called(2, (12, 13, 14), {0: 0.0})
    runs = trace(*chain(2), later)
    fitness = fitness_of("ordered")
    silent = fitness.score(SILENT, runs).fitness
    assert fitness.score(SHORT_CUT, runs).fitness == silent
    assert fitness.score(raised(TypeError("no"), (CHECK, 14)), runs).fitness == silent
    assert fitness.score(raised(TypeError("no"), *CHAIN), runs).fitness < silent
    mixed = OrderedFitness(judge(), goals_of(), (None, None, None), Variant(one_chain=False))
    assert mixed.score(SHORT_CUT, runs).fitness < silent


def test_other_frames_may_stand_between_those_of_the_chain() -> None:
    later = called(2, (12, 13, 14), {0: 0.0})
    between = (NAMESPACE["take"].__code__.replace(co_name="wrapper"), 3)  # type: ignore[attr-defined]
    outcome = raised(TypeError("no"), CHAIN[0], between, *CHAIN[1:])
    fitness = fitness_of("ordered")
    assert fitness.score(outcome, trace(*chain(2), later)).fitness < fitness.score(SILENT, trace(*chain(2), later)).fitness


def test_a_name_that_is_to_have_no_value_wants_a_way_past_its_definitions() -> None:
    """``y`` is set on line 13, where ``x > 3``; the line that uses it is 14."""
    [crash] = goals_of()[2:]
    definition = NameDefinition(1, ((0, True),))
    goals = (*goals_of()[:2], FrameGoal(2, 14, [2], (), [0, 1], definitions=[definition]))
    fitness = OrderedFitness(judge(), goals, (None, None, None), Variant())

    def silent(lines: tuple[int, ...], to_false: float) -> float:
        run = called(2, lines, {0: 0.0})
        run.false_distance[0] = to_false
        return fitness.score(SILENT, trace(*at_crash_frame(run))).fitness

    found = [silent((12, 13, 14), 9.0), silent((12, 13, 14), 2.0), silent((12, 13, 14), 0.5)]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == 3
    assert silent((12, 13, 14), 0.0) == silent((12, 13, 14), 1.0)  # taken both ways
    assert not crash.is_graded


def test_where_a_recursion_ended_is_told_though_it_is_chance() -> None:
    exceeded, calling = "maximum recursion depth exceeded", "maximum recursion depth exceeded while calling a Python object"
    _, locate, check = TARGET.frames
    target = CrashTarget("shelf", "RecursionError", calling, (*[locate] * 4, check))
    recursion = CrashJudge(target, lambda path: path.startswith("/lib"))
    round_about = [(LOCATE, 9)] * 30
    runs = [
        raised(RecursionError(calling), *round_about, (CHECK, 14)),
        raised(RecursionError(exceeded), *round_about, (CHECK, 14)),
        raised(RecursionError(calling), *round_about),
    ]
    assert [(found.level, found.ends_alike) for found in map(recursion.judge, runs)] == [(4, True), (4, False), (4, False)]
