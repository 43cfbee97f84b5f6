"""What statements of SQL look for, and statements that store rows."""

from __future__ import annotations

import sqlite3

import pytest

from crashwright.engine.frameworks.sql_questions import SqlQuestion, created, if_needed, inserting, questions, stored


@pytest.mark.parametrize(
    ("statement", "tables", "conditions"),
    [
        ("SELECT * FROM members WHERE code = 'M-3'", ("members",), (("", "code", "==", "M-3"),)),
        (
            "select p.* from pieces as p join members m on m.id = p.member_id where m.name = 'O''Hara' and p.fired is not null",
            ("pieces", "members"),
            (("members", "name", "==", "O'Hara"), ("pieces", "fired", "!=", None)),
        ),
        ("SELECT a FROM x, y WHERE lower(x.name) LIKE 'ab%'", ("x", "y"), (("x", "name", "like", "ab%"),)),
        ("SELECT a FROM x WHERE n IN (3, 4) AND q BETWEEN 1.5 AND 2", ("x",), (("", "n", "==", 3), ("", "q", ">=", 1.5))),
        ("SELECT a FROM x WHERE n NOT IN (3, 4) ORDER BY n", ("x",), (("", "n", "!=", 3),)),
        ("SELECT a FROM x WHERE substr(made, 1, 7) = '2026-10'", ("x",), (("", "made", "==", "2026-10-15"),)),
        ('SELECT "a" FROM "two" -- WHERE b = 1', ("two",), ()),
        ("UPDATE t SET a = 3 WHERE id = 4", ("t",), (("", "id", "==", 4),)),
        ("SELECT a FROM x WHERE id IN (SELECT x_id FROM y WHERE c = 1)", ("x", "y"), (("", "c", "==", 1),)),
    ],
)
def test_tables_and_conditions(statement: str, tables: tuple[str, ...], conditions: tuple[tuple[object, ...], ...]) -> None:
    assert list(questions(statement)) == [SqlQuestion(tables, conditions)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "statement", ["INSERT INTO t VALUES (1)", "CREATE TABLE t (a)", "PRAGMA foreign_keys = ON", "", "SELECT 1"]
)
def test_what_looks_for_nothing(statement: str) -> None:
    assert list(questions(statement)) == []


@pytest.mark.parametrize("text", ["CREATE TABLE t (a TEXT);", "-- first\ncreate table if not exists t (a TEXT)"])
def test_a_table_is_created_though_it_may_be_there(text: str) -> None:
    [(name, statement)] = created(text)
    connection = sqlite3.connect(":memory:")
    for _ in range(2):
        connection.execute(if_needed(statement))
    for given in ({"a": "x", "gone": None}, {}):
        connection.execute(*inserting(name, given))
    assert connection.execute("SELECT a FROM t").fetchall() == [("x",), (None,)]
    connection.close()


@pytest.mark.parametrize(
    ("statement", "table", "columns", "values"),
    [
        ("INSERT INTO t (a, b) VALUES ('x', 3)", "t", ("a", "b"), ("x", 3)),
        ('INSERT INTO "two words" VALUES (NULL, 1.5), (1, 2)', "two words", (), (None, 1.5)),
        ("INSERT INTO t (a, b, c) VALUES (lower('X'), max(1, 2), 'it''s')", "t", ("a", "b", "c"), (None, None, "it's")),
    ],
)
def test_what_is_inserted(statement: str, table: str, columns: tuple[str, ...], values: tuple[object, ...]) -> None:
    assert stored(statement) == (table, columns, values)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT 1",
        "",
        "INSERT OR IGNORE INTO t (a) VALUES (1)",
        "INSERT INTO t (a) VALUES (1) ON CONFLICT DO NOTHING",
        "INSERT INTO t SELECT * FROM u",
    ],
)
def test_what_inserts_nothing_or_gives_way(statement: str) -> None:
    assert stored(statement) is None
