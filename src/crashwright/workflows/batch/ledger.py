"""The one file of a batch: which crashes were reported, how often, and what came of each.

A test is in the database before it is in its file: whoever opens the database again writes the files that are missing. Values of
reports have passed the filter for secrets before they come here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from crashwright.core.codec import from_json, to_json
from crashwright.core.report import CrashReport
from crashwright.workflows.batch.answer import Answer
from crashwright.workflows.places.database import Database, Schema

_SCHEMA = Schema(
    0x63726177,
    1,
    """
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
""",
    "batch",
)
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
class ReportedCrash:
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
class ReportSighting:
    """A report was seen in a text, as the ``index``-th of its kind there: that counts once, in however many runs it is read."""

    source: str
    report: str
    index: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A crash, ``times`` reported, and what came of it; None where nobody has answered yet. ``file`` is the name of its test."""

    crash: ReportedCrash
    times: int
    answer: Answer | None
    file: str
    written: bool


class Ledger:
    """The tables of a batch in a ``database``, whose errors are those of every method."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, path: str) -> Ledger:
        """That of the file ``path``, as :meth:`Database.open` opens it."""
        return cls(Database.open(path, _SCHEMA))

    def close(self) -> None:
        """Let others have it."""
        self._database.close()

    def add(self, crashes: Iterable[tuple[ReportedCrash, float, int]], sightings: Iterable[ReportSighting]) -> None:
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
        with self._database.change() as connection:
            connection.executemany(_KEEP_THE_NEWEST, rows)
            connection.executemany(
                "INSERT OR IGNORE INTO sightings VALUES (?, ?, ?, ?)",
                ((one.source, one.report, one.index, one.fingerprint) for one in sightings),
            )

    def forget_failures(self) -> None:
        """All but what was reproduced is to be tried again."""
        with self._database.change() as connection:
            connection.execute(
                "UPDATE crashes SET answer = NULL WHERE json_extract(answer, '$.verdict') != 'reproduced' AND written"
            )

    def answer(self, fingerprint: str, answer: Answer, file: str) -> None:
        """What came of it. ``file``: the name of its test, "" where there is none."""
        with self._database.change() as connection:
            connection.execute(
                "UPDATE crashes SET answer = ?, file = ?, written = ? WHERE fingerprint = ?",
                (json.dumps(to_json(answer)), file, not file, fingerprint),
            )

    def wrote(self, fingerprint: str) -> None:
        """Its file is there."""
        with self._database.change() as connection:
            connection.execute("UPDATE crashes SET written = 1 WHERE fingerprint = ?", (fingerprint,))

    def entries(self) -> list[LedgerEntry]:
        """All crashes: those that were reported most first, of these the last ones first."""
        return self._database.rows(_NEWEST_FIRST, _entry)


def _entry(*row: object) -> LedgerEntry:
    fingerprint, title, report, around, source, place, left_out = map(str, row[:7])
    times, answer, file, written = row[7:]
    crash = ReportedCrash(fingerprint, title, from_json(CrashReport, json.loads(report)), around, source, place, left_out)
    known = None if answer is None else from_json(Answer, json.loads(str(answer)))
    return LedgerEntry(crash, int(str(times)), known, str(file), bool(written))
