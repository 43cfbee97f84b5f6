"""Values that one call makes again are asserted whole."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import fractions
import json
import math
import pathlib
import re
import sys
import uuid
import zoneinfo
from collections import defaultdict
from typing import ClassVar

import pytest

from crashwright.engine.assertions.assertion import Assertion, Observed
from crashwright.engine.assertions.codec import decode_assertion, encode_assertion
from crashwright.engine.assertions.values import Present, Unprintable, ValueNames, has_calls, whole_of
from crashwright.engine.assertions.wholes import has_written_repr, is_plain_record
from crashwright.engine.execution.handlers import expect
from crashwright.engine.testcase.printing.layout import Doc
from crashwright.engine.testcase.printing.literals import value_doc
from crashwright.engine.testcase.statements import Expected, Named


class Zone(enum.Enum):
    NEAR = 1


@dataclasses.dataclass
class Quote:
    zone: Zone
    base: decimal.Decimal
    extras: dict[str, decimal.Decimal] = dataclasses.field(default_factory=dict)
    note: str = ""
    known: ClassVar[int] = 3


@dataclasses.dataclass(frozen=True, slots=True)
class Slotted:
    size: int


@dataclasses.dataclass
class Computed:
    size: int
    double: int = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.double = 2 * self.size


@dataclasses.dataclass
class Hidden:
    _size: int


@dataclasses.dataclass
class Late:
    size: int
    scale: dataclasses.InitVar[int] = 1

    def __post_init__(self, scale: int) -> None:
        self.size *= scale


@dataclasses.dataclass(eq=False)
class Same:
    size: int


class OwnInit(Slotted):
    def __init__(self) -> None:
        super().__init__(1)


NAMES = ValueNames(lambda _value: None)


def whole(value: object) -> Expected:
    return whole_of(value, Present("", 1e9), NAMES)


def text(value: object) -> str:
    def refer(variable: int) -> Doc:
        raise AssertionError(variable)

    return value_doc(whole(value), refer, lambda named: Doc(named.qualname)).flat


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (decimal.Decimal("4.90"), 'Decimal("4.90")'),
        (fractions.Fraction(1, 3), "Fraction(1, 3)"),
        (datetime.date(2020, 9, 7), "date(2020, 9, 7)"),
        (datetime.datetime(2020, 9, 7), "datetime(2020, 9, 7)"),
        (datetime.datetime(2020, 9, 7, 8, 0, 5), "datetime(2020, 9, 7, 8, 0, 5)"),
        (datetime.time(8, 30), "time(8, 30)"),
        (datetime.timedelta(days=2, microseconds=5), "timedelta(days=2, microseconds=5)"),
        (datetime.timedelta(), "timedelta()"),
        (uuid.UUID(int=5), 'UUID("00000000-0000-0000-0000-000000000005")'),
        (datetime.datetime(2020, 9, 7, tzinfo=datetime.UTC), "datetime(2020, 9, 7, tzinfo=timezone.utc)"),
        (datetime.time(8, 30, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")), 'time(8, 30, tzinfo=ZoneInfo("Europe/Berlin"))'),
        (datetime.timezone(datetime.timedelta(hours=2)), "timezone(timedelta(seconds=7200))"),
        (datetime.timezone(datetime.timedelta(days=0), "here"), 'timezone(timedelta(), "here")'),
        (pathlib.Path("a/b.txt"), 'Path("a/b.txt")'),
        (pathlib.PurePosixPath("a"), 'PurePosixPath("a")'),
        (re.compile(r"\d+"), r'compile("\\d+")'),
        ({"a": [Zone.NEAR]}, '{"a": [Zone.NEAR]}'),
        ([defaultdict(int, a=1)], '[{"a": 1}]'),
        (Quote(Zone.NEAR, decimal.Decimal(1)), 'Quote(zone=Zone.NEAR, base=Decimal("1"))'),
        (
            Quote(Zone.NEAR, decimal.Decimal(1), {"x": decimal.Decimal(2)}, "n"),
            'Quote(zone=Zone.NEAR, base=Decimal("1"), extras={"x": Decimal("2")}, note="n")',
        ),
        (Slotted(3), "Slotted(size=3)"),
    ],
)
def test_whole_values_are_written_read_and_equal(value: object, written: str) -> None:
    assert text(value) == written
    expected = whole(value)
    assert expect(expected, {}) == value
    assertion = Assertion(0, Observed(1), "equals", expected)
    assert decode_assertion(json.loads(json.dumps(encode_assertion(assertion)))) == assertion


@pytest.mark.parametrize(
    "value",
    [
        Computed(2),
        Hidden(1),
        Late(1),
        Same(1),
        OwnInit(),
        Quote(Zone.NEAR, decimal.Decimal("nan")),
        datetime.datetime(2020, 1, 1, fold=1),
        re.compile("a", re.IGNORECASE),
        [object()],
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_no_call_makes_again_is_not_written(value: object) -> None:
    with pytest.raises(Unprintable):
        whole(value)


def test_records() -> None:
    assert is_plain_record(Quote)
    assert not is_plain_record(Computed)
    assert not is_plain_record(OwnInit)
    assert not is_plain_record(Zone)
    assert has_written_repr(Quote)
    assert not has_written_repr(Zone)
    assert has_calls(whole([Slotted(3)]))
    assert not has_calls(whole([1, "a", math.pi]))
    assert repr(Named(__name__, "Quote", Quote)) == f"Named({__name__!r}, 'Quote')"
    assert __name__ in sys.modules


@pytest.mark.parametrize(
    ("text", "shown"),
    [("/x/crashwright/engine/execution/executor.py", True), ("<_crashwright_engine>", True), ("crashwright", False), ("a", False)],
)
def test_what_shows_the_engine_is_another_text_elsewhere(text: str, shown: bool) -> None:
    assert Present("", 1e9).shows_in(text) is shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [(15_000.1234567, True), (15_001.6234567, True), (15_000.5, False), (15_000, False), (99_999.1234567, False)],
)
def test_what_a_clock_shows_is_another_number_in_a_moment(number: float, shown: bool) -> None:
    assert Present("", 1e9, passed=15_000.25).shows_in(number) is shown
    assert not Present("", 1e9).shows_in(number)
