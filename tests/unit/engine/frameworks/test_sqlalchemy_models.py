"""What is declared in mapped classes, and what statements ask for: with the real SQLAlchemy."""

from __future__ import annotations

import datetime
from decimal import Decimal
from types import SimpleNamespace

import pytest

pytest.importorskip("sqlalchemy", reason="SQLAlchemy is in the test extra")

from shop import Base, Buyer, Database, Order, Stamp, State
from sqlalchemy import insert, or_, select

from crashwright.engine.frameworks.sqlalchemy import SqlAlchemy, _mappers, is_used, mapped_classes
from crashwright.engine.frameworks.store import ColumnCondition, Field, Opening, StoreQuestion

STORE = SqlAlchemy()


def asked(statement: object) -> StoreQuestion:
    database = Database()
    STORE.begin()
    with database.sessions() as session:
        session.execute(statement)  # type: ignore[call-overload]
    [one] = STORE.end()
    assert isinstance(one, StoreQuestion)
    assert STORE.behind(database.sessions) is one.store
    assert STORE.behind(Database().sessions) is not one.store
    return one


def fields(model: type) -> dict[str, Field]:
    return {field.name: field for field in STORE.fields(model)}


def test_fields_say_what_is_needed_and_what_may_be() -> None:
    found = fields(Order)
    assert list(found) == ["buyer", "id", "day", "state", "total"]
    assert found["buyer"] == Field("buyer", Buyer, True, False, ("buyer_id",), (), Buyer, ("id",))
    assert (found["day"].kind, found["day"].required) == (datetime.date, True)
    assert (found["state"].members, found["state"].required) == (tuple(State), False)
    assert (found["total"].kind, found["total"].nullable) == (Decimal, True)
    assert found["id"].key
    assert not found["id"].required
    assert fields(Buyer)["email"].unique


def test_imperative_mappings_have_fields_too_and_other_classes_none() -> None:
    assert [(one.name, one.required) for one in STORE.fields(Stamp)] == [("id", False), ("text", True)]
    assert STORE.fields(int) == ()
    assert is_used()


def test_conditions_are_read_of_a_statement() -> None:
    day = datetime.date(2026, 3, 1)
    late = or_(Order.total.is_(None), Order.total > 5)
    one = asked(
        select(Order).join(Order.buyer).where(Order.day <= day, late, Buyer.email == "a@b.ch", Order.state.in_([State.PAID]))
    )
    assert one.models == (Order, Buyer)
    assert one.conditions == (
        ColumnCondition(Order, "day", "<=", day),
        ColumnCondition(Order, "total", "==", None),
        ColumnCondition(Buyer, "email", "==", "a@b.ch"),
        ColumnCondition(Order, "state", "in", [State.PAID]),
    )


def test_a_question_by_key_has_its_value() -> None:
    database = Database()
    STORE.begin()
    with database.sessions() as session:
        assert session.get(Buyer, 7) is None
    [one] = STORE.end()
    assert one == StoreQuestion(one.store, (Buyer,), (ColumnCondition(Buyer, "id", "==", 7),))


def test_only_what_is_asked_in_between_is_noted() -> None:
    with Database().sessions() as session:
        session.execute(select(Buyer))
    STORE.begin()
    assert STORE.end() == []


@pytest.mark.parametrize(
    ("value", "opening"),
    [
        (Database().sessions, Opening.FACTORY),
        (Database().sessions(), Opening.SESSION),
        (Database().engine, Opening.ENGINE),
        (Database(), None),
    ],
)
def test_sessions_are_known_by_their_classes(value: object, opening: Opening | None) -> None:
    assert STORE.opening(value) is opening


def test_a_file_in_the_current_folder_has_an_address_and_nothing_else(tmp_path: pytest.TempPathFactory) -> None:
    engine = Database("sqlite:///:memory:").engine
    assert STORE.address(engine) == ""
    assert STORE.address(_engine(f"sqlite:///{tmp_path}/x.db")) == ""
    assert STORE.address(_engine("sqlite:///x.db")) == "sqlite:///x.db"


def _engine(url: str) -> object:
    from sqlalchemy import create_engine

    return create_engine(url)


def test_a_missing_table_is_known() -> None:
    database = Database()
    Base.metadata.drop_all(database.engine)
    with database.sessions() as session, pytest.raises(Exception, match="no such table") as raised:
        session.execute(select(Buyer))
    assert STORE.lacks_tables(raised.value)
    assert not STORE.lacks_tables(ValueError("table"))


def test_what_is_stored_has_something_that_would_stand_in_its_way() -> None:
    database = Database()
    Base.metadata.create_all(database.engine)
    with database.sessions() as session:
        STORE.begin()
        session.add(Buyer(email="own@b.ch"))
        session.flush()
        STORE.begin_call()
        session.add(Buyer(id=7, email="a@b.ch"))
        session.flush()
        session.execute(insert(Buyer).values(email="c@d.ch"))
        found = [one.conditions for one in STORE.end() if one.in_the_way]
        session.rollback()
    assert found == [
        (ColumnCondition(Buyer, "id", "==", 7),),
        (ColumnCondition(Buyer, "email", "==", "a@b.ch"),),
        (ColumnCondition(Buyer, "email", "==", "c@d.ch"),),
    ]


class Torn:
    """A registry with a class whose declaration failed: asked for all, it refuses."""

    _managers = (SimpleNamespace(is_mapped=False), SimpleNamespace(is_mapped=True, mapper="mapper of the other"))

    @property
    def mappers(self) -> object:
        raise LookupError("not mapped")


def test_a_class_whose_declaration_failed_hides_no_other() -> None:
    assert _mappers(Torn()) == ["mapper of the other"]
    assert {Buyer, Order} <= set(mapped_classes())
