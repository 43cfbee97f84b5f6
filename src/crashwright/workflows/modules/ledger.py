"""The one file of many suites: which modules there are, and what came of each.

A suite is in the database before it is in its file: whoever opens the database again writes the files that are missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from crashwright.core.codec import from_json, to_json
from crashwright.workflows.generate.result import ModuleSuite
from crashwright.workflows.places.database import Database, Schema

_SCHEMA = Schema(
    0x63726173,
    1,
    """
CREATE TABLE modules (
    module TEXT PRIMARY KEY, question TEXT NOT NULL, suite TEXT, file TEXT NOT NULL DEFAULT '', before TEXT,
    written INTEGER NOT NULL DEFAULT 1
);
""",
    "generate",
)
_ENTER = """
INSERT INTO modules (module, question) VALUES (?, ?)
ON CONFLICT (module) DO UPDATE SET question = excluded.question, suite = NULL, file = '', written = 1
WHERE question != excluded.question
"""
_OPEN = "SELECT module, suite, file, before FROM modules WHERE written = 0"


@dataclass(frozen=True, slots=True)
class Unwritten:
    """A suite that is to stand in ``file``, which held ``before`` when it was made; None: there was no such file."""

    module: str
    suite: ModuleSuite
    file: str
    before: str | None


class ModuleLedger:
    """The table of suites in a ``database``, whose errors are those of every method."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, path: str) -> ModuleLedger:
        """That of the file ``path``, as :meth:`Database.open` opens it."""
        return cls(Database.open(path, _SCHEMA))

    def close(self) -> None:
        """Let others have it."""
        self._database.close()

    def enter(self, questions: Mapping[str, str]) -> None:
        """What is asked of each module: its answer to another question is forgotten."""
        with self._database.change() as connection:
            connection.executemany(_ENTER, questions.items())

    def forget(self, module: str) -> None:
        """It is to be tried again."""
        with self._database.change() as connection:
            connection.execute("UPDATE modules SET suite = NULL, file = '', written = 1 WHERE module = ?", (module,))

    def answer(self, module: str, suite: ModuleSuite, file: str, before: str | None) -> None:
        """What came of it. ``file`` is where its tests go, "" where there are none, and held ``before``."""
        with self._database.change() as connection:
            connection.execute(
                "UPDATE modules SET suite = ?, file = ?, before = ?, written = ? WHERE module = ?",
                (json.dumps(to_json(suite)), file, before, not file, module),
            )

    def wrote(self, module: str) -> None:
        """Its file is there."""
        with self._database.change() as connection:
            connection.execute("UPDATE modules SET written = 1, before = NULL WHERE module = ?", (module,))

    def suites(self) -> dict[str, ModuleSuite]:
        """The answers that there are."""
        return dict(self._database.rows("SELECT module, suite FROM modules WHERE suite IS NOT NULL", _named))

    def unwritten(self) -> list[Unwritten]:
        """The suites whose files are missing."""
        return self._database.rows(_OPEN, _unwritten)


def _named(module: str, suite: str) -> tuple[str, ModuleSuite]:
    return module, from_json(ModuleSuite, json.loads(suite))


def _unwritten(module: str, suite: str, file: str, before: str | None) -> Unwritten:
    return Unwritten(module, from_json(ModuleSuite, json.loads(suite)), file, before)
