"""Where rows are kept: one SQLite file, each row committed as it comes, so that a killed script loses only the run under way."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from pathlib import Path

from benchmarks.flags.census import Census
from benchmarks.flags.runs import FAILED, Key, Row

KEY_FIELDS = tuple(field.name for field in dataclasses.fields(Key))
FIELDS = (*KEY_FIELDS, *(field.name for field in dataclasses.fields(Row) if field.name != "key"))


def _names(columns: tuple[str, ...]) -> str:
    """Quoted: ``commit`` is a word of SQL."""
    return ", ".join(f'"{column}"' for column in columns)


class Store:
    """The rows and censuses of one file."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(file)
        with self._connection:
            self._connection.execute(f"CREATE TABLE IF NOT EXISTS runs ({_names(FIELDS)}, PRIMARY KEY ({_names(KEY_FIELDS)}))")
            self._connection.execute("CREATE TABLE IF NOT EXISTS censuses (module, program, found, PRIMARY KEY (module, program))")
        self._rows = {row.key: row for row in map(_unflat, self._connection.execute(f"SELECT {_names(FIELDS)} FROM runs"))}

    def get(self, key: Key) -> Row | None:
        """The row of ``key``, where that run was made."""
        return self._rows.get(key)

    def add(self, row: Row) -> None:
        """Keep ``row`` for good."""
        flat = [getattr(row.key if name in KEY_FIELDS else row, name) for name in FIELDS]
        with self._connection:
            self._connection.execute(f"INSERT OR REPLACE INTO runs VALUES ({', '.join('?' * len(FIELDS))})", flat)
        self._rows[row.key] = row

    def rows(self, commit: str) -> list[Row]:
        """The rows of one program that did not fail."""
        return [row for row in self._rows.values() if row.key.commit == commit and row.ended != FAILED]

    def failed(self, commit: str) -> list[Row]:
        """The rows of runs whose engine failed."""
        return [row for row in self._rows.values() if row.key.commit == commit and row.ended == FAILED]

    def census(self, module: str, commit: str) -> Census | None:
        """That of a module, where it was taken."""
        query = "SELECT found FROM censuses WHERE module = ? AND program = ?"
        found = self._connection.execute(query, (module, commit)).fetchone()
        return None if found is None else _census(json.loads(found[0]))

    def add_census(self, module: str, commit: str, found: Census) -> None:
        """Keep it for good."""
        with self._connection:
            self._connection.execute("INSERT OR REPLACE INTO censuses VALUES (?, ?, ?)", (module, commit, json.dumps(found)))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _census(data: list[object]) -> Census:
    deciding, flagged, problem = data
    assert isinstance(deciding, list)
    assert isinstance(flagged, list)
    return Census(tuple(deciding), tuple(flagged), str(problem))


def _unflat(values: tuple[object, ...]) -> Row:
    named = dict(zip(FIELDS, values, strict=True))
    named["flags"] = bool(named["flags"])
    key = Key(**{name: named.pop(name) for name in KEY_FIELDS})  # type: ignore[arg-type]
    return Row(key, **named)  # type: ignore[arg-type]
