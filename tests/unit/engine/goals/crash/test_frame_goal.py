"""The landmarks of the line distance, on hand-made activations."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as some

from crashwright.core.location import CodeKey, Position
from crashwright.engine.goals.crash.chain import chain_distance
from crashwright.engine.goals.crash.frame_goal import FrameGoal, GuidingBranch, NameDefinition, frame_goal
from crashwright.engine.goals.distance import normalise
from crashwright.engine.instrument.trace import Activation, Predicate, ProbedFunction
from crashwright.engine.subject.flow.conditions import position_of
from crashwright.engine.subject.flow.control_dependence import ControlDependence
from crashwright.engine.subject.flow.definitions import definitions

NEAR, FAR = 1, 0
"""Predicates: FAR (level 1) guards NEAR (level 0), which guards the line (marker 2)."""


def goal() -> FrameGoal:
    return FrameGoal(0, 30, [2], [GuidingBranch(NEAR, True, 0), GuidingBranch(FAR, True, 1)], [0, 1])


def activation(hits: tuple[int, ...] = (0,), true: dict[int, float] | None = None) -> Activation:
    made = Activation(0, 3)
    for marker in hits:
        made.hits[marker] = 1
    made.true_distance.update(true or {})
    return made


def value(**facts: object) -> tuple[float, float]:
    distance = goal().distance(activation(**facts))  # type: ignore[arg-type]
    return distance.value, -distance.progress


def test_each_step_towards_the_line_scores_better_than_the_one_before() -> None:
    not_evaluated = value(hits=())
    far_wrong = value(true={FAR: 5.0})
    far_nearly = value(true={FAR: 1.0})
    stopped_after_far = value(true={FAR: 0.0})
    near_wrong = value(true={FAR: 0.0, NEAR: 9.0})
    near_nearly = value(true={FAR: 0.0, NEAR: 1.0})
    stopped_after_near = value(true={FAR: 0.0, NEAR: 0.0})
    stopped_later = value(true={FAR: 0.0, NEAR: 0.0}, hits=(0, 1))
    steps = [not_evaluated, far_wrong, far_nearly, stopped_after_far, near_wrong, near_nearly, stopped_after_near, stopped_later]
    assert steps == sorted(steps, reverse=True)
    assert len(set(steps)) == len(steps)


def test_reached() -> None:
    found = goal().distance(activation(hits=(0, 1, 2)))
    assert found.reached
    assert found.value == 0


def test_a_line_without_conditions_is_graded_by_progress_alone() -> None:
    plain = FrameGoal(0, 30, [2], [], [0, 1])
    started, later = plain.distance(activation(hits=(0,))), plain.distance(activation(hits=(0, 1)))
    assert started.value == later.value == 0
    assert later.progress > started.progress


@given(some.floats(min_value=0, allow_nan=False), some.floats(min_value=0, allow_nan=False))
def test_normalise_keeps_order_within_the_unit_interval(one: float, other: float) -> None:
    assert 0 <= normalise(one) <= 1
    if one < other:
        assert normalise(one) <= normalise(other)
    assert (normalise(one) == 0) == (one == 0)


def test_the_chain_counts_a_frame_only_from_the_right_line_of_the_right_caller() -> None:
    goals = [FrameGoal(0, 10, [0]), FrameGoal(1, 20, [0])]
    outer = Activation(0, 1)
    outer.hits[0] = 1
    wrong_line, right = Activation(1, 1, outer, 11), Activation(1, 1, outer, 10)
    stray = Activation(1, 1, None, 10)
    assert chain_distance(goals, [stray]).depth == -1
    assert chain_distance(goals, [outer, wrong_line]).depth == 0
    deep = chain_distance(goals, [outer, wrong_line, right])
    assert deep.depth == 1
    assert not deep.line.reached
    right.hits[0] = 1
    assert chain_distance(goals, [outer, right]).line.reached


def test_recursion_matches_one_function_at_several_depths() -> None:
    goals = [FrameGoal(0, 10, [0]), FrameGoal(0, 10, [0]), FrameGoal(0, 12, [1])]
    first = Activation(0, 2)
    second = Activation(0, 2, first, 10)
    third = Activation(0, 2, second, 10)
    assert chain_distance(goals, [first, second]).depth == 1
    assert chain_distance(goals, [first, second, third]).depth == 2


def test_the_site_is_the_nearest_of_the_activations_that_reached_the_line() -> None:
    goals = [FrameGoal(0, 10, [0], site=4)]

    def began(reached: bool, site: float | None) -> Activation:
        made = Activation(0, 1)
        made.hits[0] = reached
        if site is not None:
            made.true_distance[4] = site
        return made

    assert chain_distance(goals, [began(True, None)]).line.site == float("inf")
    assert chain_distance(goals, [began(True, 5.0), began(True, 2.0), began(True, None), began(True, 3.0)]).line.site == 2.0
    assert chain_distance(goals, [began(False, 1.0), began(True, 5.0)]).line.site == 5.0
    plain = [FrameGoal(0, 10, [0])]
    assert chain_distance(plain, [began(True, 5.0)]).line.site == float("inf")


def test_the_goal_of_the_crash_frame_finds_the_site_beside_a_condition() -> None:
    source = "def f(x, i):\n    if x[i]:\n        return 1\n    return x[i]\n"
    flow = ControlDependence(ast.parse(source).body[0])  # type: ignore[arg-type]
    place, line = Position(2, 7, 2, 11), Position(2, 4, 3, 16)
    function = ProbedFunction(CodeKey("m", "f", 1), (Predicate(place, "truth"), Predicate(place, "site")), (line,))
    assert frame_goal(0, function, 2, flow, place, crash=True).site == 1
    assert frame_goal(0, function, 2, flow, place).site is None
    assert [branch.predicate for branch in frame_goal(0, function, 4, flow, None, crash=True).branches] == [0]


@pytest.mark.parametrize("seen", [0.0, 1.0])
def test_predicates_of_no_interest_do_not_count(seen: float) -> None:
    assert value(true={7: seen}) == value()


def test_numbers_of_a_hundred_digits_have_a_slope() -> None:
    steps = [normalise(10.0**digits) for digits in range(309)]
    assert steps == sorted(set(steps))
    assert normalise(float("inf")) == 1.0 > steps[-1]


def test_what_sets_the_name_counts_only_where_the_line_can_do_without() -> None:
    source = """
def f(a, b):
    if a:
        if b:
            x = 1
        y = 1
        return x
    x = 2
"""
    [scope] = ast.parse(source).body
    assert isinstance(scope, ast.FunctionDef)
    nodes = list(ast.walk(scope))
    tests = [Predicate(position_of(node.test), "truth") for node in nodes if isinstance(node, ast.If)]
    markers = [position_of(node) for node in nodes if isinstance(node, ast.stmt) and node is not scope]
    function = ProbedFunction(CodeKey("m", "f", 2), tuple(tests), tuple(sorted(markers)))
    made = frame_goal(0, function, 7, ControlDependence(scope), None, crash=True, unset=definitions(scope, "x"))
    assert made.definitions == (NameDefinition(2, ((1, True),)),)  # line 5; that it needs a is no way out, and line 8 leads nowhere
