"""What code asks sqlite3 for is heard, and the tables are known as they were created."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.frameworks.sqlite import Sqlite
from crashwright.engine.frameworks.store import Opening
from crashwright.engine.frameworks.wanted_rows import varied

SCHEMA = """
CREATE TABLE members (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, email TEXT);
CREATE TABLE loans (
    member_id INTEGER NOT NULL REFERENCES members,
    due DATE NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'back')),
    fee REAL
);
"""


def connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA)
    return connection


def test_rows_answer_what_was_asked() -> None:
    store = Sqlite()
    store.begin()
    connection = connect(":memory:")
    connection.execute("SELECT * FROM loans JOIN members m ON m.id = member_id WHERE m.code = ?", ("A-1",))
    assert store.opening(connection) is Opening.SESSION
    database = store.behind(connection)
    [asked] = store.end()
    assert asked.store is database
    assert store.address(database) == ""
    bare, full, *others = varied([asked], store.fields)
    assert [(row.model.__name__, row.given) for row in bare] == [
        ("members", {"code": "A-1", "id": 1}),
        ("loans", {"member_id": 1, "due": "2026-01-15"}),
    ]
    assert full[1].given == {"member_id": 1, "due": "2026-01-15", "state": "open", "fee": 1.5}
    assert any(row.given.get("state") == "back" for way in others for row in way)
    connection.close()


def test_a_file_is_opened_again_by_the_function_that_opened_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = Sqlite()
    store.begin()
    connection = connect("own.db")
    connection.execute("SELECT * FROM members")
    [asked] = store.end()
    connection.close()
    assert store.address(asked.store) == "own.db"
    assert store.opener(asked.store) == CodeKey(__name__, "connect", connect.__code__.co_firstlineno)


def test_a_file_somewhere_else_is_nobodys_business(tmp_path: Path) -> None:
    store = Sqlite()
    store.begin()
    connection = connect(os.fspath(tmp_path / "far.db"))
    connection.execute("SELECT * FROM members")
    [asked] = store.end()
    connection.close()
    assert store.address(asked.store) == ""


def test_nothing_is_heard_before_and_after() -> None:
    store, before = Sqlite(), sqlite3.connect
    store.begin()
    connection = connect(":memory:")
    assert not store.end()
    assert sqlite3.connect is before
    connection.execute("SELECT * FROM members")
    store.begin()
    assert not store.end()
    connection.close()


def test_an_error_about_a_table() -> None:
    connection = sqlite3.connect(":memory:")
    with pytest.raises(sqlite3.OperationalError) as caught:
        connection.execute("SELECT * FROM members")
    assert Sqlite().lacks_tables(caught.value)
    assert not Sqlite().lacks_tables(ValueError("no such table"))
    connection.close()


def test_what_is_stored_has_something_that_would_stand_in_its_way() -> None:
    store = Sqlite()
    store.begin()
    connection = connect(":memory:")
    connection.execute("INSERT INTO members (code, email) VALUES ('A-1', 'own')")
    store.begin_call()
    connection.execute("INSERT INTO members (id, code, email) VALUES (7, 'A-2', 'a@b.ch')")
    connection.execute("CREATE UNIQUE INDEX pairs ON loans (member_id, due)")
    connection.execute("INSERT INTO loans (member_id, due, fee) VALUES (7, '2026-02-01', 2)")
    found = store.end()
    connection.close()
    told = [
        (one.models[0].__name__, [(each.column, each.operator, each.value) for each in one.conditions])
        for one in found
        if one.in_the_way
    ]
    assert told == [("members", [("id", "==", 7)]), ("members", [("code", "==", "A-2")])]
    [row] = next(varied([found[-1]], store.fields))
    assert row.given == {"code": "A-2"}
