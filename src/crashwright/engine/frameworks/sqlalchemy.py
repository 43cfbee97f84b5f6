"""SQLAlchemy: mapped classes, declared or imperative (SQLModel's too), sessions of all kinds, and what statements ask for.

What is asked is heard by the event that each engine has before it runs a statement, whoever made that: sessions, lazy loads,
connections. Nothing of SQLAlchemy is imported that the subject has not imported.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from crashwright.engine.frameworks.store import ColumnCondition, Field, Opening, StoreQuestion, in_the_way
from crashwright.engine.subject.introspection import (
    class_module,
    class_name,
    instance_of,
    is_class,
    live_at,
    loaded_dict,
    loaded_module,
)

MOST = 60
"""Questions of one run that are kept."""
_COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "is_": "==", "is_not": "!=", "in_op": "in"}
"""What SQLAlchemy calls operators; those of ``like`` end alike."""
_NO_TABLE = ("OperationalError", "ProgrammingError")


def is_used() -> bool:
    """Whether the subject has loaded it."""
    return loaded_module("sqlalchemy.orm") is not None and loaded_module("sqlalchemy.event") is not None


def relate_models() -> None:
    """SQLAlchemy's classes get to know each other, as they do at their first use. If that were in a test, what it adds to them
    would be taken from them after it, and they would not get it again. Where it fails, which a fork finds out, it is left to the
    test that uses them."""
    configure: Any = loaded_dict("sqlalchemy.orm").get("configure_mappers")
    if configure is None:
        return
    child = os.fork()
    if not child:
        try:
            configure()
        except BaseException:  # noqa: BLE001 - whatever is wrong with the subject's models
            os._exit(1)
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        configure()


class SqlAlchemy:
    """See ``store.Store``. One a process: what it listens to is there to the end."""

    rows_save_themselves = False

    def __init__(self) -> None:
        self._asked: list[StoreQuestion] | None = None
        self._in_the_way: list[StoreQuestion] = []
        self._listens = False

    def begin(self) -> None:
        """From now on note what is asked."""
        if not self._listens:
            listen: Any = live_at("sqlalchemy.event", "listen")
            listen(live_at("sqlalchemy.engine", "Engine"), "before_execute", self._before)
            self._listens = True
        self._asked, self._in_the_way = [], []

    def begin_call(self) -> None:
        """See ``store.Store``."""
        self._in_the_way = []

    def end(self) -> Sequence[StoreQuestion]:
        """What was asked since, and what would have stood in the way."""
        asked, self._asked = self._asked or [], None
        return [*asked, *self._in_the_way]

    def _before(self, connection: Any, statement: Any, several: Any, parameters: Any, options: Any) -> None:  # noqa: ARG002
        if self._asked is None or len(self._asked) + len(self._in_the_way) >= MOST:
            return
        try:
            one = _question(connection.engine, statement, parameters or {})
            self._in_the_way += _stored(connection.engine, statement, next(iter(several or ()), parameters) or {})
        except Exception:  # noqa: BLE001 - a statement of a kind that is not known here; the subject goes on with it
            return
        if one is not None:
            self._asked.append(one)

    def fields(self, model: type) -> tuple[Field, ...]:
        """Those of a mapped class."""
        mapper: Any = getattr(model, "__mapper__", None)
        return () if mapper is None else tuple(_fields(mapper))

    def opening(self, value: object) -> Opening | None:
        """How a test stores rows with ``value``, if it can."""
        for module, name, opening in _OPENINGS:
            cls = live_at(module, name)
            if is_class(cls) and instance_of(value, cls):
                return opening
        return None

    def behind(self, value: object) -> object:
        """The engine that it works on."""
        try:
            return _engine_of(value)
        except Exception:  # noqa: BLE001 - a session without an engine, or of an application that is not there: no way in
            return None

    def address(self, store: object) -> str:
        """Of a file of SQLite in the current folder: to store rows in anything else would change what is not the test's."""
        url = getattr(store, "url", None)
        database = getattr(url, "database", None)
        if url is None or getattr(url, "drivername", "") not in ("sqlite", "sqlite+pysqlite") or type(database) is not str:
            return ""
        is_file = database not in ("", ":memory:") and not database.startswith(("file:", "/"))
        return str(url.render_as_string(hide_password=False)) if is_file else ""

    def lacks_tables(self, error: BaseException) -> bool:
        """Whether ``error`` is one of a database about a table."""
        return type(error).__name__ in _NO_TABLE and "table" in str(error)


_OPENINGS = (
    ("sqlalchemy.orm", "Session", Opening.SESSION),
    ("sqlalchemy.orm", "scoped_session", Opening.SESSION),
    ("sqlalchemy.orm", "sessionmaker", Opening.FACTORY),
    ("sqlalchemy.engine", "Engine", Opening.ENGINE),
)


def _engine_of(value: Any) -> object:
    if hasattr(value, "get_bind"):
        bind = value.get_bind()
        return bind.engine
    if isinstance(getattr(value, "kw", None), dict):
        return value.kw["bind"].engine
    return value.engine


def _question(engine: object, statement: Any, parameters: Mapping[str, object]) -> StoreQuestion | None:
    if not getattr(statement, "is_select", False) or not hasattr(statement, "whereclause"):
        return None
    models = _models()
    iterate: Any = live_at("sqlalchemy.sql.visitors", "iterate")
    tables = [part for source in statement.get_final_froms() for part in iterate(source) if part.__visit_name__ == "table"]
    found = dict.fromkeys(models[table] for table in map(_plain, tables) if table in models)
    where = statement.whereclause
    conditions = () if where is None else tuple(_conditions(where, parameters, models))
    return StoreQuestion(engine, tuple(found), conditions)


def _stored(engine: object, statement: Any, parameters: Mapping[str, object]) -> Iterator[StoreQuestion]:
    """What would stand in the way of what it inserts."""
    model: Any = _models().get(_plain(statement.table)) if getattr(statement, "is_insert", False) else None
    if model is None:
        return
    mapper, table = model.__mapper__, model.__mapper__.local_table
    said = {column.key: getattr(value, "value", None) for column, value in (getattr(statement, "_values", None) or {}).items()}
    values = {**said, **parameters}
    keys = {column: mapper.get_property_by_column(column).key for column in table.columns if column in mapper.columns.values()}
    given = {key: values.get(column.key) for column, key in keys.items()}
    sets = [tuple(keys[one] for one in columns if one in keys) for columns in _unique(table)]
    yield from in_the_way(engine, model, given, sets)


def _unique(table: Any) -> dict[tuple[Any, ...], None]:
    """The columns in which no two rows may be alike."""
    told = [one for one in table.constraints if one.__visit_name__ == "unique_constraint"]
    told += [one for one in table.indexes if one.unique]
    return dict.fromkeys((tuple(table.primary_key.columns), *sorted((tuple(one.columns) for one in told), key=str)))


def mapped_classes() -> list[type]:
    """All of them, those of one module by their names."""
    return sorted(_models().values(), key=lambda one: (class_module(one), class_name(one)))


def _models() -> dict[Any, type]:
    """The mapped classes by their tables."""
    registries: Callable[[], Any] | None = live_at("sqlalchemy.orm.mapperlib", "_all_registries")  # type: ignore[assignment]
    if registries is None:
        registries = live_at("sqlalchemy.orm.mapper", "_all_registries")  # type: ignore[assignment]
    found: dict[Any, type] = {}
    for registry in registries() if registries is not None else ():
        for mapper in _mappers(registry):
            found.setdefault(mapper.local_table, mapper.class_)
    return found


def _mappers(registry: Any) -> list[Any]:
    """Without the classes that were declared and not mapped: a test leaves one whose declaration failed."""
    try:
        return list(registry.mappers)
    except Exception:  # noqa: BLE001 - for one such class all are refused
        return [one.mapper for one in list(registry._managers) if one.is_mapped]


def _plain(table: Any) -> Any:
    """Without what the statement notes on it."""
    return table._deannotate() if hasattr(table, "_deannotate") else table


def _conditions(where: Any, parameters: Mapping[str, object], models: Mapping[Any, type]) -> Iterator[ColumnCondition]:
    """Those that make it true; of alternatives the first that says something."""
    kind = where.__visit_name__
    if kind in ("clauselist", "expression_clauselist"):
        parts = [list(_conditions(part, parameters, models)) for part in where.clauses]
        either = getattr(where.operator, "__name__", "") == "or_"
        yield from next((part for part in parts if part), []) if either else (one for part in parts for one in part)
    elif kind == "grouping":
        yield from _conditions(where.element, parameters, models)
    elif kind == "binary":
        yield from _compared(where, parameters, models)
    elif kind in ("column", "unary"):
        for model, column in _columns(where, models):
            yield ColumnCondition(model, column, "==", "not" not in str(getattr(where, "operator", "")))


def _compared(where: Any, parameters: Mapping[str, object], models: Mapping[Any, type]) -> Iterator[ColumnCondition]:
    name = getattr(where.operator, "__name__", "")
    operator = _COMPARED.get(name, "like" if "like" in name or "contains" in name or "startswith" in name else "")
    value = _value(where.right, parameters)
    left = list(_columns(where.left, models))
    if not operator or not value:
        return
    for model, column in left[:1]:
        yield ColumnCondition(model, column, operator, value[0])


def _columns(part: Any, models: Mapping[Any, type]) -> Iterator[tuple[type, str]]:
    iterate: Any = live_at("sqlalchemy.sql.visitors", "iterate")
    for one in iterate(part):
        if one.__visit_name__ == "column" and getattr(one, "table", None) is not None:
            table = _plain(one.table)
            table = table if table in models else _plain(getattr(table, "element", table))
            model: Any = models.get(table)
            column = None if model is None else table.c.get(one.key)
            if column is not None:
                yield model, model.__mapper__.get_property_by_column(column).key


def _value(part: Any, parameters: Mapping[str, object]) -> tuple[object] | None:
    kind = part.__visit_name__
    if kind == "null":
        return (None,)
    if kind in ("true", "false"):
        return (kind == "true",)
    if kind == "grouping":
        return _value(part.element, parameters)
    if kind == "bindparam":
        return (parameters.get(part.key, part.effective_value),)
    return None


def _fields(mapper: Any) -> Iterator[Field]:
    held: set[str] = set()
    for relation in mapper.relationships:
        if relation.direction.name != "MANYTOONE" or relation.viewonly:
            continue
        pairs = [(local, remote) for local, remote in relation.local_remote_pairs if local in mapper.columns.values()]
        target = relation.mapper
        columns = tuple(mapper.get_property_by_column(local).key for local, _ in pairs)
        remote = tuple(target.get_property_by_column(other).key for _, other in pairs)
        nullable = all(local.nullable for local, _ in pairs)
        held |= set(columns)
        yield Field(relation.key, target.class_, not nullable, nullable, columns, refers=target.class_, refers_to=remote)
    for attribute in mapper.column_attrs:
        column = attribute.columns[0]
        if attribute.key not in held and hasattr(column, "nullable"):
            yield _plain_field(attribute.key, column)


def _plain_field(name: str, column: Any) -> Field:
    kind = _python_type(column.type)
    given = column.default is not None or column.server_default is not None or getattr(column, "identity", None) is not None
    counted = column.primary_key and kind is int and not column.foreign_keys
    referred = next((key.column for key in column.foreign_keys), None)
    models = _models() if referred is not None else {}
    model: Any = models.get(referred.table) if referred is not None else None
    return Field(
        name,
        kind,
        not (given or counted or column.nullable),
        bool(column.nullable),
        (name,),
        members=_members(column.type),
        refers=model,
        refers_to=() if model is None or referred is None else (model.__mapper__.get_property_by_column(referred).key,),
        holds_key=model is not None,
        key=bool(column.primary_key),
        unique=bool(column.unique or column.primary_key),
    )


def _python_type(declared: Any) -> type | None:
    try:
        found = declared.python_type
    except NotImplementedError:
        return None
    return found if is_class(found) else None


def _members(declared: Any) -> tuple[object, ...]:
    cls = getattr(declared, "enum_class", None)
    if is_class(cls) and issubclass(cls, enum.Enum):
        return tuple(cls)
    return tuple(getattr(declared, "enums", ()) or ())
