"""What is stored and looked up, in the terms of no framework: the fields of a model, what code asks a store for, and the protocol
of what knows a framework's stores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol


class Field(NamedTuple):
    """A field of a model. ``columns`` are the names by which conditions speak of it: for a reference those of its key, else its
    own. ``required``: nothing is put there if it is not given. ``members`` are all values that it may have, if these are few."""

    name: str
    kind: type | None
    required: bool
    nullable: bool
    columns: tuple[str, ...]
    members: tuple[object, ...] = ()
    refers: type | None = None
    """The model of the object that it holds."""
    refers_to: tuple[str, ...] = ()
    """The fields of that model that its key is made of, in the order of ``columns``."""
    holds_key: bool = False
    """It holds the key of that object, not the object."""
    key: bool = False
    unique: bool = False


class ColumnCondition(NamedTuple):
    """What code asks of a column: ``operator`` is one of ``== != < <= > >= in like``; None is a value like others."""

    model: type
    column: str
    operator: str
    value: object


class StoreQuestion(NamedTuple):
    """One question to a store, which is known by its identity: for objects of ``models`` that fulfil the ``conditions``.
    ``in_the_way``: nobody asks for such an object, but the code stores one that no other may be like in those columns."""

    store: object
    models: tuple[type, ...]
    conditions: tuple[ColumnCondition, ...] = ()
    in_the_way: bool = False

    @property
    def columns(self) -> tuple[tuple[type, str], ...]:
        """Those that it has conditions for."""
        return tuple((one.model, one.column) for one in self.conditions)


def in_the_way(store: object, model: type, stored: Mapping[str, object], alone: Iterable[Sequence[str]]) -> Iterator[StoreQuestion]:
    """For an object with these values by column: one that is like it in the columns in which each has to be ``alone``."""
    for columns in alone:
        if columns and all(stored.get(column) is not None for column in columns):
            conditions = tuple(ColumnCondition(model, column, "==", stored[column]) for column in columns)
            yield StoreQuestion(store, (model,), conditions, in_the_way=True)


class Opening(Enum):
    """What something is to a test that stores rows with it."""

    SESSION = "session"
    FACTORY = "calls of it give sessions"
    ENGINE = "sessions are made of it"
    GIVER = "calls of it give an iterator, whose first item is a session"


class Store(Protocol):
    """Knows one framework. What it notes is noted between ``begin`` and ``end``."""

    rows_save_themselves: bool
    """By a method ``save``: no session is needed."""

    def begin(self) -> None:
        """From now on note what is asked, and what is stored."""

    def begin_call(self) -> None:
        """What was stored so far, the test stored itself."""

    def end(self) -> Sequence[StoreQuestion]:
        """What was asked since, and after it what would have stood in the way of what was stored."""

    def fields(self, model: type) -> tuple[Field, ...]:
        """Those of a model."""

    def opening(self, value: object) -> Opening | None:
        """How a test stores rows with ``value``, if it can."""

    def behind(self, value: object) -> object:
        """The store that ``value`` leads to, None if that cannot be told."""

    def address(self, store: object) -> str:
        """By which another way to ``store`` is made, "" if there is none: it is in a file of the current folder."""

    def lacks_tables(self, error: BaseException) -> bool:
        """Whether ``error`` says that the tables are not there."""
