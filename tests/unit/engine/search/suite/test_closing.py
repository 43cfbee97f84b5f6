"""A number of a test is moved until what is compared is equal, whatever is reckoned with it in between."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import pytest

from crashwright.engine.search.suite.closing import closing, dials
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, Value
from crashwright.engine.testcase.testcase import TestCase

DATE = Callee("datetime", "date", CalleeKind.CLASS, live=datetime.date)
PRICE = Callee("shop", "price", CalleeKind.FUNCTION)


def giving(*values: Value) -> TestCase:
    literals = [Literal(number, value) for number, value in enumerate(values)]
    return TestCase((*literals, Call(99, PRICE, Arguments(tuple(range(len(values)))))))


def values_of(test: TestCase) -> tuple[Value, ...]:
    return tuple(one.value for one in test.statements if isinstance(one, Literal))


def closed(test: TestCase, gap: Callable[..., float | None]) -> tuple[list[tuple[Value, ...]], int]:
    """What is proposed where ``gap`` of the values is what is compared, and how often that was measured."""
    runs = []

    def gaps_of(moved: TestCase) -> Sequence[tuple[float, ...]]:
        runs.append(moved)
        found = gap(*values_of(moved))
        return [() if found is None else (found,)]

    return [values_of(one) for one in closing(test, gaps_of, count(1000).__next__)], len(runs)


@pytest.mark.parametrize(
    ("before", "gap", "equal"),
    [
        (3, lambda amount: amount * 25 - 1000, 40),
        (3, lambda amount: 100 - amount, 100),
        (2, lambda amount: amount * amount - 10_000, 100),
        (1.5, lambda amount: amount * 0.9 - 45.0, 50.0),
        ("8:00", lambda text: int(text[: text.index(":")]) * 60 + int(text[text.index(":") + 1 :]) - 720, "12:00"),
        ("price 10.00 EUR", lambda text: float(text.split()[1]) * 2 - 25.5, "price 12.75 EUR"),
    ],
)
def test_the_gap_is_closed_in_a_few_runs(before: Value, gap: Callable[..., float], equal: Value) -> None:
    found, runs = closed(giving(before), gap)
    assert (equal,) in found
    assert runs <= 30


def test_what_is_next_to_it_is_tried_too() -> None:
    found, _ = closed(giving(3), lambda amount: amount - 50)
    assert found == [(50,), (51,), (49,)]


def test_a_step_that_changes_the_gap_by_little_is_taken_as_far_as_one() -> None:
    found, _ = closed(giving(30), lambda minutes: minutes / 60 - 8)
    assert found == [(480,), (481,), (479,), (540,), (420,)]


def test_numbers_within_lists_and_dictionaries_are_moved_and_the_rest_stays() -> None:
    lines = Display("list", (Display("dict", (("name", "pen"), ("price", 2))), Display("dict", (("name", "ink"), ("price", 5)))))

    def column(value: Any, name: str) -> tuple[Any, ...]:
        return tuple(dict(line.items)[name] for line in value.items)

    found, _ = closed(giving(lines), lambda value: sum(column(value, "price")) - 20)
    assert {(15, 5), (2, 18)} <= {column(value, "price") for (value,) in found}
    assert {column(value, "name") for (value,) in found} == {("pen", "ink")}


def test_what_changes_nothing_brings_nothing() -> None:
    assert closed(giving(3), lambda _: 7.0) == ([], 3)
    assert closed(giving("no number"), lambda _: 7.0) == ([], 1)


def test_what_is_compared_no_more_once_a_number_has_moved_brings_nothing() -> None:
    assert closed(giving(3), lambda amount: 7.0 if amount == 3 else None)[0] == []


def test_a_gap_that_cannot_be_closed_is_left() -> None:
    assert closed(giving(3), lambda amount: 10.0 + abs(amount - 20))[0] == []


def renting(*numbers: int) -> TestCase:
    """From a day to the same day."""
    literals = [Literal(number, value) for number, value in enumerate(numbers)]
    return TestCase((*literals, Call(50, DATE, Arguments((0, 1, 2))), Call(99, PRICE, Arguments((50,), (("until", 50),)))))


def days_of(test: TestCase) -> dict[str, datetime.date]:
    """What the last call is given."""
    numbers = {one.variable: one.value for one in test.statements if isinstance(one, Literal)}
    made = {one.variable: one for one in test.statements if isinstance(one, Call)}
    call = made[99]
    given = {"start": call.arguments.positional[0], **dict(call.arguments.keywords)}
    return {name: datetime.date(*(numbers[one] for one in made[variable].arguments.positional)) for name, variable in given.items()}  # type: ignore[arg-type]


def test_each_date_is_moved_in_its_call_alone_as_days() -> None:
    test = renting(2024, 12, 30)
    assert [dial.value for dial in dials(test, count(1000).__next__)] == [datetime.date(2024, 12, 30).toordinal()] * 2
    start = datetime.date(2024, 12, 30)

    def gaps_of(moved: TestCase) -> Sequence[tuple[float, ...]]:
        found = days_of(moved)
        return [((found["until"] - found["start"]).days - 14.0,)]

    found = [days_of(one) for one in closing(test, gaps_of, count(1000).__next__)]
    later = [datetime.date(2025, 1, day) for day in (13, 14, 12)]
    assert [one["until"] for one in found if one["start"] == start] == later
    earlier = [datetime.date(2024, 12, day) for day in (16, 17, 15)]
    assert [one["start"] for one in found if one["until"] == start] == earlier


def test_a_test_is_measured_with_all_its_statements() -> None:
    test = renting(2024, 12, 30)
    measured: list[TestCase] = []

    def gaps_of(moved: TestCase) -> Sequence[tuple[float, ...]]:
        measured.append(moved)
        return [(1.0,)]

    assert [*closing(test, gaps_of, count(1000).__next__)] == []
    assert all([one[0] for one in moved.statements][-len(test) :] == [one[0] for one in test.statements] for moved in measured)
    assert len(measured) == 5
