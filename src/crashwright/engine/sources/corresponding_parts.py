"""Tests whose parts agree: what a run complained of is put where it is looked for.

``report(["ann 8-16"], {"bob": 3})`` ends with ``KeyError: 'ann'`` before it comes anywhere: a word of one argument has to be a key
of another. By chance that is rare, and yet most code with a table in it needs it. The exception names the word, and so it is put
into the tables that the test passes, or given to an object by one of its other methods (what is asked for was registered first);
or its place is taken by what the test has elsewhere, or by what the code has in the tables that it looked into.

# Deviation: not in the papers, whose subjects seldom take such literals; near to input-to-state correspondence (REDQUEEN).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import chain, islice, zip_longest
from random import Random
from typing import NamedTuple, cast

from crashwright.engine.search.complaints import Complaint
from crashwright.engine.sources.state_lines import call_with
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.api.types import ClassHint, Hint, UnionHint, is_any
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import bound
from crashwright.engine.testcase.editing.substitution import in_places
from crashwright.engine.testcase.making.existing_parts import parts_of
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.nested_values import is_plain
from crashwright.engine.testcase.making.values import random_value
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Display, Literal, Statement, Value, Variable
from crashwright.engine.testcase.structure.documents import document_of, text_of
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import defined

MOST = 24
"""Tests that are made of one."""
LARGEST = 30
"""Items of a container that one is added to."""
DEEPEST = 3
"""Containers within containers."""
EACH = 3
"""Places in which one value takes the place of another."""
DRAWN, PLACES, METHODS = 3, 8, 8
"""Values drawn for a key; what takes a word's place; methods that may have to be called first."""
_ANY_VALUES: tuple[Value, ...] = (1, "a", Display("list", ()), Display("dict", ()))
"""For a key of which nothing is known, in a dict without others."""


class CorrespondingParts:
    """Of one search; ``quoted`` variables hold what the report shows, and keep it."""

    def __init__(self, factory: Factory, quoted: Container[Variable], rng: Random) -> None:
        self._factory = factory
        self._quoted = quoted
        self._rng = rng

    def tests(self, complaint: Complaint) -> list[TestCase]:
        """Different ones, of each of the three kinds in turn."""
        test = complaint.test
        found = {shape_of(test): test}
        if len(complaint.named) > 1:
            for one in islice(self._all_put(test, complaint.named), EACH * 2):
                found.setdefault(shape_of(one), one)
        for value in complaint.named:
            kinds = (
                self._put(test, value, complaint.near_raising.tables),
                self._replaced(test, value, (*complaint.accepted, *complaint.near_raising.offered)),
                self._given_first(test, value, complaint.ended_at),
            )
            for one in chain.from_iterable(zip_longest(*kinds)):
                if one is not None and one.is_valid():
                    found.setdefault(shape_of(one), one)
                if len(found) > MOST:
                    break
        return [one for one in found.values() if one is not test]

    def _put(self, test: TestCase, value: Value, tables: Container[tuple[object, ...]]) -> Iterator[TestCase]:
        """Into each container of the test, the last ones first; but before them into those that look like one of ``tables``."""
        hints = _hints(test)
        found = [
            (lacks, _with(test, index, Literal(one.variable, whole)))
            for index, one in reversed(list(enumerate(test.statements)))
            if isinstance(one, Literal) and one.variable not in self._quoted
            for lacks, whole in _grown(one.value, value, hints.get(one.variable), _Around(self._drawn, tables))
        ]
        yield from (changed for _, changed in sorted(found, key=lambda pair: not pair[0]))

    def _all_put(self, test: TestCase, names: Sequence[Value]) -> Iterator[TestCase]:
        """As keys of one dict, the last ones first."""
        for index, one in reversed(list(enumerate(test.statements))):
            if isinstance(one, Literal) and one.variable not in self._quoted:
                for other in _ANY_VALUES[:2]:
                    for whole in _with_keys(one.value, names, other, DEEPEST):
                        yield _with(test, index, Literal(one.variable, whole))

    def _drawn(self, hint: Hint) -> Value:
        return random_value(self._rng, hint, self._factory.pool, 1)

    def _replaced(self, test: TestCase, value: Value, offered: Sequence[Value]) -> Iterator[TestCase]:
        """By what the code has in its tables, or a part of something else that the test passes."""
        wholes = [one.value for one in test.statements if isinstance(one, Literal)]
        own = (part for whole in wholes for part in parts_of(whole))
        parts = dict.fromkeys(part for part in (*offered, *own) if type(part) is type(value) and part != value)
        for part in islice(parts, PLACES):
            yield from islice(in_places(test, value, part), EACH)

    def _given_first(self, test: TestCase, value: Value, ended_at: int) -> Iterator[TestCase]:
        """To the object whose method raised, by another method that takes a name."""
        failed = test.statements[ended_at] if ended_at < len(test.statements) else None
        if not isinstance(failed, st.MethodCall):
            return
        before = test.statements[:ended_at]
        maker = next((one for one in before if defined(one) == failed.receiver), None)
        cls = None if maker is None else type_of(maker, self._factory.observed)
        methods = () if cls is None else self._factory.methods_of(cls)
        giving = [one for one in methods if one.kind is CalleeKind.METHOD and not one.private and one != failed.callee]
        for callee, name in islice(_taking(giving, value), METHODS):
            statements = list(before)
            call_with(self._factory, statements, callee, failed.receiver, self._rng, {name: value})
            yield TestCase((*statements, *test.statements[ended_at:]))


def _taking(methods: Sequence[Callee], value: Value) -> Iterator[tuple[Callee, str]]:
    """Methods with the first parameter of each that may be given ``value``."""
    kind = ClassHint(type(value))
    for callee in methods:
        fitting = (one.name for one in callee.parameters if one.required and (is_any(one.hint) or one.hint == kind))
        name = next(fitting, None)
        if name is not None:
            yield callee, name


class _Around(NamedTuple):
    drawn: Callable[[Hint], Value]
    tables: Container[tuple[object, ...]]


def _grown(whole: Value, value: Value, hint: Hint | None, around: _Around) -> Iterator[tuple[bool, Value]]:
    """See ``_with_item``; of a text that is a document, too."""
    document = document_of(whole) if type(whole) is str else None
    if isinstance(whole, Display):
        yield from _with_item(whole, value, hint, around, DEEPEST)
    elif document is not None:
        for lacks, changed in _with_item(document, value, None, around, DEEPEST):
            text = text_of(changed)
            if text is not None:
                yield lacks, text


def _with_item(whole: Display, value: Value, hint: Hint | None, around: _Around, depth: int) -> Iterator[tuple[bool, Display]]:
    """``whole``, or a container within it, with ``value`` as a key or an item of it, and whether that looks like a table."""
    arguments = _arguments(hint, whole.kind)
    if len(whole.items) >= LARGEST or whole.kind == "bytearray":
        return
    if whole.kind != "dict":
        yield False, whole._replace(items=(*whole.items, value))
    else:
        pairs = cast(tuple[tuple[Value, Value], ...], whole.items)
        lacks = tuple(key for key, _ in pairs) in around.tables
        for other in _values_like(whole, arguments[1] if len(arguments) == 2 else None, around.drawn):
            yield lacks, whole._replace(items=(*whole.items, (value, other)))
    for place, item in enumerate(whole.items if depth > 1 else ()):
        inner = cast(tuple[Value, Value], item)[1] if whole.kind == "dict" else item
        if isinstance(inner, Display):
            for lacks, changed in _with_item(inner, value, arguments[-1] if arguments else None, around, depth - 1):
                new = (cast(tuple[Value, Value], item)[0], changed) if whole.kind == "dict" else changed
                yield lacks, whole._replace(items=(*whole.items[:place], new, *whole.items[place + 1 :]))


def _with_keys(whole: Value, names: Sequence[Value], other: Value, depth: int) -> Iterator[Value]:
    """``whole``, or a dict within it, with ``names`` among its keys."""
    if not isinstance(whole, Display) or whole.kind == "bytearray":
        return
    if whole.kind == "dict":
        pairs = cast(tuple[tuple[Value, Value], ...], whole.items)
        held = {repr(key) for key, _ in pairs}
        more = tuple((name, other) for name in names if repr(name) not in held)
        if more and len(pairs) < LARGEST:
            yield whole._replace(items=(*pairs, *more))
    for place, item in enumerate(whole.items if depth > 1 else ()):
        inner = cast(tuple[Value, Value], item)[1] if whole.kind == "dict" else cast(Value, item)
        for changed in _with_keys(inner, names, other, depth - 1):
            new = (cast(tuple[Value, Value], item)[0], changed) if whole.kind == "dict" else changed
            yield whole._replace(items=(*whole.items[:place], new, *whole.items[place + 1 :]))


def _values_like(whole: Display, hint: Hint | None, drawn: Callable[[Hint], Value]) -> Iterator[Value]:
    """What a new key of a dict may have: what the last ones have, values of the type that is asked for, or any."""
    others = {repr(pair[1]): pair[1] for pair in cast(tuple[tuple[Value, Value], ...], whole.items[-2:])}
    yield from others.values()
    if hint is not None and not is_any(hint) and is_plain(hint):
        yield from (drawn(hint) for _ in range(DRAWN))
    else:
        yield from (value for value in _ANY_VALUES if repr(value) not in others)


def _arguments(hint: Hint | None, kind: str) -> tuple[Hint, ...]:
    """What a hint says of the items of a container."""
    if isinstance(hint, UnionHint):
        return next((found for one in hint.members if (found := _arguments(one, kind))), ())
    wanted = 2 if kind == "dict" else 1
    return hint.arguments if isinstance(hint, ClassHint) and len(hint.arguments) == wanted else ()


def _hints(test: TestCase) -> dict[Variable, Hint]:
    """What the parameters ask for that variables are passed for."""
    found: dict[Variable, Hint] = {}
    for statement in test.statements:
        if isinstance(statement, st.Call | st.MethodCall) and statement.callee is not None:
            arguments = statement.arguments
            for parameter, variable in bound(statement.callee, arguments.positional, arguments.keywords):
                found.setdefault(variable, parameter.hint)
    return found


def _with(test: TestCase, index: int, statement: Statement) -> TestCase:
    return TestCase((*test.statements[:index], statement, *test.statements[index + 1 :]))
