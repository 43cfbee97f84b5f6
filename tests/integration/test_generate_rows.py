"""``crashwright generate`` for code that reads a database: its rows are there, and what it says of them is asserted."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generate import Place

SHELF = '''\
"""Books on a shelf, in a database."""

import sqlite3


class Shelf:
    def __init__(self, path: str = ":memory:") -> None:
        self.connection = sqlite3.connect(path)
        self.connection.execute("create table if not exists book (title text not null, pages integer, lent integer)")

    def longest(self) -> str:
        rows = self.connection.execute("select title, pages from book where lent = 0").fetchall()
        if not rows:
            return "nothing"
        title, pages = max(rows, key=lambda row: row[1])
        return f"{title} ({pages})"

    def is_lent(self, title: str) -> bool:
        row = self.connection.execute("select lent from book where title = ?", (title,)).fetchone()
        if row is None:
            raise LookupError(f"no book {title!r}")
        return bool(row[0])
'''


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_rows_that_are_read_are_stored(place: Place) -> None:
    place.module("shelf.py", SHELF)
    code, document = place.generate("shelf", "--evaluations", "1500")
    assert code == 0, document
    [module] = document["modules"]
    branch = next(one for one in module["coverage"] if one["criterion"] == "branch")
    assert branch["covered"] == branch["total"]
    text = (place.work / "test_shelf.py").read_text()
    assert "insert into book" in text.lower()
    assert "nothing" in text
    assert "is_lent(" in text
    place.passes("test_shelf.py")


WRITTEN = '''\
"""Writes a table into what it is given."""

import csv


def write(rows, stream) -> None:
    writer = csv.writer(stream, delimiter=";")
    writer.writerow(["name", "amount"])
    for name, amount in rows:
        writer.writerow([name, f"{amount:.2f}"])
'''


@pytest.mark.nightly
def test_what_is_written_into_a_text_in_memory_is_asserted(place: Place) -> None:
    place.module("written.py", WRITTEN)
    code, document = place.generate("written", "--evaluations", "800")
    assert code == 0, document
    text = (place.work / "test_written.py").read_text()
    assert ".getvalue() == " in text
    assert "name;amount" in text
    place.passes("test_written.py")
