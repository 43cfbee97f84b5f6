"""What minimising took too much of comes back where that is as good."""

from __future__ import annotations

from collections.abc import Callable

import click

from crashwright.engine.passes.touches import ending_calls, touched_up
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Display, GetAttribute, Iterate, Literal, Named, Statement
from crashwright.engine.testcase.testcase import TestCase


def closed_where(good: Callable[[TestCase], bool], *values: str) -> list[object]:
    test = TestCase(tuple(Literal(number, value) for number, value in enumerate(values)))
    return [statement[1] for statement in touched_up(test, good, {9: "(", 0: "[quoted"}, False).statements]


def test_each_text_is_closed_that_is_as_good_so_and_those_of_the_report_stay() -> None:
    assert closed_where(lambda _test: True, "[quoted", "[a]\n[", "f(x[{") == ["[quoted", "[a]\n[]", "f(x[{}])"]
    assert closed_where(lambda test: test.statements[1][1] == "[a", "x", "[a", "(b") == ["x", "[a", "(b)"]


def test_what_is_closed_is_not_asked_about() -> None:
    assert closed_where(lambda _test: False, "x", "(a)", "plain", "") == ["x", "(a)", "plain", ""]


def modes(*statements: Statement, loops: bool = True, good: bool = True) -> list[str]:
    test = touched_up(TestCase((Literal(0, "ab"), *statements)), lambda _test: good, {}, loops)
    return [one.mode for one in test.statements if isinstance(one, Iterate)]


def test_a_report_that_loops_makes_the_test_loop_too() -> None:
    assert modes(Iterate(1, 0, "next")) == ["for"]
    assert modes(Iterate(1, 0, "next"), loops=False) == ["next"]
    assert modes(Iterate(1, 0, "next"), good=False) == ["next"]
    assert modes(Iterate(1, 0, "next"), GetAttribute(2, 1, "size")) == ["next"]


@click.command()
@click.argument("name")
def greet(name: str) -> None:
    """A program."""


def _called(function: object) -> TestCase:
    named = Named(__name__, "greet", function)
    words = Literal(1, Display("list", ("ann",)))
    return TestCase((st.Reference(0, named), words, st.CallValue(2, 0, st.Arguments((1,)))))


def test_a_program_returns_in_place_of_ending_the_process() -> None:
    touched = touched_up(_called(greet), lambda _test: True, {}, False)
    *_, literal, call = touched.statements
    assert isinstance(call, st.CallValue)
    assert literal == Literal(3, False)
    assert call.arguments == st.Arguments((1,), (("standalone_mode", 3),))
    assert touched_up(touched, lambda _test: True, {}, False) is touched


def test_calls_that_end_the_process_are_counted() -> None:
    assert ending_calls(_called(greet)) == 1
    assert ending_calls(touched_up(_called(greet), lambda _test: True, {}, False)) == 0
    assert ending_calls(_called(len)) == 0


def test_a_program_ends_the_process_if_it_crashes_in_no_other_way_and_other_callables_stay() -> None:
    program, other = _called(greet), _called(len)
    assert touched_up(program, lambda _test: False, {}, False) is program
    assert touched_up(other, lambda _test: True, {}, False) is other
