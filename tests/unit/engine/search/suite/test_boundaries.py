"""Values that a test has shown are passed to its calls."""

from __future__ import annotations

import datetime
import itertools

import pytest

from crashwright.engine.search.suite.boundaries import boundaries, leaves
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, Made, MethodCall, Named, Statement, Value
from crashwright.engine.testcase.testcase import TestCase

DATE = Callee("datetime", "date", CalleeKind.CLASS, live=datetime.date)
MOMENT = Callee("datetime", "datetime", CalleeKind.CLASS, live=datetime.datetime)
SHOP = Callee("shop", "Shop", CalleeKind.CLASS)
RENEW = Callee("shop", "Shop.renew", CalleeKind.METHOD)


def renewing(*before: Statement, given: int) -> TestCase:
    call = MethodCall(90, 80, "renew", Arguments((given,)), RENEW)
    return TestCase((Call(80, SHOP, Arguments()), *before, call))


def on(*numbers: Value, maker: Callee = DATE) -> TestCase:
    literals = [Literal(place, number) for place, number in enumerate(numbers)]
    return renewing(*literals, Call(50, maker, Arguments(tuple(range(len(numbers))))), given=50)


def texts(test: TestCase, *shown: object, steps: tuple[int | float, ...] = ()) -> list[str]:
    found = boundaries(test, leaves(shown), steps, itertools.count(100).__next__)
    return ["\n".join(print_test(one).body) for one in found]


def test_numbers_that_were_shown_and_those_next_to_them() -> None:
    found = texts(renewing(Literal(0, 3), given=0), 70, Display("list", (1.5, "three")), True)
    assert [text.rpartition("(")[2].rstrip(")") for text in found] == ["70", "71", "69"]


def test_texts_of_the_same_type() -> None:
    found = texts(renewing(Literal(0, "ann"), given=0), Display("dict", (("name", "bea"), ("age", 3))))
    assert [text.rpartition("(")[2].rstrip(")") for text in found] == ['"name"', '"bea"', '"age"']


PAID = Made(Named("datetime", "date", datetime.date), (2024, 12, 26))
MEMBER = Made(Named("shop", "Member"), (), (("paid", PAID),))


@pytest.mark.parametrize("day", ["2024, 12, 26", "2024, 12, 27", "2024, 12, 25", "2025, 3, 26", "2025, 3, 27", "2024, 9, 27"])
def test_days_that_were_shown_next_to_them_and_away_by_a_number_of_the_code(day: str) -> None:
    found = texts(on(2024, 1, 1), Display("list", (MEMBER,)), steps=(90,))
    assert any(f"date({day})" in text for text in found)
    assert not any("renew(datetime.date(2024, 1, 1))" in text for text in found)


def test_a_moment_keeps_its_time_of_day() -> None:
    found = texts(on(2024, 1, 1, 12, 30, maker=MOMENT))
    assert any("datetime(2024, 1, 2, 12, 30)" in text for text in found)


def test_days_that_do_not_exist_are_passed_over() -> None:
    assert texts(on(9999, 12, 31), steps=(10**9,)) == texts(on(9999, 12, 31))
    assert texts(on(2024, 2, 30), MEMBER, steps=()) != []


def test_nothing_shown_nothing_to_pass() -> None:
    assert texts(renewing(Literal(0, 3), given=0), "three", None) == []
