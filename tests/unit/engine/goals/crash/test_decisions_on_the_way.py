"""Decisions that are no conditions, on the way to a crash: with the probes of a crash search the wrong side is told from a stop."""

from __future__ import annotations

import ast
import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crashwright.core.location import CodeKey, Position
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.goals.crash.chain import chain_distance
from crashwright.engine.goals.crash.frame_goal import FrameGoal, LineDistance, Standing, frame_goal
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import Activation
from crashwright.engine.search.crash_goals import (
    chosen_functions,
    frames_entered,
    guiding_frames,
    guiding_links,
    guiding_place,
    lent_to,
)
from crashwright.engine.subject.flow.control_dependence import ControlDependence
from crashwright.engine.subject.source import ModuleSource, Sources

NAME = "cwdecisions"
SOURCE = """
import contextlib

def command(words):
    match words:
        case ["go", where]:
            return where.upper()
        case ["stop"]:
            return None

def number(value):
    match value:
        case 400:
            return 1 // 0

def suppressed(text):
    with contextlib.suppress(ValueError):
        return int(text)
    return 2 // 0

def items(values):
    return [1 // value for value in values]

def kept(values):
    return [value for value in values if value > 3 and 1 //value]

def atoms(value):
    if value and 1// value > 2 or value is None:
        return 1
"""
Score = Callable[..., LineDistance]


@pytest.fixture
def score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Score]:
    path = tmp_path / f"{NAME}.py"
    path.write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    source = ModuleSource(NAME, str(path), SOURCE)
    nodes = {key.name: (key, node) for key, node in source.codes() if isinstance(node, ast.FunctionDef)}

    def scored(name: str, line_text: str, argument: object) -> LineDistance:
        line = 1 + next(number for number, text in enumerate(SOURCE.splitlines()) if line_text in text)
        column = SOURCE.splitlines()[line - 1].find(line_text)
        caret = Position(line, column, line, column + len(line_text)) if name in {"items", "kept", "atoms"} else None
        key, node = nodes[name]
        target = CrashTarget(NAME, "ZeroDivisionError", "", (TargetFrame(key, str(path), line, "", caret, True),), ())
        recorder = Recorder()
        sys.modules.pop(NAME, None)
        hook = Instrumentation(recorder, chosen_functions(target))
        hook.install()
        try:
            module = importlib.import_module(NAME)
        finally:
            hook.uninstall()
        goal = frame_goal(0, recorder.functions[0], line, ControlDependence(node), caret)
        recorder.reset()
        with contextlib.suppress(ArithmeticError, AttributeError, TypeError):  # how far it came is what counts
            getattr(module, name)(argument)
        return goal.distance(recorder.trace().activations[0])

    yield scored
    sys.modules.pop(NAME, None)


def test_a_wrong_case_is_a_wrong_side(score: Score) -> None:
    assert score("command", "where.upper", ["stop"]).standing is Standing.WRONG_SIDE
    assert score("command", "where.upper", ["go", 1]).standing is Standing.REACHED


def test_a_wrong_case_of_values_has_a_distance(score: Score) -> None:
    assert score("number", "1 // 0", 399).value < score("number", "1 // 0", 7).value


def test_that_nothing_was_suppressed_is_a_wrong_side(score: Score) -> None:
    assert score("suppressed", "2 // 0", "1").standing is Standing.WRONG_SIDE
    assert score("suppressed", "2 // 0", "x").standing is Standing.REACHED


def test_no_item_at_all_is_a_guard_of_what_the_comprehension_does(score: Score) -> None:
    assert score("items", "1 // value", []).guard > 0
    assert score("items", "1 // value", [1]).guard == 0


def test_conditions_of_a_comprehension_guard_what_stands_behind_them(score: Score) -> None:
    guards = [score("kept", "1 //value", values).guard for values in ([], [1], [3], [4])]
    assert guards == sorted(guards, reverse=True)
    assert len(set(guards)) == 4
    assert guards[-1] == 0


def test_an_operand_behind_and_waits_for_those_before_it(score: Score) -> None:
    assert score("atoms", "1// value", 0).guard > 0
    assert score("atoms", "1// value", 1).guard == 0


def test_a_comprehension_in_a_frame_of_its_own_tells_the_place_for_the_function_around_it() -> None:
    whole, inner = Position(3, 11, 3, 60), Position(3, 40, 3, 50)
    around = TargetFrame(CodeKey(NAME, "f", 2), "", 3, "", whole, True)
    within = TargetFrame(CodeKey(NAME, "f.<locals>.<listcomp>", 3), "", 3, "", inner, True)
    beyond = TargetFrame(CodeKey(NAME, "g", 9), "", 10, "", None, True)
    of_another = TargetFrame(CodeKey(NAME, "h.<locals>.<listcomp>", 3), "", 3, "", inner, True)
    assert guiding_place(CrashTarget(NAME, "E", "", (around, within, beyond)), around) == inner
    assert guiding_place(CrashTarget(NAME, "E", "", (around, beyond)), around) == whole
    assert guiding_place(CrashTarget(NAME, "E", "", (around, of_another)), around) == whole
    assert guiding_place(CrashTarget(NAME, "E", "", (around, within, beyond)), beyond) is None


@pytest.mark.parametrize(("line", "shown"), [(3, "1 / n"), (5, "n > 3"), (4, None)])
def test_without_carets_the_line_of_a_comprehension_tells_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: int, shown: str | None
) -> None:
    lines = ["def f(ns):", "    return [", "        1 / n", "        for n in ns", "        if n > 3", "    ]"]
    (tmp_path / "cwlines.py").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "cwlines", importlib.import_module("cwlines"))
    around = TargetFrame(CodeKey("cwlines", "f", 1), "", 2, "", None, True)
    within = TargetFrame(CodeKey("cwlines", "f.<locals>.<listcomp>", 2), "", line, "", None, True)
    place = guiding_place(CrashTarget("cwlines", "E", "", (around, within)), around, Sources())
    assert (None if place is None else lines[place.line - 1][place.column : place.end_column]) == shown


GENERATING = """
def part(value):
    return 1 // 0

def first(found):
    return next(found)

def chosen(values):
    return first(part(value) for value in values if value == 40)
"""


def test_conditions_of_a_generator_expression_guide_who_goes_through_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "cwgenerating"
    (tmp_path / f"{name}.py").write_text(GENERATING)
    monkeypatch.syspath_prepend(str(tmp_path))
    keys = (("chosen", 8, 9), ("first", 5, 6), ("chosen.<locals>.<genexpr>", 9, 9), ("part", 2, 3))
    frames = tuple(TargetFrame(CodeKey(name, one, first), "", line, "", None, True) for one, first, line in keys)
    target = CrashTarget(name, "ZeroDivisionError", "", frames)
    recorder = Recorder()
    hook = Instrumentation(recorder, chosen_functions(target))
    hook.install()
    try:
        module = importlib.import_module(name)
    finally:
        hook.uninstall()
    sources, through = Sources(), frames[1]
    node = sources.node_of(through.key)
    number = next(number for number, function in enumerate(recorder.functions) if function.key == through.key)
    assert node is not None
    lent = lent_to(target, through, recorder.functions, sources)
    goal = frame_goal(number, recorder.functions[number], 6, ControlDependence(node), None, lent=lent)

    def guard(*values: int) -> float:
        recorder.reset()
        with contextlib.suppress(StopIteration, ZeroDivisionError):
            module.chosen(values)
        reached = next(one for one in recorder.trace().activations if one.function == number)
        return goal.distance(reached).guard

    assert 0 == guard(1, 40) < guard(39) < guard(7) < guard()
    assert lent_to(target, frames[0], recorder.functions, sources) is None
    sys.modules.pop(name, None)


def frame(name: str, line: int, source: str, in_package: bool = True) -> TargetFrame:
    return TargetFrame(CodeKey(NAME, name, 2), "", line, source, None, in_package)


@pytest.mark.parametrize(
    "again", ["raise", "raise error", "raise error.with_traceback(None) from cause", "raise self._error  # again"]
)
def test_what_a_helper_of_the_handler_raises_again_is_one_activation_with_the_body(again: str) -> None:
    outer, inner = frame("outer", 1, "f(text)"), frame("inner", 7, "int(text)")
    handler, helper, body = frame("f", 9, "handle(error)"), frame("handle", 3, again), frame("f", 5, "inner(text)")
    target = CrashTarget(NAME, "E", "", (outer, handler, helper, body, inner))
    assert guiding_frames(target) == (outer, body, inner)
    assert not any(one.anew for one in guiding_links(target))


def test_what_is_raised_again_elsewhere_was_not_called_from_there() -> None:
    waiting, worker = frame("wait", 1, "future.result()"), frame("work", 4, "1 / 0")
    stored, thread = frame("result", 2, "raise self._exception", False), frame("run", 3, "self.function()", False)
    links = guiding_links(CrashTarget(NAME, "E", "", (waiting, stored, thread, worker)))
    assert [(one.frame, one.anew) for one in links] == [(waiting, False), (worker, True)]
    made = guiding_links(CrashTarget(NAME, "E", "", (frame("wait", 1, "raise Oops"), frame("Oops.__init__", 4, "1 / 0"))))
    assert [one.anew for one in made] == [False, False]


def test_a_goal_that_begins_anew_needs_no_caller() -> None:
    for anew, depth in ((False, 0), (True, 1)):
        goals = [FrameGoal(0, 1, [0]), FrameGoal(1, 4, [0], anew=anew), FrameGoal(2, 9, [0])]
        waiting, worker = Activation(0, 1), Activation(1, 1)
        assert chain_distance(goals, [waiting, worker]).depth == depth
        assert chain_distance(goals, [waiting, worker, Activation(2, 1, worker, 4)]).depth == 2 * depth


def test_an_activation_that_raised_again_is_one_goal() -> None:
    key = CodeKey(NAME, "f", 2)
    again = TargetFrame(key, "", 9, "raise error", None, True)
    first = TargetFrame(key, "", 5, "int(text)", None, True)
    deeper = TargetFrame(key, "", 7, "return f(rest)", None, True)
    assert guiding_frames(CrashTarget(NAME, "E", "", (again, first))) == (first,)
    assert guiding_frames(CrashTarget(NAME, "E", "", (deeper, first))) == (deeper, first)


def test_frames_of_comprehensions_are_entered_with_those_that_they_call() -> None:
    frames = (frame("run", 1, "bill()"), frame("run.<locals>.<listcomp>", 1, "bill()"), frame("bill", 5, "1 / 0"))
    target = CrashTarget(NAME, "E", "", frames)
    assert [frames_entered(target, number) for number in range(3)] == [0, 1, 3]


def test_a_crash_at_import_has_no_frame_to_guide() -> None:
    assert guiding_links(CrashTarget(NAME, "E", "", ())) == ()
