"""sqlite3 of the standard library, under whatever wraps it: what statements ask for, and the tables as they were created.

While it notes, the function that connects is one that has the statements of each connection traced, with their values in them.
Tables that a run created are created again in a database of our own, which says what their columns are.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FrameType, FunctionType
from typing import Any

from crashwright.core.location import CodeKey
from crashwright.engine.frameworks.sql_questions import SqlQuestion, created, questions, stored
from crashwright.engine.frameworks.store import ColumnCondition, Field, Opening, StoreQuestion, in_the_way
from crashwright.engine.subject.introspection import class_name, instance_of, is_class, live_at, loaded_dict, loaded_module

MOST = 60
"""Questions of one run that are kept."""
_MOST_STATEMENTS = 400
_MODULES = ("sqlite3", "sqlite3.dbapi2")
_CHECK = r"check\s*\(\s*[\"`\[]?{name}[\"`\]]?\s+in\s*\(([^)]*)\)"
_TEXT = re.compile(r"'((?:[^']|'')*)'")
_DAY, _MOMENT = "2026-01-15", "2026-01-15 12:00:00"
_AFFINITIES: tuple[tuple[str, type, tuple[object, ...]], ...] = (
    ("INT", int, ()),
    ("BOOL", int, (0, 1)),
    ("TIME", str, (_MOMENT,)),
    ("DATE", str, (_DAY,)),
    ("CHAR", str, ()),
    ("TEXT", str, ()),
    ("CLOB", str, ()),
    ("REAL", float, ()),
    ("FLOA", float, ()),
    ("DOUB", float, ()),
    ("NUM", float, ()),
    ("DEC", float, ()),
    ("BLOB", bytes, ()),
)
"""What a column of a declared type holds; the first that is a part of its name."""


def is_used() -> bool:
    """Whether the subject has loaded it."""
    return loaded_module("sqlite3") is not None


class SqliteDatabase:
    """Known by its identity. ``address`` as the code has it; "" where it is in memory."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.opener: CodeKey | None = None
        """The function that connects to it, which gets the address as an argument."""


class Sqlite:
    """See ``store.Store``."""

    rows_save_themselves = False

    def __init__(self) -> None:
        self._statements: list[tuple[SqliteDatabase, str]] | None = None
        self._connections: list[tuple[object, SqliteDatabase]] = []
        self._files: dict[str, SqliteDatabase] = {}
        self._replaced: list[tuple[dict[str, Any], Any]] = []
        self._models: dict[str, type] = {}
        self._fields: dict[type, tuple[Field, ...]] = {}
        self._alone: dict[type, tuple[tuple[str, ...], ...]] = {}
        self._by_test = 0
        """How many of the statements are the test's own."""
        self.created: dict[str, str] = {}
        """The statement that created each table."""

    def begin(self) -> None:
        """From now on note what is asked."""
        self._statements, self._by_test = [], 0
        for name in _MODULES:
            held: dict[str, Any] = loaded_dict(name)
            if "connect" in held:
                self._replaced.append((held, held["connect"]))
                held["connect"] = self._connecting(held["connect"])

    def begin_call(self) -> None:
        """See ``store.Store``."""
        self._by_test = len(self._statements or ())

    def end(self) -> Sequence[StoreQuestion]:
        """What was asked since, and what would have stood in the way."""
        statements, self._statements = self._statements or [], None
        while self._replaced:
            held, connect = self._replaced.pop()
            held["connect"] = connect
        self._connections.clear()
        for _, statement in statements:
            for name, text in created(statement):
                self.created.setdefault(name, text)
                self._models.setdefault(name, type(name, (), {}))
        found = (self._asked(database, one) for database, statement in statements for one in questions(statement))
        asked = [one for one in found if one is not None][:MOST]
        return [*asked, *(one for place in statements[self._by_test :] for one in self._in_the_way(*place))]

    def _in_the_way(self, database: SqliteDatabase, statement: str) -> Iterator[StoreQuestion]:
        table, columns, values = stored(statement) or ("", (), ())
        model = self._model(table)
        if model is None:
            return
        fields = self.fields(model)
        given = dict(zip(columns or [field.name for field in fields], values, strict=False))
        yield from in_the_way(database, model, given, self._alone[model])

    def _connecting(self, connect: Callable[..., Any]) -> Callable[..., Any]:
        def connecting(database: Any, *more: Any, **options: Any) -> Any:
            made = connect(database, *more, **options)
            if self._statements is not None:
                address = os.fsdecode(database)
                found = self._database(address)
                found.opener = found.opener or _opener(sys._getframe(1), address)
                self._connections.append((made, found))
                made.set_trace_callback(self._hearing(found))
            return made

        return connecting

    def _database(self, address: str) -> SqliteDatabase:
        in_memory = address in ("", ":memory:") or address.startswith("file:")
        return SqliteDatabase("") if in_memory else self._files.setdefault(address, SqliteDatabase(address))

    def _hearing(self, database: SqliteDatabase) -> Callable[[str], None]:
        def hear(statement: str) -> None:
            if self._statements is not None and len(self._statements) < _MOST_STATEMENTS:
                self._statements.append((database, statement))

        return hear

    def _asked(self, database: SqliteDatabase, one: SqlQuestion) -> StoreQuestion | None:
        models = {table: model for table in one.tables if (model := self._model(table)) is not None}
        if not models:
            return None
        conditions = []
        for table, column, operator, value in one.conditions:
            holding = [models[table]] if table in models else [] if table else list(models.values())
            model = next((each for each in holding if any(column in field.columns for field in self.fields(each))), None)
            if model is not None:
                conditions.append(ColumnCondition(model, column, operator, value))
        return StoreQuestion(database, tuple(models.values()), tuple(conditions))

    def _model(self, table: str) -> type | None:
        return next((model for name, model in self._models.items() if name.lower() == table.lower()), None)

    def fields(self, model: type) -> tuple[Field, ...]:
        """Those of the class that stands for a table: its columns."""
        if model not in self._fields:
            module: Any = loaded_module("sqlite3")
            own = module.connect(":memory:")
            for text in self.created.values():
                try:
                    own.execute(text)
                except module.Error:
                    continue  # it takes an extension: the columns of the others are known all the same
            self._fields[model] = tuple(self._columns(own, class_name(model)))
            self._alone[model] = tuple(_unique(own, class_name(model)))
            own.close()
        return self._fields[model]

    def _columns(self, own: Any, table: str) -> Iterator[Field]:
        quoted = _quoted(table)
        alone = {columns[0] for columns in _unique(own, table) if len(columns) == 1}
        referring = {row[3]: (row[2], row[4]) for row in own.execute(f"PRAGMA foreign_key_list({quoted})").fetchall()}
        for _, name, declared, not_null, default, key in own.execute(f"PRAGMA table_info({quoted})").fetchall():
            kind, members = _kind(declared)
            counted = bool(key) and declared.upper() == "INTEGER"
            other, column = referring.get(name, ("", None))
            model = self._model(other) if other else None
            yield Field(
                name,
                kind,
                bool(not_null or key) and default is None and not counted,
                not not_null and not key,
                (name,),
                members=self._checked(table, name) or members,
                refers=model,
                refers_to=() if model is None else (column or _key_of(own, other),),
                holds_key=model is not None,
                key=bool(key),
                unique=name in alone,
            )

    def _checked(self, table: str, column: str) -> tuple[str, ...]:
        """The texts that a constraint lets a column have."""
        found = re.search(_CHECK.format(name=re.escape(column)), self.created[table], re.IGNORECASE)
        return tuple(one.replace("''", "'") for one in _TEXT.findall(found[1])) if found else ()

    def opening(self, value: object) -> Opening | None:
        """A connection is all that a test needs."""
        connection = live_at("sqlite3", "Connection")
        return Opening.SESSION if is_class(connection) and instance_of(value, connection) else None

    def behind(self, value: object) -> object:
        """The database that a connection of this run leads to."""
        return next((database for connection, database in self._connections if connection is value), None)

    def address(self, store: object) -> str:
        """Of a file in the current folder."""
        address = store.address if isinstance(store, SqliteDatabase) else ""
        return "" if os.path.isabs(address) else address

    def opener(self, store: object) -> CodeKey | None:
        """The function of the project that makes connections to it, and returns them."""
        return store.opener if isinstance(store, SqliteDatabase) else None

    def lacks_tables(self, error: BaseException) -> bool:
        """Whether ``error`` says so."""
        return class_name(type(error)) == "OperationalError" and "no such table" in str(error)


def _opener(frame: FrameType | None, address: str) -> CodeKey | None:
    """The function that called us, if its annotation says that it returns the connection and its one argument is the address."""
    if frame is None:
        return None
    code = frame.f_code
    function = frame.f_globals.get(code.co_name)
    annotations: Mapping[str, object] = function.__annotations__ if type(function) is FunctionType else {}
    said = str(annotations.get("return", ""))
    given = [frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
    if "Connection" not in said or not given or str(given[0]) != address:
        return None
    return CodeKey(str(frame.f_globals.get("__name__")), code.co_qualname, code.co_firstlineno)


def _kind(declared: str) -> tuple[type, tuple[object, ...]]:
    return next(((kind, members) for part, kind, members in _AFFINITIES if part in declared.upper()), (str, ()))


def _key_of(own: Any, table: str) -> str:
    """What a reference that names no column refers to."""
    return next((str(row[1]) for row in own.execute(f"PRAGMA table_info({_quoted(table)})") if row[5]), "rowid")


def _unique(own: Any, table: str) -> Iterator[tuple[str, ...]]:
    """The columns in which no two rows may be alike: the key, and those of each index that says so."""
    key = [(row[5], row[1]) for row in own.execute(f"PRAGMA table_info({_quoted(table)})").fetchall() if row[5]]
    if key:
        yield tuple(name for _, name in sorted(key))
    for index in own.execute(f"PRAGMA index_list({_quoted(table)})").fetchall():
        columns = tuple(part[2] for part in own.execute(f"PRAGMA index_info({_quoted(index[1])})").fetchall())
        if index[2] and not index[4] and index[3] != "pk" and None not in columns:
            yield columns


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
