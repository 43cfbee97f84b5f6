"""Texts of a small test are closed where that is as good."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as some

from crashwright.engine.search.closed_texts import closed_text, with_closed_texts
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase


@pytest.mark.parametrize(
    ("text", "closed"),
    [("[a]\n[", "[a]\n[]"), ("f(x[{", "f(x[{}])"), ("(]", "(]"), (")(", ")("), ("()", "()"), ("plain", "plain"), ("", "")],
)
def test_what_is_open_is_closed_from_the_inside(text: str, closed: str) -> None:
    assert closed_text(text) == closed


@given(some.text("([{}])a"))
def test_what_is_closed_begins_as_before_and_stays(text: str) -> None:
    closed = closed_text(text)
    assert closed.startswith(text)
    assert closed_text(closed) == closed


def closed_where(good: object, *values: str) -> list[object]:
    test = TestCase(tuple(Literal(number, value) for number, value in enumerate(values)))
    assert callable(good)
    return [statement[1] for statement in with_closed_texts(test, good, {9: "(", 0: "[quoted"}).statements]


def test_each_text_is_closed_that_is_as_good_so_and_those_of_the_report_stay() -> None:
    assert closed_where(lambda _test: True, "[quoted", "[a", "(b") == ["[quoted", "[a]", "(b)"]
    assert closed_where(lambda test: test.statements[1][1] == "[a", "x", "[a", "(b") == ["x", "[a", "(b)"]


def test_brackets_are_those_of_python() -> None:
    assert ast.literal_eval(closed_text("[(1, {2: [3")) == [(1, {2: [3]})]
