"""Rows that answer what was asked, and the ways in which they differ."""

from __future__ import annotations

import datetime
import enum
from decimal import Decimal

import pytest

from crashwright.engine.frameworks.store import ColumnCondition, Field, StoreQuestion
from crashwright.engine.frameworks.wanted_rows import StoredRow, fulfilling, holds, varied


class State(enum.Enum):
    OPEN = 1
    PAID = 2


class Buyer:
    pass


class Order:
    pass


FIELDS = {
    Buyer: (
        Field("id", int, False, False, ("id",), key=True, unique=True),
        Field("email", str, True, False, ("email",), unique=True),
    ),
    Order: (
        Field("buyer", Buyer, True, False, ("buyer_id",), (), Buyer, ("id",)),
        Field("id", int, False, False, ("id",), key=True, unique=True),
        Field("day", datetime.date, True, False, ("day",)),
        Field("state", State, False, False, ("state",), tuple(State)),
        Field("total", Decimal, False, True, ("total",)),
    ),
}


def rows(*asked: StoreQuestion) -> list[list[StoredRow]]:
    return list(varied(asked, lambda model: FIELDS.get(model, ())))


def shown(row: StoredRow) -> dict[str, object]:
    return {name: value.model if isinstance(value, StoredRow) else value for name, value in row.given.items()}


def test_a_row_fulfils_what_is_asked_and_has_what_it_needs() -> None:
    day = datetime.date(2026, 3, 1)
    buyer, order = rows(
        StoreQuestion(None, (Order,), (ColumnCondition(Order, "day", "<=", day), ColumnCondition(Order, "buyer_id", "==", 7)))
    )[0]
    assert shown(buyer) == {"id": 7, "email": "email"}
    assert shown(order) == {"day": day, "buyer": Buyer}
    assert order.given["buyer"] is buyer


def test_questions_that_do_not_go_together_have_rows_of_their_own() -> None:
    questions = [StoreQuestion(None, (Buyer,), (ColumnCondition(Buyer, "email", "==", mail),)) for mail in ("a@b.ch", "c@d.ch")]
    assert [shown(row) for row in rows(*questions)[0]] == [{"email": "a@b.ch"}, {"email": "c@d.ch"}]


def test_a_key_that_a_session_has_as_a_text_is_the_number_that_a_path_has() -> None:
    questions = [
        StoreQuestion(None, (Buyer,), (ColumnCondition(Buyer, "id", "==", "7"),)),
        StoreQuestion(None, (Order,), (ColumnCondition(Order, "buyer_id", "==", 7),)),
    ]
    buyer, order = rows(*questions)[0]
    assert buyer.given["id"] == 7
    assert order.given["buyer"] is buyer


def test_rows_differ_as_rows_do() -> None:
    ways = rows(StoreQuestion(None, (Order,)))
    bare, full = ways[:2]
    assert [set(row.given) for row in bare] == [{"email"}, {"buyer", "day"}]
    assert set(full[1].given) == {"buyer", "day", "state", "total"}
    orders = [[row for row in way if row.model is Order] for way in ways]
    assert any(len(way) == 2 and shown(way[0]) == shown(way[1]) for way in orders), "two that are alike"
    assert any(way[0].given.get("state") is State.PAID for way in orders)
    assert any(set(way[0].given) == {"buyer", "day", "state"} for way in orders), "one optional field left out"


def test_two_rows_have_other_values_where_no_two_are_alike() -> None:
    ways = rows(StoreQuestion(None, (Buyer,)))
    assert [shown(row) for row in ways[2]] == [{"email": "email"}, {"email": "email2"}]


def test_nothing_that_is_asked_for_is_left_out() -> None:
    for way in rows(StoreQuestion(None, (Order,), (ColumnCondition(Order, "total", ">", Decimal(5)),))):
        assert all(row.given["total"] == Decimal(6) for row in way if row.model is Order)


class Note:
    pass


def test_a_field_that_holds_a_key_gets_that_of_a_row() -> None:
    fields = {**FIELDS, Note: (Field("buyer_id", int, True, False, ("buyer_id",), (), Buyer, ("id",), holds_key=True),)}
    buyer, note = next(varied([StoreQuestion(None, (Note,))], lambda model: fields[model]))
    assert shown(buyer) == {"email": "email", "id": 1}
    assert shown(note) == {"buyer_id": 1}


def test_rows_that_refer_to_each_other_in_a_circle_come_to_an_end() -> None:
    class Head:
        pass

    class Team:
        pass

    class Room:
        pass

    key = Field("id", int, False, False, ("id",), key=True, unique=True)
    fields = {
        Head: (key, Field("team", Team, True, False, ("team_id",), (), Team, ("id",))),
        Team: (
            key,
            Field("head", Head, True, False, ("head_id",), (), Head, ("id",)),
            Field("room", Room, True, False, ("room_id",), (), Room, ("id",)),
        ),
        Room: (
            key,
            Field("head", Head, True, False, ("head_id",), (), Head, ("id",)),
            Field("team", Team, True, False, ("team_id",), (), Team, ("id",)),
        ),
    }
    for model in fields:
        for optional in varied([StoreQuestion(None, (model,))], lambda one: fields[one]):
            assert len({id(row) for row in optional}) == len(optional) >= 3


TOTAL, DAY = FIELDS[Order][4], FIELDS[Order][2]


@pytest.mark.parametrize(
    ("field", "operator", "value"),
    [
        (TOTAL, "<", Decimal(3)),
        (TOTAL, ">=", Decimal(3)),
        (DAY, ">", datetime.date(2026, 3, 1)),
        (DAY, "!=", datetime.date(2026, 1, 15)),
        (FIELDS[Order][3], "in", [State.PAID]),
        (FIELDS[Buyer][1], "like", "%ann%"),
        (FIELDS[Buyer][1], "!=", "email"),
    ],
)
def test_values_fulfil_conditions(field: Field, operator: str, value: object) -> None:
    assert holds(fulfilling(field, operator, value), operator, value)
    assert not holds(object(), "<", value)


def test_a_row_that_the_test_has_stored_itself_answers_too_and_stays_as_it_is() -> None:
    ann = StoredRow(Buyer, held=3)
    ann.given.update(id=1, email="ann@b.ch")
    questions = [
        StoreQuestion(None, (Buyer,), (ColumnCondition(Buyer, "id", "==", 1),)),
        StoreQuestion(None, (Order,), (ColumnCondition(Order, "buyer_id", "==", 1),)),
    ]
    for found in varied(questions, lambda model: FIELDS.get(model, ()), [ann]):
        assert [row for row in found if row.model is Buyer] == [ann]
        assert all(row.given["buyer"] is ann for row in found if row.model is Order)
    assert ann.given == {"id": 1, "email": "ann@b.ch"}
