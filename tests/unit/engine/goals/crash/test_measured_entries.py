"""Our fitness where the arguments of a frame were measured: they give a slope between "entered" and "the line reached"."""

from __future__ import annotations

import itertools

import pytest
from shelf_crash import FUNCTIONS, OTHER_TYPE, RIGHT, SILENT, TREE, called, chain, fitness_of, goals_of, judge, trace

from crashwright.core.location import Position
from crashwright.engine.goals.crash.frame_goal import frame_goal
from crashwright.engine.goals.crash.ordered import OrderedFitness
from crashwright.engine.goals.crash.score import Variant
from crashwright.engine.instrument.trace import Activation, Predicate
from crashwright.engine.subject.flow.control_dependence import ControlDependence

ENTRY = 1
"""The predicate of the arguments of ``check``, behind its only condition."""
CHECKED = FUNCTIONS[2]._replace(predicates=(*FUNCTIONS[2].predicates, Predicate(Position(11, 0, 14, 24), "entry")))
GOAL = frame_goal(2, CHECKED, 14, ControlDependence(TREE.body[2]), None, measured=True)  # type: ignore[arg-type]
FITNESS = OrderedFitness(judge(), (*goals_of()[:2], GOAL), (None, None, None), Variant())


def check(entry: float | None, lines: tuple[int, ...] = (12,), more: float = 5.0, way: float = 0.0) -> Activation:
    activation = called(2, lines, {0: more} if entry is None else {0: more, ENTRY: entry})
    activation.beside[ENTRY] = way
    return activation


def fitness(*entered: Activation) -> float:
    outer, middle = chain(1)
    for activation in entered:
        activation.caller, activation.caller_line = middle, 9
    return FITNESS.score(SILENT, trace(outer, middle, *entered)).fitness


def test_the_goal_knows_its_entry() -> None:
    assert GOAL.entry == ENTRY
    assert goals_of()[2].entry is None
    assert frame_goal(2, CHECKED, 14, ControlDependence(TREE.body[2]), None).entry is None  # type: ignore[arg-type]


def test_nearer_arguments_are_nearer_wherever_the_run_stopped() -> None:
    for lines, more in (((12,), 5.0), ((12, 13), 0.0), ((12, 13, 14), 0.0)):
        found = [fitness(check(entry, lines, more)) for entry in (None, 40.0, 3.0, 0.5, 0.0)]
        assert found == sorted(set(found), reverse=True)
        assert all(0.15 <= one < 1 for one in found)


def test_a_nearer_decision_is_nearer_still() -> None:
    steps = [((12,), 5.0), ((12,), 1.0), ((12, 13), 0.0), ((12, 13, 14), 0.0)]
    for entry in (None, 3.0, 0.0):
        found = [fitness(check(entry, *step)) for step in steps]
        assert found == sorted(set(found), reverse=True)


def test_the_nearest_activation_counts() -> None:
    runs = [(2.0, (12,), 5.0), (0.0, (12,), 5.0), (2.0, (12,), 1.0), (1.0, (12,), 2.0)]
    alone = [fitness(check(*run)) for run in runs]
    for order in itertools.permutations(runs):
        assert fitness(*(check(*run) for run in order)) == min(alone)


def test_what_was_raised_at_the_line_counts_as_without() -> None:
    def score(outcome: object, entry: float) -> float:
        seen = chain(2)
        seen[2].true_distance[ENTRY] = entry
        return FITNESS.score(outcome, trace(*seen)).fitness  # type: ignore[arg-type]

    plain = fitness_of("ordered")
    assert score(RIGHT, 7.0) == 0
    assert score(OTHER_TYPE, 7.0) == plain.score(OTHER_TYPE, trace(*chain(2))).fitness < fitness(check(0.0, (12, 13, 14), 0.0))


@pytest.mark.parametrize("depth", [0, 1])
def test_frames_without_a_precondition_are_scored_as_ever(depth: int) -> None:
    run = trace(*chain(depth))
    assert FITNESS.score(SILENT, run) == fitness_of("ordered").score(SILENT, run)._replace(
        coverage=FITNESS.score(SILENT, run).coverage
    )


def test_behind_the_line_what_leads_there_counts_no_more() -> None:
    reached, on_the_way = (12, 13, 14), (12, 13)
    assert fitness(check(3.0, reached, 0.0, way=3.0)) == fitness(check(0.0, reached, 0.0))
    assert fitness(check(3.0, reached, 0.0, way=1.0)) == fitness(check(2.0, reached, 0.0))
    assert fitness(check(40.0, reached, 0.0, way=30.0)) < fitness(check(0.0, on_the_way, 0.0))


def test_runs_tell_whether_what_leads_to_the_line_held() -> None:
    outer, middle = chain(1)
    for way, held in ((0.0, True), (0.5, False)):
        activation = check(0.5, (12, 13, 14), 0.0, way)
        activation.caller, activation.caller_line = middle, 9
        assert FITNESS.score(SILENT, trace(outer, middle, activation)).led == (2, held)
    stopped = check(0.5)
    stopped.caller, stopped.caller_line = middle, 9
    assert FITNESS.score(SILENT, trace(outer, middle, stopped)).led is None
