"""Rows that answer what code asks its store for: objects of the models asked for that fulfil the conditions, with the objects that
they refer to; then the ways in which such rows differ in a real store.

# Deviation: none of the papers has a database; the state of their subjects is in objects. What is asked is answered as in
``sources.recording_runs``.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from crashwright.engine.frameworks.store import ColumnCondition, Field, StoreQuestion

MOST_ROWS = 8
"""In one test."""
MOST_VARIED = 40
"""Ways in which the rows of one test are varied."""
_DEEPEST = 3
"""Objects that refer to objects that refer to objects."""
Fields = Callable[[type], tuple[Field, ...]]


class StoredRow:
    """An object to be stored: ``given`` are values, or the rows that it refers to, by the names of fields. ``asked``: code looks
    for it; otherwise another row refers to it. ``held``: the variable of a test that has stored it already."""

    def __init__(self, model: type, asked: bool = False, held: int | None = None) -> None:
        self.model = model
        self.given: dict[str, object] = {}
        self.asked = asked
        self.held = held

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.given.items())
        return f"{self.model.__name__}({given})"


class Rows:
    """The rows of one test; those that others refer to come before them."""

    def __init__(self, fields: Fields, held: Sequence[StoredRow] = ()) -> None:
        self._fields = fields
        self._day: datetime.date | None = None
        self.all: list[StoredRow] = list(held)

    def answer(self, asked: Sequence[StoreQuestion]) -> None:
        """Add what fulfils the questions: one row may answer several."""
        values = [one.value for question in asked for one in question.conditions]
        self._day = next((one for one in values if isinstance(one, datetime.date)), None)
        for one in asked:
            for model in dict.fromkeys((*one.models, *(condition.model for condition in one.conditions))):
                own = [condition for condition in one.conditions if condition.model is model]
                self._answered(model, own)

    def fill(self, optional: bool = False, skipped: tuple[StoredRow, str] | None = None) -> None:
        """Give the rows what they need; with their ``optional`` fields too, but for one that is skipped."""
        for row in list(self.all):
            if row.held is None:
                self._fill(row, optional, skipped, 0)
        self._in_order()
        for row in self.all:
            if row.held is None:
                self._give_keys(row)

    def _answered(self, model: type, conditions: Sequence[ColumnCondition]) -> None:
        row = next((one for one in self.all if one.model is model and self._can_have(one, conditions)), None)
        if row is None:
            if len(self.all) >= MOST_ROWS:
                return
            row = StoredRow(model, asked=True)
            self.all.append(row)
        if row.held is not None:
            return
        row.asked = True
        for one in conditions:
            self._fulfil(row, one)

    def _can_have(self, row: StoredRow, conditions: Sequence[ColumnCondition]) -> bool:
        for one in conditions:
            field = self._field(row.model, one.column)
            if field is None or field.name not in row.given:
                continue
            value = row.given[field.name]
            if isinstance(value, StoredRow):
                value = value.given.get(field.refers_to[0]) if field.refers_to else None
            if not holds(value, one.operator, as_stored(field, one.value)):
                return False
        return True

    def _field(self, model: type, column: str) -> Field | None:
        return next((field for field in self._fields(model) if column in field.columns), None)

    def _fulfil(self, row: StoredRow, condition: ColumnCondition) -> None:
        field = self._field(row.model, condition.column)
        if field is None or field.name in row.given:
            return
        value = fulfilling(field, condition.operator, as_stored(field, condition.value))
        if field.refers is None or value is None:
            row.given[field.name] = value
            return
        place = field.columns.index(condition.column)
        row.given[field.name] = self._with_key(field.refers, field.refers_to[place], value)

    def _with_key(self, model: type, key: str, value: object) -> StoredRow:
        """The row of ``model`` with that key."""
        field = self._field(model, key)
        value = value if field is None else as_stored(field, value)
        rows = [one for one in self.all if one.model is model]
        found = next((one for one in rows if one.given.get(key, value) == value), None)
        if found is None:
            found = StoredRow(model)
            self.all.append(found)
        if found.held is None:
            found.given[key] = value
        return found

    def _fill(self, row: StoredRow, optional: bool, skipped: tuple[StoredRow, str] | None, depth: int) -> None:
        for field in self._fields(row.model):
            if field.name in row.given or (skipped is not None and skipped[0] is row and skipped[1] == field.name):
                continue
            if not field.required and (not optional or field.key):
                continue
            if field.refers is None:
                value = plain_value(field, self._day)
                if value is not None or field.required:
                    row.given[field.name] = value
            elif field.refers is not row.model and depth < _DEEPEST:
                row.given[field.name] = self._referred(field.refers, row, optional, skipped, depth)

    def _referred(
        self, model: type, row: StoredRow, optional: bool, skipped: tuple[StoredRow, str] | None, depth: int
    ) -> StoredRow:
        found = next((one for one in self.all if one.model is model and not _reaches(one, row)), None)
        if found is None:
            found = StoredRow(model)
            self.all.append(found)
            self._fill(found, optional, skipped, depth + 1)
        return found

    def _give_keys(self, row: StoredRow) -> None:
        """In fields that hold the key of an object in the place of it."""
        for field in self._fields(row.model):
            value = row.given.get(field.name)
            if field.holds_key and isinstance(value, StoredRow):
                number = 1 + [one for one in self.all if one.model is value.model].index(value)
                row.given[field.name] = value.given.setdefault(field.refers_to[0], number)

    def _in_order(self) -> None:
        placed: list[StoredRow] = []

        def place(row: StoredRow, above: tuple[StoredRow, ...]) -> None:
            if any(one is row for one in (*placed, *above)):
                return
            for value in row.given.values():
                if isinstance(value, StoredRow):
                    place(value, (*above, row))
            placed.append(row)

        for row in self.all:
            place(row, ())
        self.all = placed


def _reaches(row: StoredRow, other: StoredRow, above: tuple[StoredRow, ...] = ()) -> bool:
    """Rows may refer to each other in a circle without ``other``."""
    above = (*above, row)
    referred = [value for value in row.given.values() if isinstance(value, StoredRow)]
    return any(one is other or (all(one is not each for each in above) and _reaches(one, other, above)) for one in referred)


def varied(asked: Sequence[StoreQuestion], fields: Fields, held: Sequence[StoredRow] = ()) -> Iterator[list[StoredRow]]:
    """The rows that answer ``asked``, in the ways in which rows differ: only what is needed; everything; one optional field left
    out at a time; each member of an enumeration, truth and falsehood; two that are alike but for what has to be unique."""
    for count, rows in enumerate(_varied(asked, fields, held)):
        if count >= MOST_VARIED:
            return
        yield rows


def _varied(asked: Sequence[StoreQuestion], fields: Fields, held: Sequence[StoredRow]) -> Iterator[list[StoredRow]]:
    bare = _rows(asked, fields, held)
    yield bare.all
    full = _rows(asked, fields, held, optional=True)
    yield full.all
    for place, row in enumerate(bare.all):
        if row.asked:
            rows = _rows(asked, fields, held)
            yield [*rows.all, *_twins(rows.all[place], fields)]
    for place, row in enumerate(bare.all):
        for field in fields(row.model) if row.held is None else ():
            for value in _others(field, row.given.get(field.name)):
                rows = _rows(asked, fields, held)
                rows.all[place].given[field.name] = value
                yield rows.all
    for place, row in enumerate(full.all):
        for field in fields(row.model) if row.held is None else ():
            if field.name in row.given and not field.required and not _is_asked(field, row.model, asked):
                rows = _rows(asked, fields, held, optional=True)
                rows.all[place].given.pop(field.name, None)
                yield rows.all
    for place, row in enumerate(full.all):
        if row.asked:
            rows = _rows(asked, fields, held, optional=True)
            yield [*rows.all, *_twins(rows.all[place], fields)]


def _rows(asked: Sequence[StoreQuestion], fields: Fields, held: Sequence[StoredRow], optional: bool = False) -> Rows:
    rows = Rows(fields, held)
    rows.answer(asked)
    rows.fill(optional)
    return rows


def _is_asked(field: Field, model: type, asked: Sequence[StoreQuestion]) -> bool:
    return any(one.model is model and one.column in field.columns for question in asked for one in question.conditions)


def _twins(row: StoredRow, fields: Fields) -> Iterator[StoredRow]:
    """A row with the same values, but for those that no two may have; none if it could not be."""
    twin = StoredRow(row.model, row.asked)
    for field in fields(row.model):
        value = row.given.get(field.name)
        if field.name not in row.given or (field.key and not field.required):
            continue
        if field.unique:
            value = _another(value)
            if value is None:
                return
        twin.given[field.name] = value
    yield twin


def _another(value: object) -> object:
    if type(value) is str:
        return f"{value}2"
    if type(value) is int:
        return value + 1
    if isinstance(value, datetime.date):
        return value + datetime.timedelta(days=1)
    return uuid.UUID(int=value.int + 1) if isinstance(value, uuid.UUID) else None


def _others(field: Field, value: object) -> Iterator[object]:
    """Other telling values of a field with few."""
    if field.refers is not None or field.key:
        return
    if field.members:
        yield from (one for one in field.members if one is not value)
    elif field.kind is bool:
        yield not value
    elif field.kind in (int, float):
        yield 0 if value else 2


def plain_value(field: Field, day: datetime.date | None = None) -> object:
    """A value that is nothing special; None if there is none of such a type. ``day`` is one that the code asks for."""
    if day is not None and field.kind in (datetime.date, datetime.datetime):
        return _at(day, field.kind)
    if field.members:
        return field.members[0]
    if field.kind is None or field.kind is str:
        return field.name
    for kind, value in _PLAIN.items():
        if field.kind is kind:
            return value
    return next(iter(field.kind)) if issubclass(field.kind, enum.Enum) and len(field.kind) else None


def _at(day: datetime.date, kind: type | None) -> datetime.date:
    if kind is datetime.date:
        return datetime.date(day.year, day.month, day.day)
    return day if isinstance(day, datetime.datetime) else datetime.datetime(day.year, day.month, day.day, 12)


_PLAIN: dict[type, object] = {
    bool: False,
    int: 1,
    float: 1.5,
    bytes: b"x",
    dict: {},
    list: [],
    decimal.Decimal: decimal.Decimal("10.00"),
    datetime.date: datetime.date(2026, 1, 15),
    datetime.datetime: datetime.datetime(2026, 1, 15, 12, 0),
    datetime.time: datetime.time(12, 0),
    datetime.timedelta: datetime.timedelta(days=1),
    uuid.UUID: uuid.UUID(int=1),
}


def as_stored(field: Field, value: object) -> object:
    """A number that is asked for by its text, as sessions and paths have it, as the number that the database makes of it."""
    is_number = field.kind is int and type(value) is str and value.isascii() and value.isdigit()
    return int(str(value)) if is_number else value


def fulfilling(field: Field, operator: str, value: object) -> object:
    """A value of the field for which ``operator`` and ``value`` hold."""
    match operator:
        case "==" | "<=" | ">=":
            return value
        case "in":
            return next(iter(value), None) if isinstance(value, list | tuple | set | frozenset) else value
        case "like":
            return str(value).replace("%", "") or field.name
        case "<" | ">":
            return _beside(value, 1 if operator == ">" else -1)
    return _unlike(field, value)


def _unlike(field: Field, value: object) -> object:
    if type(value) is bool:
        return not value
    other = plain_value(field)
    if other == value:
        others = [one for one in field.members if one != value]
        other = others[0] if others else _another(value)
    return other


def _beside(value: Any, step: int) -> object:
    if isinstance(value, datetime.date):
        return value + datetime.timedelta(days=step)
    if isinstance(value, int | float | decimal.Decimal) and type(value) is not bool:
        return value + step
    return value


def holds(value: Any, operator: str, other: Any) -> bool:
    """Whether ``value`` fulfils a condition; one that nobody can compare does not."""
    try:
        match operator:
            case "==":
                return bool(value == other)
            case "!=":
                return bool(value != other)
            case "<":
                return bool(value < other)
            case "<=":
                return bool(value <= other)
            case ">":
                return bool(value > other)
            case ">=":
                return bool(value >= other)
            case "in":
                return value in other
    except TypeError:
        return False
    return str(other).replace("%", "") in str(value)
