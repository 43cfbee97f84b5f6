"""Steps by record around a test: rows, lines, statements, arguments, members of enums, dates."""

from __future__ import annotations

import enum
import itertools

import pytest

from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.editing.record_steps import record_steps
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import (
    Arguments,
    Call,
    Display,
    FileFixture,
    Literal,
    MethodCall,
    Named,
    Reference,
    Statement,
    Value,
)
from crashwright.engine.testcase.testcase import TestCase


class Status(enum.Enum):
    OPEN = "open"
    PAID = "paid"
    LATE = "late"


API = ApiModel(__name__, [__name__])


def steps(*statements: Statement, kept: frozenset[int] = frozenset(), most: int = 100, numbers: bool = False) -> list[TestCase]:
    fresh = itertools.count(100)
    return record_steps(TestCase(statements), kept, lambda: next(fresh), most, numbers=numbers)


def values(test_steps: list[TestCase]) -> list[Value]:
    return [one.value for test in test_steps for one in test.statements if isinstance(one, Literal)]


def test_items_and_rows_are_doubled_and_left_out() -> None:
    rows = Display("list", (Display("list", (1, 2)), Display("list", (3,))))
    found = values(steps(Literal(1, rows)))
    assert Display("list", (rows.items[0], rows.items[0], rows.items[1])) in found
    assert Display("list", (rows.items[1],)) in found
    assert Display("list", (Display("list", (1, 2)), Display("list", (3, 3)))) in found
    assert values(steps(Literal(1, rows), kept=frozenset({1}))) == []


def test_rows_of_a_table_by_columns_are_doubled_and_left_out() -> None:
    table = Display("dict", (("sku", Display("list", ("ink", "pen"))), ("price", Display("list", (1, 2)))))
    found = values(steps(Literal(1, table)))
    assert Display("dict", (("sku", Display("list", ("ink", "ink", "pen"))), ("price", Display("list", (1, 1, 2))))) in found
    assert Display("dict", (("sku", Display("list", ("ink",))), ("price", Display("list", (1,))))) in found


def test_a_key_is_left_out() -> None:
    record = Display("dict", (("sku", "ink"), ("pieces", Display("list", (1,)))))
    found = values(steps(Literal(1, record)))
    assert Display("dict", (("sku", "ink"),)) in found
    assert Display("dict", (("sku", "ink"), ("pieces", Display("list", (1, 1))))) in found


def test_lines_are_doubled_and_left_out() -> None:
    assert values(steps(Literal(1, "sku;price\nink;b")))[:2] == ["sku;price\nink;b\nink;b\n", "sku;price\n"]
    files = [test.statements[0] for test in steps(FileFixture(1, "lines.txt", b"a\nb\n"))]
    assert {one.content for one in files if isinstance(one, FileFixture)} == {b"a\nb\nb\n", b"a\n", b"a\na\nb\n", b"b\n"}


def test_numbers_of_a_text_keep_their_digits() -> None:
    assert {"0000-13", "2031-00", "9999-13", "2031-12"} <= set(values(steps(Literal(1, "2031-13"), numbers=True)))
    files = [test.statements[0] for test in steps(FileFixture(1, "day.bin", b"\xff07"), numbers=True)]
    assert b"\xff00" in {one.content for one in files if isinstance(one, FileFixture)}
    assert steps(Literal(1, "2031-13"), kept=frozenset({1}), numbers=True) == []
    assert steps(Literal(1, "2031-13")) == []


def test_words_of_the_message_are_put_into_texts() -> None:
    test = TestCase((Literal(1, "{}"),))
    assert "{ann}" in values(record_steps(test, (), lambda: 9, 20, ["ann"]))


def test_a_call_is_made_once_more() -> None:
    shelf, add = Literal(1, Display("list", ())), MethodCall(2, 1, "append", Arguments((1,)))
    (again,) = steps(shelf, add)
    assert again.statements == (shelf, add, add._replace(variable=100))


def test_what_a_callee_does_not_ask_for_is_left_out() -> None:
    callee = API.standard("datetime", "timedelta")
    made = Call(3, callee, Arguments((1,), (("hours", 2),)))
    found = [test.statements[-1] for test in steps(Literal(1, 1), Literal(2, 2), made)]
    assert Call(3, callee, Arguments((1,), ())) in found
    assert Call(3, callee, Arguments((), (("hours", 2),))) in found


def test_other_members_of_an_enum_take_its_place() -> None:
    found = steps(Reference(1, Named(__name__, "Status.OPEN", Status.OPEN)))
    names = [one.named.qualname for test in found for one in test.statements if isinstance(one, Reference)]
    assert names == ["Status.PAID", "Status.LATE"]
    called = Call(2, API.constructor(Status), Arguments((1,)))
    assert {"paid", "late"} <= set(values(steps(Literal(1, "open"), called)))


@pytest.mark.parametrize("cls", ["date", "datetime"])
def test_dates_come_to_the_ends_of_months_and_years(cls: str) -> None:
    callee = API.standard("datetime", cls)
    numbers = [Literal(place, number) for place, number in enumerate((2023, 4, 5), 1)]
    found = steps(*numbers, Call(4, callee, Arguments((1, 2, 3))))
    texts = "\n".join("\n".join(print_test(test).body) for test in found)
    for day in ("2023, 4, 30", "2023, 12, 31", "2024, 2, 29"):
        assert f"{cls}({day})" in texts


def test_dates_in_texts_do_so_too() -> None:
    found = values(steps(Literal(1, "due 2026-04-05T08:00")))
    assert "due 2026-04-30T08:00" in found
    assert "due 2026-12-31T08:00" in found
    assert not {"2026-12-31", "2026-13-31", "2024-02-29"} & set(values(steps(Literal(1, "2026-13-01"))))


def test_there_are_at_most_so_many_and_of_each_kind_some() -> None:
    rows = Display("list", tuple(range(6)))
    found = steps(Literal(1, rows), Literal(2, "a\nb"), Reference(3, Named(__name__, "Status.OPEN", Status.OPEN)), most=3)
    assert len(found) == 3
    assert len({tuple(type(one) for one in test.statements) for test in found}) == 1
