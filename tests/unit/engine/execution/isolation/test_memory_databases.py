"""What is committed to a database in memory is taken out again; files are left alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from crashwright.engine.execution.isolation.memory_databases import in_memory


def with_table(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(address)
    connection.execute("CREATE TABLE shelves (name TEXT)")
    connection.execute("INSERT INTO shelves VALUES ('first')")
    connection.commit()
    return connection


def names(connection: sqlite3.Connection) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM shelves").fetchall()]


def test_what_tests_commit_is_taken_out_again() -> None:
    connection = with_table(":memory:")
    database = in_memory(connection)
    assert database is not None
    for _ in range(3):
        connection.execute("INSERT INTO shelves VALUES ('second')")
        connection.execute("DELETE FROM shelves WHERE name = 'first'")
        connection.commit()
        database.put_back()
        assert names(connection) == ["first"]
    connection.execute("INSERT INTO shelves VALUES ('third')")
    connection.rollback()
    database.put_back()
    assert names(connection) == ["first"]
    connection.close()
    database.put_back()


def test_files_and_closed_connections_have_none(tmp_path: Path) -> None:
    connection = with_table(str(tmp_path / "own.db"))
    assert in_memory(connection) is None
    connection.close()
    assert in_memory(connection) is None
