"""A crash that takes rows is reproduced with rows stored as the application stores them: the real SQLAlchemy, and sqlite3."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import Place

pytest.importorskip("sqlalchemy", reason="SQLAlchemy is in the test extra")


MODELS = """
    import enum
    from datetime import date
    from typing import Optional

    from sqlalchemy import ForeignKey, create_engine, select
    from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, sessionmaker


    class Base(DeclarativeBase):
        pass


    class Member(Base):
        __tablename__ = "member"
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str]


    class Loan(Base):
        __tablename__ = "loan"
        id: Mapped[int] = mapped_column(primary_key=True)
        member_id: Mapped[int] = mapped_column(ForeignKey("member.id"))
        due: Mapped[date]
        back: Mapped[Optional[date]]
        member: Mapped[Member] = relationship()
"""
SERVICE = """

    class Library:
        def __init__(self, url: str = "sqlite://"):
            self.engine = create_engine(url)
            self.sessions = sessionmaker(self.engine)

        def late(self, today: date):
            with self.sessions() as session:
                loans = session.scalars(select(Loan).where(Loan.due < today)).all()
                return [work(loan) for loan in loans]


    def work(loan):
        if loan.back is None and loan.member.name:
            raise ValueError("too many")
"""
PROGRAM = """

    def late(today: date, url: str = "sqlite:///library.db"):
        engine = create_engine(url)
        Base.metadata.create_all(engine)
        with Session(engine) as session:
            return [work(loan) for loan in session.scalars(select(Loan).where(Loan.due < today))]


    def work(loan):
        if loan.back is None and loan.member.name:
            raise ValueError("too many")
"""
CONFIGURED = """
    import sqlite3
    import tomllib
    from pathlib import Path

    TABLES = "CREATE TABLE IF NOT EXISTS loans (id INTEGER PRIMARY KEY, member TEXT NOT NULL, due TEXT NOT NULL, back TEXT)"


    def connect(path: str) -> sqlite3.Connection:
        connection = sqlite3.connect(path)
        connection.row_factory = sqlite3.Row
        connection.execute(TABLES)
        return connection


    def late(month: str):
        configured = tomllib.loads(Path("library.toml").read_text())
        with connect(configured["database"]) as connection:
            loans = connection.execute("SELECT * FROM loans WHERE substr(due, 1, 7) = ?", (month,))
            return [work(loan) for loan in loans.fetchall()]


    def work(loan):
        if loan["back"] is None and loan["member"]:
            raise ValueError("too many")
"""
NUMBERED = (
    """
    import sqlite3

    TABLES = """
    + '"CREATE TABLE invoices (id INTEGER PRIMARY KEY, year INTEGER NOT NULL, number TEXT NOT NULL UNIQUE, total REAL NOT NULL)"'
    + """


    class Ledger:
        def __init__(self):
            self.connection = sqlite3.connect(":memory:")
            self.connection.execute(TABLES)

        def number(self, year: int) -> str:
            [count] = self.connection.execute("SELECT count(*) FROM invoices WHERE year = ?", (year,)).fetchone()
            return f"{year}-{count + 1:04}"

        def issue(self, year: int, total: float) -> str:
            if not 2000 <= year < 2100:
                raise LookupError(year)
            number = self.number(year)
            self.connection.execute("INSERT INTO invoices (year, number, total) VALUES (?, ?, ?)", (year, number, total))
            return number
"""
)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def reported(place: Place, caller: str) -> None:
    """The report with the frame that calls ``work``."""
    lines = (place.code / "victim.py").read_text().splitlines()
    number = next(index for index, line in enumerate(lines, 1) if "[work(loan)" in line)
    text = place.report.read_text()
    frame = f'  File "/srv/victim.py", line {number}, in {caller}\n    {lines[number - 1].strip()}\n'
    inner = frame.replace(f"in {caller}", "in <listcomp>")
    place.report.write_text(text.replace('  File "/srv/victim.py"', frame + inner + '  File "/srv/victim.py"', 1))


def test_rows_are_stored_through_the_sessions_of_the_application(place: Place) -> None:
    place.subject(MODELS + SERVICE)
    reported(place, "late")
    done = place.reproduce("--evaluations", "4000", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    assert "Loan(" in text
    assert "Member(name=" in text
    assert ".sessions()" in text or "Session(library.engine)" in text
    assert "create_all(" in text, "the application makes no tables itself"


def test_a_database_that_the_code_opens_itself_is_a_file_in_a_folder_of_the_test(place: Place) -> None:
    place.subject(MODELS + PROGRAM)
    reported(place, "late")
    done = place.reproduce("--evaluations", "4000", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    assert 'create_engine("sqlite:///library.db")' in text
    assert "monkeypatch.chdir(tmp_path)" in text
    assert done.left_nothing
    assert not (place.work / "library.db").exists()


@pytest.mark.nightly
def test_code_that_uses_sqlite_and_a_configuration_finds_both(place: Place) -> None:
    place.subject(CONFIGURED)
    (place.code / "library.toml").write_text('database = "library.db"\n')
    reported(place, "late")
    done = place.reproduce("--evaluations", "4000", "--json")
    assert done.code == 0, (done.out, done.err)
    text = json.loads(done.out)["test"]["text"]
    assert 'connect("library.db")' in text
    assert "INSERT INTO loans(due,member)" in text.replace("loans (", "loans(").replace(", ", ",")
    assert 'shutil.copy(Path(victim.__file__).parent / "library.toml", tmp_path)' in text
    assert done.left_nothing
    assert not (place.work / "library.db").exists()


@pytest.mark.nightly
def test_what_the_code_is_about_to_store_is_there_already(place: Place) -> None:
    place.subject(NUMBERED)
    lines = (place.code / "victim.py").read_text().splitlines()
    at = next(index for index, line in enumerate(lines, 1) if "INSERT INTO" in line)
    place.report.write_text(
        "Traceback (most recent call last):\n"
        f'  File "/srv/victim.py", line {at}, in issue\n    {lines[at - 1].strip()}\n'
        "sqlite3.IntegrityError: UNIQUE constraint failed: invoices.number\n"
    )
    done = place.reproduce("--evaluations", "3000", "--json")
    assert done.code == 0, (done.out, done.err)
    test = json.loads(done.out)["test"]["text"]
    assert "INSERT INTO" in test
    assert re.search(r"\b(20\d\d)-0002\b", test), "one invoice of the year, under the number that comes next"
