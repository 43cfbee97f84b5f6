"""Comparisons tell how far apart their sides are, and come out as before."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal, getcontext
from fractions import Fraction
from types import FunctionType
from typing import Any

import pytest

from crashwright.engine.instrument.gaps import GapFunctions, GapLog, gap_between

SOURCE = """\
def fee(amount, limit):
    if amount >= limit and amount != 7:
        return 0
    return 5 if 0 < amount <= limit / 2 else 9

def holds(items, item):
    return item in items or item is None
"""


@pytest.mark.parametrize(
    ("left", "right", "gap"),
    [
        (3, 5, -2.0),
        (2.5, 2, 0.5),
        (Decimal("19.99"), 20, -0.01),
        (Fraction(1, 2), Decimal("0.25"), 0.25),
        (datetime.date(2024, 3, 1), datetime.date(2024, 2, 28), 2.0),
        (datetime.datetime(2024, 3, 1, 12), datetime.datetime(2024, 3, 1), 43200.0),
        (datetime.timedelta(minutes=2), datetime.timedelta(minutes=1), 60.0),
    ],
)
def test_what_is_between_numbers_and_days(left: object, right: object, gap: float) -> None:
    assert gap_between(left, right) == pytest.approx(gap)


class Odd(int):
    def __sub__(self, other: object) -> int:
        raise AssertionError("nobody asked for that")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a", "b"),
        (True, 1),
        (Odd(3), 1),
        (10**400, 1),
        (float("nan"), 1.0),
        (float("inf"), 1.0),
        (Decimal("sNaN"), Decimal(1)),
        (datetime.date(2024, 3, 1), datetime.datetime(2024, 3, 1)),
        (datetime.datetime(2024, 3, 1), datetime.datetime(2024, 3, 1, tzinfo=datetime.UTC)),
    ],
)
def test_what_has_no_difference(left: object, right: object) -> None:
    assert gap_between(left, right) is None


def test_decimals_leave_no_flags_behind() -> None:
    getcontext().clear_flags()
    gap_between(Decimal(1) / 8, Decimal("1e-30"))
    flags = dict(getcontext().flags)
    gap_between(Decimal("1e30"), Decimal("1e-30"))
    assert getcontext().flags == flags


def functions(log: GapLog) -> tuple[dict[str, Callable[..., Any]], tuple[int, ...]]:
    made = GapFunctions(SOURCE, "fees.py", log)
    return {name: FunctionType(code, {}) for (name, _), code in made.codes.items()}, made.lines


def test_comparisons_tell_and_come_out_as_before() -> None:
    log = GapLog()
    told, lines = functions(log)
    assert lines == (2, 2, 4, 4)
    log.begin()
    assert [told["fee"](amount, 10) for amount in (12, 7, 3)] == [0, 9, 5]
    assert log.end() == {0: (2.0, -3.0, -7.0), 1: (5.0,), 2: (-7.0, -3.0), 3: (2.0, -2.0)}


def test_nothing_is_told_between_runs_and_of_what_is_no_comparison_of_two_values() -> None:
    log = GapLog()
    told, _ = functions(log)
    told["fee"](12, 10)
    log.begin()
    assert told["holds"]([1], 1) is True
    assert log.end() == {}
