"""Where the experiments keep their rows: one SQLite file, each row committed as it comes, so that a killed script loses only the
runs under way, and goes on where it was. The key of a row names the program, so that another state of it makes its own rows.
"""

from __future__ import annotations

import dataclasses
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from benchmarks.comparison.provenance import Invocation

Scalar = str | int | float | None
Column = tuple[Callable[[Any], Scalar], Callable[[Any], object]]
"""To what is written, and back."""


class Fields(Protocol):
    """A data class."""

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]


class Keyed(Fields, Protocol):
    """A data class whose first field is its ``key``."""

    @property
    def key(self) -> Any: ...


K = TypeVar("K", bound=Fields)
R = TypeVar("R", bound=Keyed)


def _names(columns: Iterable[str]) -> str:
    """Quoted: ``commit`` is a word of SQL."""
    return ", ".join(f'"{column}"' for column in columns)


def _places(columns: Iterable[str]) -> str:
    return ", ".join("?" for _ in columns)


@dataclass(frozen=True, slots=True)
class Form(Generic[K, R]):
    """How the rows of a kind are written: in which ``table``, and which ``columns`` otherwise than as they are."""

    key: type[K]
    row: type[R]
    columns: Mapping[str, Column] = field(default_factory=dict)
    table: str = "runs"

    @property
    def key_fields(self) -> tuple[str, ...]:
        """The columns that tell rows apart."""
        return tuple(one.name for one in dataclasses.fields(self.key))

    @property
    def fields(self) -> tuple[str, ...]:
        """All columns."""
        return (*self.key_fields, *(one.name for one in dataclasses.fields(self.row) if one.name != "key"))

    @property
    def needed(self) -> tuple[str, ...]:
        """Those without a default."""
        optional = {one.name for one in dataclasses.fields(self.row) if one.default is not dataclasses.MISSING}
        return tuple(name for name in self.fields if name not in optional)

    def flat(self, row: R) -> tuple[Scalar, ...]:
        """A row as plain values, in the order of ``fields``."""
        values = {name: getattr(row.key if name in self.key_fields else row, name) for name in self.fields}
        return tuple(self.columns[name][0](value) if name in self.columns else value for name, value in values.items())

    def unflat(self, values: Iterable[object]) -> R:
        """The row of ``flat``."""
        return self.of(self.fields, values)

    def of(self, fields: Iterable[str], values: Iterable[object]) -> R:
        """The row of these values; what is not among the ``fields`` has its default."""
        named = dict(zip(fields, values, strict=True))
        named |= {name: back(named[name]) for name, (_, back) in self.columns.items() if name in named}
        row: Callable[..., R] = self.row
        return row(self.key(**{name: named.pop(name) for name in self.key_fields}), **named)


class Store(Generic[K, R]):
    """The rows of one kind in one file, shared by the threads of one process."""

    def __init__(self, file: Path, form: Form[K, R]) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._form = form
        self._connection = sqlite3.connect(file, check_same_thread=False)
        self._lock = threading.Lock()
        keys = _names(form.key_fields)
        with self._connection:
            self._connection.execute(f"CREATE TABLE IF NOT EXISTS {form.table} ({_names(form.fields)}, PRIMARY KEY ({keys}))")
            self._connection.execute(f"CREATE TABLE IF NOT EXISTS invocations ({_names(Invocation.__slots__)})")
        found = self._connection.execute(f"SELECT {_names(form.fields)} FROM {form.table} ORDER BY rowid")
        self._rows: dict[K, R] = {row.key: row for row in map(form.unflat, found)}

    def get(self, key: K) -> R | None:
        """The row of ``key``, where that run was made."""
        with self._lock:
            return self._rows.get(key)

    def add(self, *rows: R) -> None:
        """Keep rows with different keys for good, in place of any others with their keys, as the latest. All at once: the disk is
        waited for at each commit."""
        fields = self._form.fields
        with self._lock:
            with self._connection:
                self._delete([row.key for row in rows])
                insert = f"INSERT INTO {self._form.table} ({_names(fields)}) VALUES ({_places(fields)})"
                self._connection.executemany(insert, map(self._form.flat, rows))
            for row in rows:
                self._rows.pop(row.key, None)
                self._rows[row.key] = row

    def rows(self, **wanted: object) -> list[R]:
        """In the order in which they came, those whose keys have these values."""
        with self._lock:
            rows = list(self._rows.values())
        return [row for row in rows if all(getattr(row.key, name) == value for name, value in wanted.items())]

    def forget(self, rows: Iterable[R]) -> None:
        """Drop these, so that the runs are made again."""
        keys = [row.key for row in rows]
        with self._lock:
            with self._connection:
                self._delete(keys)
            for key in keys:
                del self._rows[key]

    def _delete(self, keys: Iterable[K]) -> None:
        where = " AND ".join(f'"{name}" IS ?' for name in self._form.key_fields)  # IS: a part of a key may be None
        self._connection.executemany(f"DELETE FROM {self._form.table} WHERE {where}", map(dataclasses.astuple, keys))

    def note(self, one: Invocation) -> None:
        """Keep that a script was started."""
        with self._lock, self._connection:
            insert = f"INSERT INTO invocations VALUES ({_places(Invocation.__slots__)})"
            self._connection.execute(insert, dataclasses.astuple(one))

    def invocations(self, commit: str) -> list[Invocation]:
        """The starts of scripts on one commit."""
        with self._lock:
            found = [Invocation(*values) for values in self._connection.execute("SELECT * FROM invocations ORDER BY started")]
        return [one for one in found if one.commit == commit]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
