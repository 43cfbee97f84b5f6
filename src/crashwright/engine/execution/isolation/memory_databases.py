"""Databases in memory that are open before the first test: what tests commit to them is taken out again. A program that opens its
database when it is imported has one for all tests; what one stored would be a part of what the next one finds."""

from __future__ import annotations

import contextlib
from typing import Any

from crashwright.engine.subject.introspection import loaded_module

LARGEST = 4_000_000
"""Bytes of a database that is put back."""


class MemoryDatabase:
    """Behind a ``connection``, as it is now."""

    __slots__ = ("_changes", "_connection", "_saved")

    def __init__(self, connection: Any, saved: bytes) -> None:
        self._connection = connection
        self._saved = saved
        self._changes = _changes(connection)

    def put_back(self) -> None:
        """Where something was written and has stayed. It costs a look at a number otherwise."""
        if _changes(self._connection) == self._changes:
            return
        sqlite: Any = loaded_module("sqlite3")
        # A statement that is not through, or a connection that the test has closed: then there is nothing to be done about it.
        with contextlib.suppress(sqlite.Error):
            if sqlite.Connection.serialize(self._connection) != self._saved:
                sqlite.Connection.deserialize(self._connection, self._saved)
        self._changes = _changes(self._connection)


def in_memory(connection: Any) -> MemoryDatabase | None:
    """The database of an open connection of sqlite3, if it is in memory and not too large. By the methods of the class itself: a
    subject may derive from it."""
    sqlite: Any = loaded_module("sqlite3")
    try:
        files = sqlite.Connection.execute(connection, "PRAGMA database_list").fetchall()
        saved = b"" if any(file for *_, file in files) else sqlite.Connection.serialize(connection)
    except (sqlite.Error, AttributeError):  # it is closed, of another thread, or SQLite was built without this
        return None
    return MemoryDatabase(connection, saved) if 0 < len(saved) <= LARGEST else None


def _changes(connection: Any) -> int:
    """Rows that were written by it so far."""
    try:
        return int(connection.total_changes)
    except Exception:  # noqa: BLE001 - it is closed by now: nothing more will change
        return -1
