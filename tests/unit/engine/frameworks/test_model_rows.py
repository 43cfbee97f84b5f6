"""Rows that are there before an application is asked."""

from __future__ import annotations

import datetime
import enum
import sys
from collections.abc import Iterator
from decimal import Decimal

import pytest

from crashwright.engine.frameworks.model_rows import ModelRows
from crashwright.engine.subject.api.api import ApiModel

MODELS = """
import datetime
import enum
from decimal import Decimal

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class RowBase(DeclarativeBase):
    pass


class Grade(enum.Enum):
    JUNIOR = "junior"
    SENIOR = "senior"


class Rower(RowBase):
    __tablename__ = "rower"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    grade: Mapped[Grade]
    fee: Mapped[Decimal]
    left_on: Mapped[datetime.date | None]


class Outing(RowBase):
    __tablename__ = "outing"
    id: Mapped[int] = mapped_column(primary_key=True)
    rower_id: Mapped[int] = mapped_column(ForeignKey("rower.id"))
    rower: Mapped[Rower] = relationship()
    note: Mapped[str | None]
"""
SEEDS = """
from decimal import Decimal

from .models import Grade, Outing, Rower

LIMIT = 3


def fill(session):
    first = Rower(name="Ida", grade=Grade.JUNIOR, fee=Decimal("2.00"))
    session.add_all([first, Outing(rower=first)])


def one(session):
    session.add(Rower(name="Ida", grade=Grade.JUNIOR, fee=Decimal("2.00")))


def copied(session, name):
    session.add_all([Rower(name=name), Rower(name=name)])


if __name__ == "__main__":
    fill(None)
"""
LOUD = """
from .models import Rower
print(Rower)


def fill_loudly(session):
    session.add_all([Rower(name="a"), Rower(name="b")])
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelRows]:
    """Once: SQLAlchemy knows its classes for good."""
    folder = tmp_path_factory.mktemp("club") / "rowingclub"
    folder.mkdir()
    for name, text in (("__init__", ""), ("models", MODELS), ("seeds", SEEDS), ("loud", LOUD)):
        (folder / f"{name}.py").write_text(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(folder.parent))
        __import__("rowingclub.models")
        yield ModelRows({"rowingclub"})
    for name in [name for name in sys.modules if name.partition(".")[0] == "rowingclub"]:
        del sys.modules[name]


def test_what_fills_a_database_is_found_though_nobody_imports_it(rows: ModelRows) -> None:
    known = rows.names(ApiModel("rowingclub", ["rowingclub.models"]))
    assert {"Rower", "Outing", "Grade", "fill"} <= known.keys()
    assert known.keys().isdisjoint({"one", "copied", "fill_loudly"}), "too little, too much to give, more than an import"
    assert "rowingclub.loud" not in sys.modules
    first = rows.ways(known, {"Outing"}, "session", entered=False)[0]
    assert first.lines == ["fill(session)"]
    assert "rower = Rower(name='Ida', grade=Grade.JUNIOR, fee=Decimal('2.00'))" in first.made


def test_plain_rows_are_whole_then_plain_then_without_a_field_that_is_read(rows: ModelRows) -> None:
    _, whole, plain, *fewer = rows.ways({"fill"}, {"Outing", "left_on"}, "db.session", entered=True)
    rower = "rower = Rower(name='name', grade=Grade('junior'), fee=decimal.Decimal('10.00')"
    assert whole.lines == [
        f"{rower}, left_on=datetime.date(2026, 1, 15))",
        "db.session.add(rower)",
        "outing = Outing(rower=rower, note='note')",
        "db.session.add(outing)",
        "db.session.commit()",
    ]
    assert plain.lines[0] == f"{rower})"
    assert [(one.lines[0], one.lines[2]) for one in fewer] == [(f"{rower})", "outing = Outing(rower=rower, note='note')")]
    assert plain.lines[2] == "outing = Outing(rower=rower)", "nobody reads the note: it is left out with all others alone"
    namespace: dict[str, object] = {"decimal": sys.modules["decimal"], "datetime": datetime}
    namespace.update(vars(sys.modules["rowingclub.models"]))
    for line in whole.lines:
        if not line.startswith("db."):
            exec(line, namespace)
    made = namespace["rower"]
    assert getattr(made, "fee") == Decimal("10.00")  # noqa: B009 (its class is not known here)
    assert isinstance(getattr(made, "grade"), enum.Enum)  # noqa: B009


def test_nothing_is_stored_for_a_project_without_models() -> None:
    assert ModelRows({"nosuchproject"}).ways((), (), "session", entered=False) == []
