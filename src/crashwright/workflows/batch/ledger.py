"""The one file of a batch: which crashes were reported, how often, and what came of each. A SQLite database with one writer.

Each change is one transaction, so that a batch that is killed loses what it was just working on and nothing else. A test is in the
database before it is in its file: whoever opens the database again writes the files that are missing. Values of reports have passed
the filter for secrets before they come here.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from crashwright.core.codec import from_json, to_json
from crashwright.core.errors import EnvironmentProblem, UsageError
from crashwright.core.report import CrashReport
from crashwright.workflows.batch.answer import Answer

_APPLICATION = 0x63726177
"""Tells a database of ours from others."""
_VERSION = 1
_TABLES = """
CREATE TABLE crashes (
    fingerprint TEXT PRIMARY KEY, title TEXT NOT NULL, report TEXT NOT NULL, around TEXT NOT NULL, source TEXT NOT NULL,
    place TEXT NOT NULL, left_out TEXT NOT NULL, changed REAL NOT NULL, number INTEGER NOT NULL,
    answer TEXT, file TEXT NOT NULL DEFAULT '', written INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE sightings (
    source TEXT NOT NULL, report TEXT NOT NULL, nth INTEGER NOT NULL, fingerprint TEXT NOT NULL REFERENCES crashes,
    PRIMARY KEY (source, report, nth)
) WITHOUT ROWID;
CREATE INDEX by_crash ON sightings (fingerprint);
"""
_NEWEST_FIRST = """
SELECT c.fingerprint, title, c.report, around, c.source, place, left_out, count(*) AS times, answer, file, written
FROM crashes c JOIN sightings s USING (fingerprint) GROUP BY c.fingerprint
ORDER BY times DESC, changed DESC, number DESC, c.fingerprint
"""
_KEEP_THE_NEWEST = """
INSERT INTO crashes (fingerprint, title, report, around, source, place, left_out, changed, number)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (fingerprint) DO UPDATE SET title = excluded.title, report = excluded.report, around = excluded.around,
    source = excluded.source, place = excluded.place, left_out = excluded.left_out, changed = excluded.changed,
    number = excluded.number
WHERE answer IS NULL AND (excluded.changed, excluded.number) >= (changed, number)
"""


@dataclass(frozen=True, slots=True)
class Reported:
    """A crash as one of its reports tells it, without secrets. ``around`` is the text that the report stands in, where it stands
    alone there; ``place`` its number in ``source``. ``left_out`` names the secrets."""

    fingerprint: str
    title: str
    report: CrashReport
    around: str
    source: str
    place: str
    left_out: str


@dataclass(frozen=True, slots=True)
class Sighting:
    """A report was seen in a text, as the ``index``-th of its kind there: that counts once, in however many runs it is read."""

    source: str
    report: str
    index: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A crash, ``times`` reported, and what came of it; None where nobody has answered yet. ``file`` is the name of its test."""

    crash: Reported
    times: int
    answer: Answer | None
    file: str
    written: bool


class Ledger:
    """Open from :meth:`open` to :meth:`close`, for one process alone. Every method raises EnvironmentProblem where the file cannot
    be read or written; then nothing of the change is done."""

    def __init__(self, path: str, connection: sqlite3.Connection, lock: int) -> None:
        self._path = path
        self._connection = connection
        self._lock = lock

    @classmethod
    def open(cls, path: str) -> Ledger:
        """The database at ``path``, made where there is none. Raises UsageError where another batch works with it, or it is no
        database of ours."""
        lock = _locked(path)
        try:
            connection = sqlite3.connect(path, isolation_level=None)
            ledger = cls(path, connection, lock)
            with ledger._problems():
                ledger._prepare()
        except BaseException:
            os.close(lock)
            raise
        return ledger

    def close(self) -> None:
        """Let others have it."""
        self._connection.close()
        os.close(self._lock)

    def add(self, crashes: Iterable[tuple[Reported, float, int]], sightings: Iterable[Sighting]) -> None:
        """The crashes of one text, each with its time and its number there, and where they were seen."""
        rows = [
            (
                one.fingerprint,
                one.title,
                json.dumps(to_json(one.report)),
                one.around,
                one.source,
                one.place,
                one.left_out,
                changed,
                number,
            )
            for one, changed, number in crashes
        ]
        with self._transaction():
            self._connection.executemany(_KEEP_THE_NEWEST, rows)
            self._connection.executemany(
                "INSERT OR IGNORE INTO sightings VALUES (?, ?, ?, ?)",
                ((one.source, one.report, one.index, one.fingerprint) for one in sightings),
            )

    def forget_failures(self) -> None:
        """All but what was reproduced is to be tried again."""
        with self._transaction():
            self._connection.execute(
                "UPDATE crashes SET answer = NULL WHERE json_extract(answer, '$.verdict') != 'reproduced' AND written"
            )

    def answer(self, fingerprint: str, answer: Answer, file: str) -> None:
        """What came of it. ``file``: the name of its test, "" where there is none."""
        with self._transaction():
            self._connection.execute(
                "UPDATE crashes SET answer = ?, file = ?, written = ? WHERE fingerprint = ?",
                (json.dumps(to_json(answer)), file, not file, fingerprint),
            )

    def wrote(self, fingerprint: str) -> None:
        """Its file is there."""
        with self._transaction():
            self._connection.execute("UPDATE crashes SET written = 1 WHERE fingerprint = ?", (fingerprint,))

    def entries(self) -> list[Entry]:
        """All crashes: those that were reported most first, of these the last ones first."""
        with self._problems():
            return [_entry(*row) for row in self._connection.execute(_NEWEST_FIRST)]

    def _prepare(self) -> None:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if (application, version) == (_APPLICATION, _VERSION) and tables:
            return
        if tables or application:
            raise UsageError(f"{self._path} is a database, but none of this crashwright's.", "Name another file with --database.")
        self._connection.execute("PRAGMA journal_mode = WAL")
        with self._transaction():
            for statement in filter(str.strip, _TABLES.split(";")):
                self._connection.execute(statement)
            self._connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            self._connection.execute(f"PRAGMA user_version = {_VERSION}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._problems():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _problems(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            advice = "What was answered before is kept: make room, and run the same command again."
            raise EnvironmentProblem(f"{self._path}: {error}.", advice) from None
        except (sqlite3.DatabaseError, ValueError) as error:
            raise UsageError(f"{self._path}: {error}.", "Name another file with --database.") from None


def _entry(*row: object) -> Entry:
    fingerprint, title, report, around, source, place, left_out = map(str, row[:7])
    times, answer, file, written = row[7:]
    crash = Reported(fingerprint, title, from_json(CrashReport, json.loads(report)), around, source, place, left_out)
    known = None if answer is None else from_json(Answer, json.loads(str(answer)))
    return Entry(crash, int(str(times)), known, str(file), bool(written))


def _locked(path: str) -> int:
    """The file, held for this process: however that ends, it is free again."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise EnvironmentProblem(
            f"{path} cannot be written to: {error.strerror}.", "Name a file elsewhere with --database."
        ) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        advice = "Wait for its end, or name another file with --database."
        raise UsageError(f"Another batch works with {Path(path)}.", advice) from None
    return descriptor
