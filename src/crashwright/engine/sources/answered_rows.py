"""Rows that the code looks for, stored through the very store that it uses: what a test's run asks of its database is noted, and
answered in front of the call. For crashes and for suites alike (``sources.stored_rows``).
"""

from __future__ import annotations

import datetime
import decimal
import enum
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, cast

from crashwright.engine.execution.executor import release
from crashwright.engine.frameworks.registry import context_of
from crashwright.engine.frameworks.sql_questions import if_needed, inserting
from crashwright.engine.frameworks.sqlite import Sqlite
from crashwright.engine.frameworks.store import Opening, Store, StoreQuestion
from crashwright.engine.frameworks.wanted_rows import StoredRow, varied
from crashwright.engine.frameworks.ways_in import CONNECTS, MAKES_ENGINE, AtAddress, StoreAccess, in_own_folder, ways_in
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.introspection import class_module, class_name, instance_dict, live_at, loaded_names
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.echoing.echo import as_value
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Arguments, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Workbench

BASES = 4
"""Tests that are answered each time."""
ROUNDS = 4
"""Of each: what finds its first row asks for the next."""


class _Look(NamedTuple):
    """Stands before the call in a run that notes what it asks."""

    variable: Variable


class _Noted(NamedTuple):
    """Of one run: what was asked of one store, the way to it from before the call, whether its tables are there, and what would
    have stood in the way of what it stored."""

    asked: tuple[StoreQuestion, ...]
    way: StoreAccess | AtAddress | None
    lacks_tables: bool
    in_the_way: tuple[StoreQuestion, ...] = ()
    held: tuple[StoredRow, ...] = ()
    """Rows that the test has stored itself."""


class SearchSoFar(Protocol):
    """What is asked of a search, whatever it looks for."""

    @property
    def factory(self) -> Factory: ...
    @property
    def meter(self) -> BudgetMeter: ...
    @property
    def bench(self) -> Workbench: ...
    @property
    def is_spent(self) -> bool: ...


class AnsweredRows:
    """For one store. ``entries`` are what a test calls last; ``collides``: what stands in the way of a row that is stored counts,
    too."""

    def __init__(
        self, store: Store, api: ApiModel, recorder: Recorder, entries: Iterable[object], collides: bool, so_far: SearchSoFar
    ) -> None:
        self._store = store
        self._api = api
        self._recorder = recorder
        self._so_far = so_far
        self._entries = frozenset(entries)
        self._modules = loaded_names(api.package)
        self._collides = collides
        self._functions = [one for module in self._modules for one in api.functions_in(module) if not one.private]

    def telling(self, bases: Iterable[TestCase]) -> Iterator[tuple[TestCase, _Noted]]:
        """Those that ask something, first those that ask what none before them does: a request that is signed in asks for who sends
        it, one that is not is sent away."""
        heard: set[frozenset[object]] = set()
        alike: list[tuple[TestCase, _Noted]] = []
        for base in bases:
            noted = None if self._so_far.is_spent else self._noted(base, _call(base, self._entries))
            if noted is None:
                continue
            asked = frozenset(_sort(one) for one in noted.asked)
            if asked not in heard:
                heard.add(asked)
                yield base, noted
            else:
                alike.append((base, noted))
        yield from alike[:BASES]

    def tests(self, base: TestCase, noted: _Noted) -> Iterator[TestCase]:
        """With all rows that it comes to ask for, in all their ways."""
        place = _call(base, self._entries)
        tables, asked = noted.lacks_tables, noted.asked
        # What the code stores depends on what is there (the next number): what stands in the way is what the last run stored.
        in_the_way = {one.columns: one for one in noted.in_the_way}
        for _ in range(ROUNDS):
            rows = next(varied((*asked, *in_the_way.values()), self._store.fields, noted.held), [])
            made = self._with(base, place, rows, noted, tables)
            if made is None:
                return
            if self._has_room(made):
                yield made  # what is asked next finds nothing
            again = self._noted(made, _call(made, self._entries))
            tables = tables or (again is not None and again.lacks_tables)
            new = (
                ()
                if again is None
                else tuple(one for one in again.asked if one.models and one[1:] not in [old[1:] for old in asked])
            )
            changed = {} if again is None else {one.columns: one for one in again.in_the_way if one not in in_the_way.values()}
            if not new and not changed:
                break
            asked = (*asked, *new)
            in_the_way |= changed
        for rows in varied((*asked, *in_the_way.values()), self._store.fields, noted.held):
            made = self._with(base, place, rows, noted, tables)
            if made is not None and self._has_room(made):
                yield made

    def _has_room(self, test: TestCase) -> bool:
        return self._so_far.factory.has_room(test.statements) and test.is_valid()

    def _noted(self, test: TestCase, place: int) -> _Noted | None:
        """What a run of it asks; None if nothing, or nothing that could be answered."""
        found: list[tuple[StoreAccess, object]] = []
        statements = (*test.statements[:place], cast(Statement, _Look(0)), *test.statements[place:])
        self._so_far.meter.spend()
        self._recorder.reset()
        self._store.begin()

        held: list[StoredRow] = []

        def look(env: dict[int, Any], _: object) -> None:
            found.extend(self._ways(env))
            held.extend(self._held(env))
            self._store.begin_call()

        outcome = self._so_far.bench.executor.run_with(TestCase(statements), {_Look: look})
        noted = [one for one in self._store.end() if one.models]
        asked = [one for one in noted if not one.in_the_way]
        in_the_way = [one for one in noted if one.in_the_way] if self._collides else []
        self._recorder.drop_wanted()
        lacks = outcome.error is not None and self._store.lacks_tables(outcome.error)
        way = self._way(found, asked + in_the_way)
        release(outcome)
        found.clear()
        if not (asked or in_the_way) or (way is None and not self._store.rows_save_themselves):
            return None
        return _Noted(tuple(asked), way, lacks, tuple(in_the_way), tuple(held))

    def _held(self, variables: Mapping[Variable, object]) -> Iterator[StoredRow]:
        """Objects that have saved themselves, such as the user who is signed in: another one with its key would take its place."""
        for variable, value in variables.items() if self._store.rows_save_themselves else ():
            fields, live = self._store.fields(type(value)), instance_dict(value)
            if fields:
                row = StoredRow(type(value), held=variable)
                row.given.update((one.name, live[one.columns[0]]) for one in fields if one.columns[0] in live)
                yield row

    def _ways(self, variables: Mapping[Variable, object]) -> list[tuple[StoreAccess, object]]:
        """From these variables, each with the store that it leads to; within applications that are among them, too."""
        found = [(way, self._store.behind(value)) for way, value in self._from(variables)]
        for variable, value in list(variables.items()):
            context = context_of(value)
            if context is not None:
                with context:
                    more = [(way._replace(within=variable), self._store.behind(one)) for way, one in self._from({})]
                found += more
        return found

    def _from(self, variables: Mapping[Variable, object]) -> list[tuple[StoreAccess, object]]:
        return list(ways_in(self._store, variables, self._modules, self._functions))

    def _way(self, found: Sequence[tuple[StoreAccess, object]], asked: Sequence[StoreQuestion]) -> StoreAccess | AtAddress | None:
        """To what was asked."""
        ways = [way for way, behind in found if behind is not None and any(behind is one.store for one in asked)]
        if ways:
            return min(ways, key=lambda one: list(Opening).index(one.opening))
        addresses = [address for one in asked if (address := self._store.address(one.store))]
        return AtAddress(addresses[0], self._makers(asked[0].store)) if addresses else None

    def _makers(self, store: object) -> tuple[Callee, ...]:
        """What leads from an address to a session: a function of the project, if it opens this store."""
        if not isinstance(self._store, Sqlite):
            return _making(self._api.constructor)
        opener = self._store.opener(store)
        own = self._api.callee_for(*opener) if opener is not None else ()
        usable = [one for one in own if not one.private and sum(each.required for each in one.parameters) == 1]
        module, _, name = CONNECTS.partition(":")
        return (usable[0] if usable else Callee(module, name, CalleeKind.FUNCTION, live=live_at(module, name)),)

    def _with(self, base: TestCase, place: int, rows: Sequence[StoredRow], noted: _Noted, tables: bool) -> TestCase | None:
        """``base`` with ``rows`` stored before its call."""
        new, way = self._so_far.factory.new, noted.way
        if isinstance(self._store, Sqlite) and way is not None:
            made: list[Statement] | None = self._inserted(rows, way, tables, new, self._store)
        else:
            made = self._saved(rows, new) if way is None else self._added(rows, way, tables or isinstance(way, AtAddress), new)
        if made is None:
            return None
        if way is not None and way.within is not None:
            context = st.MethodCall(new(), way.within, "app_context", st.NO_ARGUMENTS)
            enter, leave = (st.MethodCall(new(), context.variable, name, st.NO_ARGUMENTS) for name in ("push", "pop"))
            made = [context, enter, *made, leave]
        stored = TestCase((*base.statements[:place], *made, *base.statements[place:]))
        return in_own_folder(stored, apart=isinstance(way, AtAddress))

    def _saved(self, rows: Sequence[StoredRow], new: Callable[[], Variable]) -> list[Statement] | None:
        """Rows that save themselves."""
        made: list[Statement] = []
        variables: dict[int, Variable] = {}
        for row in rows:
            if row.held is not None:
                variables[id(row)] = row.held
                continue
            written = _row(row, variables, self._api.constructor, new)
            if written is None:
                return None
            variables[id(row)] = written[-1][0]
            made += [*written, st.MethodCall(new(), variables[id(row)], "save", st.NO_ARGUMENTS)]
        return made

    def _inserted(
        self, rows: Sequence[StoredRow], way: StoreAccess | AtAddress, tables: bool, new: Callable[[], Variable], store: Sqlite
    ) -> list[Statement]:
        """Rows that are written by SQL."""
        made = way.statements(new, None)
        connection = made[-1][0] if way.variable is None else way.variable
        bare = isinstance(way, AtAddress) and way.makers[0].address == CONNECTS
        needed = dict.fromkeys(class_name(row.model) for row in rows) if tables or bare else ()
        texts: list[tuple[str, tuple[Any, ...]]] = [(if_needed(store.created[name]), ()) for name in needed]
        texts += [inserting(class_name(row.model), row.given) for row in rows]
        for text, values in texts:
            given = [st.Literal(new(), text)]
            given += [st.Literal(new(), st.Display("tuple", values))] if values else []
            call = Arguments(tuple(one.variable for one in given))
            made += [*given, st.MethodCall(new(), connection, "execute", call)]
        return [*made, st.MethodCall(new(), connection, "commit", st.NO_ARGUMENTS)]

    def _added(
        self, rows: Sequence[StoredRow], way: StoreAccess | AtAddress, tables: bool, new: Callable[[], Variable]
    ) -> list[Statement] | None:
        """Rows that a session is given."""
        constructor = self._api.constructor
        made = way.statements(new, _making(constructor)[1])
        session = made[-1][0] if way.variable is None else way.variable
        if tables and rows:
            made += _tables(rows[0].model, session, constructor, new)
        variables: dict[int, Variable] = {}
        for row in rows:
            written = _row(row, variables, constructor, new)
            if written is None:
                return None
            made += written
            variables[id(row)] = written[-1][0]
        made += [st.MethodCall(new(), session, "add", Arguments((one,))) for one in variables.values()]
        return [*made, st.MethodCall(new(), session, "commit", st.NO_ARGUMENTS)]


def _sort(question: StoreQuestion) -> object:
    """What it asks for, whatever the values."""
    return question.models, tuple((one.column, one.operator) for one in question.conditions)


def _call(test: TestCase, entries: Collection[object]) -> int:
    """Where the call is that comes to the crash."""
    places = [
        place
        for place, one in enumerate(test.statements)
        if isinstance(one, st.Call | st.MethodCall | st.CallValue) and one.callee in entries
    ]
    return places[-1] if places else len(test.statements) - 1


def _making(constructor: Callable[[type], Callee]) -> tuple[Callee, Callee]:
    """What makes an engine, and a session of it."""
    make: Any = live_at("sqlalchemy", "create_engine")
    session: Any = live_at("sqlalchemy.orm", "Session")
    module, _, name = MAKES_ENGINE.partition(":")
    return Callee(module, name, CalleeKind.FUNCTION, live=make), constructor(session)


def _tables(model: type, session: Variable, constructor: Callable[[type], Callee], new: Callable[[], Variable]) -> list[Statement]:
    callee = constructor(model)
    named = st.Reference(new(), st.Named(callee.module, callee.qualname, model))
    metadata = st.GetAttribute(new(), named.variable, "metadata")
    engine = st.MethodCall(new(), session, "get_bind", st.NO_ARGUMENTS)
    return [named, metadata, engine, st.MethodCall(new(), metadata.variable, "create_all", Arguments((engine.variable,)))]


def _row(
    row: StoredRow, variables: dict[int, Variable], constructor: Callable[[type], Callee], new: Callable[[], Variable]
) -> list[Statement] | None:
    """The object, with what it is made of before it; None if a value cannot be written."""
    statements: list[Statement] = []
    keywords: list[tuple[str, Variable]] = []
    for name, value in row.given.items():
        if value is None:
            continue
        if isinstance(value, StoredRow):
            if id(value) not in variables:
                return None
            keywords.append((name, variables[id(value)]))
            continue
        written = written_value(value, constructor, new)
        if written is None:
            return None
        statements += written
        keywords.append((name, written[-1][0]))
    return [*statements, st.Call(new(), constructor(row.model), Arguments((), tuple(keywords)))]


_MADE: dict[type, Callable[..., tuple[object, ...]]] = {
    datetime.datetime: lambda one: (one.year, one.month, one.day, one.hour, one.minute),
    datetime.date: lambda one: (one.year, one.month, one.day),
    datetime.time: lambda one: (one.hour, one.minute),
    datetime.timedelta: lambda one: (one.days, one.seconds),
    decimal.Decimal: lambda one: (str(one),),
}
"""What values of the standard library are made of."""


def written_value(value: object, constructor: Callable[[type], Callee], new: Callable[[], Variable]) -> list[Statement] | None:
    """Statements whose last defines ``value``; None if there are none."""
    kind = type(value)
    if isinstance(value, enum.Enum):
        callee = constructor(kind)
        return [st.Reference(new(), st.Named(callee.module, f"{callee.qualname}.{value.name}", value))]
    if isinstance(value, uuid.UUID):
        literal = st.Literal(new(), value.int)
        return [literal, st.Call(new(), constructor(kind), Arguments((), (("int", literal.variable),)))]
    if kind in _MADE:
        literals = [st.Literal(new(), as_value(part)) for part in _MADE[kind](value)]
        return [*literals, st.Call(new(), constructor(kind), Arguments(tuple(one.variable for one in literals)))]
    if class_module(kind) != "builtins":
        return None
    try:
        return [st.Literal(new(), as_value(value))]
    except TypeError:
        return None
