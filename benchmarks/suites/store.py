"""Where rows are kept: one SQLite file, each row committed as it comes, so that a killed script loses only the runs under way."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path

from benchmarks.comparison.provenance import Invocation
from benchmarks.suites.runs import Key, Row

KEY_FIELDS = tuple(field.name for field in dataclasses.fields(Key))
FIELDS = (*KEY_FIELDS, *(field.name for field in dataclasses.fields(Row) if field.name != "key"))
Flat = tuple[str | int | float, ...]


def _names(columns: Iterable[str]) -> str:
    """Quoted: ``commit`` is a word of SQL."""
    return ", ".join(f'"{column}"' for column in columns)


def flat(row: Row) -> Flat:
    """A row as plain values, in the order of ``FIELDS``; coverage and curve as JSON."""
    values = {name: getattr(row.key if name in KEY_FIELDS else row, name) for name in FIELDS}
    values["coverage"] = json.dumps(dict(row.coverage), separators=(",", ":"))
    values["curve"] = json.dumps(row.curve, separators=(",", ":"))
    return tuple(values.values())


def unflat(values: Iterable[object]) -> Row:
    """The row of ``flat``."""
    named = dict(zip(FIELDS, values, strict=True))
    named["coverage"] = {criterion: (met, known) for criterion, (met, known) in json.loads(str(named["coverage"])).items()}
    named["curve"] = tuple((used, met) for used, met in json.loads(str(named["curve"])))
    key = Key(**{name: named.pop(name) for name in KEY_FIELDS})  # type: ignore[arg-type]
    return Row(key, **named)  # type: ignore[arg-type]


class Store:
    """The rows of one file, shared by the threads of one process."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(file, check_same_thread=False)
        self._lock = threading.Lock()
        with self._connection:
            self._connection.execute(f"CREATE TABLE IF NOT EXISTS runs ({_names(FIELDS)}, PRIMARY KEY ({_names(KEY_FIELDS)}))")
            self._connection.execute(f"CREATE TABLE IF NOT EXISTS invocations ({_names(Invocation.__slots__)})")
        self._rows = {row.key: row for row in map(unflat, self._connection.execute(f"SELECT {_names(FIELDS)} FROM runs"))}

    def get(self, key: Key) -> Row | None:
        """The row of ``key``, where that run was made."""
        with self._lock:
            return self._rows.get(key)

    def add(self, row: Row) -> None:
        """Keep ``row`` for good."""
        with self._lock:
            with self._connection:
                places = ", ".join("?" * len(FIELDS))
                self._connection.execute(f"INSERT OR REPLACE INTO runs ({_names(FIELDS)}) VALUES ({places})", flat(row))
            self._rows[row.key] = row

    def forget_failed(self, commit: str) -> None:
        """Drop the rows of runs without a result, so that they are made again."""
        with self._lock:
            failed = [row.key for row in self._rows.values() if row.key.commit == commit and not row.good]
            where = " AND ".join(f'"{name}" = ?' for name in KEY_FIELDS)
            with self._connection:
                self._connection.executemany(f"DELETE FROM runs WHERE {where}", [dataclasses.astuple(key) for key in failed])
            for key in failed:
                del self._rows[key]

    def note(self, one: Invocation) -> None:
        """Keep that a script was started."""
        places = ", ".join("?" * len(Invocation.__slots__))
        with self._lock, self._connection:
            self._connection.execute(f"INSERT INTO invocations VALUES ({places})", dataclasses.astuple(one))

    def invocations(self, commit: str) -> list[Invocation]:
        """The starts of scripts on one commit."""
        with self._lock:
            found = [Invocation(*values) for values in self._connection.execute("SELECT * FROM invocations ORDER BY started")]
        return [one for one in found if one.commit == commit]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
