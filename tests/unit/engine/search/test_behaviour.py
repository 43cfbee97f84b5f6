"""Which tests compete with each other for a place: those that behave alike."""

from __future__ import annotations

import sys

from crashwright.engine.execution.outcome import Outcome, RaisedFrame
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.instrument.trace import Activation, Trace
from crashwright.engine.search.behaviour import Behaviour, behaviour_of, conduct_of
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, MethodCall, Ref, Statement
from crashwright.engine.testcase.testcase import TestCase

SHELF = Callee("m", "Shelf", CalleeKind.CLASS)
PUT, SHOW = Callee("m", "Shelf.put", CalleeKind.METHOD), Callee("m", "Shelf.show", CalleeKind.METHOD)
SCORE = CrashScore(1.5, 0, 1, 0)
BEGUN: list[Statement] = [Literal(0, "a"), Call(1, SHELF, Arguments((0,)))]


def call(variable: int, receiver: int, callee: Callee, *passed: int) -> MethodCall:
    return MethodCall(variable, receiver, callee.name, Arguments(passed), callee)


def behaviour(
    *statements: Statement, error: BaseException | None = None, trace: Trace | None = None, quoted: dict[int, str] | None = None
) -> Behaviour:
    frames = (RaisedFrame(sys._getframe().f_code, 7, 0),) if error is not None else ()
    outcome = Outcome(len(statements) - (error is not None), error, frames)
    return behaviour_of(
        TestCase(statements), outcome.executed + 1, conduct_of(outcome, trace or Trace((), []), SCORE), quoted or {}
    )


def test_what_the_last_call_does_not_work_on_makes_no_difference() -> None:
    plain = behaviour(*BEGUN, call(2, 1, SHOW))
    assert behaviour(*BEGUN, Call(5, SHELF, Arguments((0,))), call(6, 5, PUT, 0), call(2, 1, SHOW)) == plain
    assert behaviour(*BEGUN, call(6, 1, PUT, 0), call(2, 1, SHOW)) != plain
    twice = behaviour(*BEGUN, call(6, 1, PUT, 0), call(7, 1, PUT, 0), call(2, 1, SHOW))
    assert twice != behaviour(*BEGUN, call(6, 1, PUT, 0), call(2, 1, SHOW))


def test_what_stands_in_a_container_is_worked_on() -> None:
    inner: list[Statement] = [Call(1, SHELF, Arguments()), call(6, 1, PUT, 0)]
    held = [Literal(0, "a"), *inner, Literal(3, Display("list", (Ref(1),))), Call(4, SHELF, Arguments((3,)))]
    without = [Literal(0, "a"), inner[0], Literal(3, Display("list", (Ref(1),))), Call(4, SHELF, Arguments((3,)))]
    assert behaviour(*held) != behaviour(*without)


def test_how_a_run_ends_makes_a_difference() -> None:
    statements = [*BEGUN, call(2, 1, SHOW)]
    endings = [behaviour(*statements, error=error) for error in (None, ValueError(), KeyError(1), KeyError(2))]
    assert len(set(endings)) == 3
    assert endings[2] == endings[3]
    late = conduct_of(Outcome(2, timed_out=True), Trace((), []), SCORE)
    assert behaviour_of(TestCase(tuple(statements)), 3, late, {}) not in endings
    cut = conduct_of(Outcome(4, ValueError()), Trace((), []), SCORE)
    assert behaviour_of(TestCase(tuple(statements)), 5, cut, {}) == endings[0]


def test_what_was_entered_makes_a_difference_and_so_does_how_often_up_to_a_point() -> None:
    def entered(*functions: int) -> Behaviour:
        return behaviour(*BEGUN, trace=Trace((), [Activation(function, 0) for function in functions]))

    assert len({entered(), entered(0), entered(1), entered(0, 1), entered(0, 0)}) == 5
    assert entered(*[0] * 100) == entered(*[0] * 1000)


def test_text_counts_by_its_magnitude_and_literals_of_the_report_one_by_one() -> None:
    assert behaviour(Literal(0, "ab")) == behaviour(Literal(0, "xyz"))
    assert behaviour(Literal(0, "ab")) != behaviour(Literal(0, "ab" * 10))
    assert behaviour(Literal(0, "a" * 1000)) == behaviour(Literal(0, "a" * 100_000))
    quoted = {0: "ab", 1: "cd"}
    kept = [
        behaviour(Literal(0, one), Literal(1, other), quoted=quoted) for one, other in (("ab", "cd"), ("ab", "xy"), ("xy", "zz"))
    ]
    assert len(set(kept)) == 3
