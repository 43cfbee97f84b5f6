"""What minimising took too much of comes back where that is as good."""

from __future__ import annotations

from collections.abc import Callable

from crashwright.engine.search.finishing_touches import touched_up
from crashwright.engine.testcase.statements import GetAttribute, Iterate, Literal, Statement
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
