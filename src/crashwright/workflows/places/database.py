"""A SQLite database with one writer, in which work of hours stands: whoever is killed loses what it was just working on and nothing
else. Each change is one transaction; the lock goes with the process, however that ends.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from crashwright.core.errors import EnvironmentProblem, UsageError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Schema:
    """What is in a kind of database, which ``application`` and ``version`` tell from others. ``worker`` is what the user calls
    that which works with it."""

    application: int
    version: int
    tables: str
    worker: str


class Database:
    """Open from :meth:`open` to :meth:`close`, for one process alone. Every method raises EnvironmentProblem where the file cannot
    be read or written; then nothing of the change is done."""

    def __init__(self, path: str, connection: sqlite3.Connection, lock: int) -> None:
        self._path = path
        self._connection = connection
        self._lock = lock

    @classmethod
    def open(cls, path: str, schema: Schema) -> Database:
        """The database at ``path``, made where there is none. Raises UsageError where another process works with it, or it is no
        database of this kind."""
        lock = _locked(path, schema.worker)
        try:
            connection = sqlite3.connect(path, isolation_level=None)
            database = cls(path, connection, lock)
            with database._problems():
                database._prepare(schema)
        except BaseException:
            os.close(lock)
            raise
        return database

    def close(self) -> None:
        """Let others have it."""
        self._connection.close()
        os.close(self._lock)

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """All that is done with the connection, or nothing of it."""
        with self._problems():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def rows(self, query: str, read: Callable[..., T], values: Sequence[str] = ()) -> list[T]:
        """What ``query`` finds, each row as ``read`` understands it: its ValueError is a damaged database."""
        with self._problems():
            return [read(*row) for row in self._connection.execute(query, values)]

    def _prepare(self, schema: Schema) -> None:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if (application, version) == (schema.application, schema.version) and tables:
            return
        if tables or application:
            raise UsageError(
                f"{self._path} is a database, but not of this crashwright version.", "Name another file with --database."
            )
        self._connection.execute("PRAGMA journal_mode = WAL")
        with self.change():
            for statement in filter(str.strip, schema.tables.split(";")):
                self._connection.execute(statement)
            self._connection.execute(f"PRAGMA application_id = {schema.application}")
            self._connection.execute(f"PRAGMA user_version = {schema.version}")

    @contextmanager
    def _problems(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            advice = "The results so far are stored: free some space, and run the same command again."
            raise EnvironmentProblem(f"{self._path}: {error}.", advice) from None
        except (sqlite3.DatabaseError, ValueError) as error:
            raise UsageError(f"{self._path}: {error}.", "Name another file with --database.") from None


def removed(path: str) -> None:
    """What was the database at ``path`` is of no use any more."""
    for name in (path, f"{path}-wal", f"{path}-shm"):
        Path(name).unlink(missing_ok=True)


def _locked(path: str, worker: str) -> int:
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
        raise UsageError(f"Another {worker} works with {Path(path)}.", advice) from None
    return descriptor
