"""One value of a test in place of another, wherever it stands: what turns ``KeyError: 0`` into the ``KeyError: 'zero'`` of a
report, and what was compared into what was wanted in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import islice
from keyword import iskeyword
from typing import cast

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.definitions.source import is_clear
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Display, Ref, Statement, Value, Variable
from crashwright.engine.testcase.testcase import TestCase

_MARK = re.compile(r"[^\w\n]+(?=\w|\n|$)|\n")
MOST_PLACES = 12
"""Statements that are changed one by one."""


def substituted(test: TestCase, old: Value, new: Value) -> Iterator[TestCase]:
    """``test`` with ``new`` for ``old``: everywhere, then in one statement after the other. Within a text it is the part that reads
    like the old value."""
    changed = [
        (index, other)
        for index, statement in enumerate(test.statements)
        if (other := _statement(statement, old, new)) is not None and not st.same(other, statement)
    ]
    if changed:
        yield _with(test, changed)
    if len(changed) > 1:
        for change in changed[-MOST_PLACES:]:
            yield _with(test, [change])


def in_places(test: TestCase, old: Value, new: Value) -> Iterator[TestCase]:
    """``test`` with ``new`` for ``old``: everywhere, then in one place after the other, the last ones first; of a text that has it
    twice, one or the other."""
    yield from islice(substituted(test, old, new), 1)
    for index, statement in reversed(list(enumerate(test.statements))):
        if isinstance(statement, st.Literal):
            for value in _once(statement.value, old, new):
                yield _with(test, [(index, st.Literal(statement.variable, value))])
        elif isinstance(statement, st.FileFixture) and isinstance(statement.content, str):
            for value in _once(statement.content, old, new):
                yield _with(test, [(index, statement._replace(content=cast(str, value)))])


def _once(value: Value, old: Value, new: Value) -> Iterator[Value]:
    if isinstance(value, Display):
        for place, item in reversed(list(enumerate(value.items))):
            pair = cast(tuple[Value, ...], item) if type(item) is tuple else None
            for part, one in enumerate(pair if pair is not None else (cast(Value, item),)):
                for other in _once(one, old, new):
                    changed = other if pair is None else (*pair[:part], other, *pair[part + 1 :])
                    yield value._replace(items=(*value.items[:place], changed, *value.items[place + 1 :]))
    elif st.same_value(value, old):
        yield new
    elif type(value) is str and type(old) is str and type(new) is str and old:
        start = value.rfind(old)
        while start >= 0:
            yield value[:start] + new + value[start + len(old) :]
            start = value.rfind(old, 0, start + len(old) - 1)


def inserted(test: TestCase, new: str) -> Iterator[TestCase]:
    """``test`` with ``new`` behind a mark, or at an end, of one of its texts, one place after the other, the last ones first."""
    for index, statement in reversed(list(enumerate(test.statements))):
        if isinstance(statement, st.Literal) and isinstance(statement.value, str):
            for text in islice(_inserted(statement.value, new), MOST_PLACES):
                yield _with(test, [(index, st.Literal(statement.variable, text))])
        elif isinstance(statement, st.FileFixture) and isinstance(statement.content, str):
            for text in islice(_inserted(statement.content, new), MOST_PLACES):
                yield _with(test, [(index, statement._replace(content=text))])


def _inserted(text: str, new: str) -> Iterator[str]:
    for place in dict.fromkeys((len(text), *reversed([match.end() for match in _MARK.finditer(text)]), 0)):
        yield text[:place] + new + text[place:]


def answered(test: TestCase, answers: Sequence[tuple[Value, Value]], most: int) -> list[TestCase]:
    """``test`` with what was compared replaced by what was wanted, for one pair of ``answers`` after the other, the latest first: a
    leaf deep in a literal is come by as soon as any other."""
    found: dict[int, TestCase] = {}
    for given, wanted in reversed(answers):
        for one in substituted(test, given, wanted):
            found.setdefault(shape_of(one), one)
            if len(found) == most:
                return [*found.values()]
    return [*found.values()]


def lessened(test: TestCase, kept: Container[Variable], most: int) -> list[TestCase]:
    """``test`` with None for one value within a literal, or without one key of a dict: the latest literals first, but those that
    are ``kept``. Code that asks whether something is there forgets that it may be None."""
    return _varied(test, kept, lambda value: _with_parts(value, None, leaves_out=True), most)


def with_part(test: TestCase, kept: Container[Variable], new: Value, most: int) -> list[TestCase]:
    """``test`` with ``new`` for one value within a literal, likewise."""
    return _varied(test, kept, lambda value: _with_parts(value, new), most)


def _varied(test: TestCase, kept: Container[Variable], vary: Callable[[Value], Iterator[Value]], most: int) -> list[TestCase]:
    places = [(place, one) for place, one in enumerate(test.statements) if isinstance(one, st.Literal) and one.variable not in kept]
    changed = (
        _with(test, [(place, st.Literal(literal.variable, value))])
        for place, literal in reversed(places)
        for value in vary(literal.value)
    )
    return list(islice(changed, most))


def _with_parts(value: Value, new: Value, leaves_out: bool = False) -> Iterator[Value]:
    if not isinstance(value, Display):
        return
    for place, item in enumerate(value.items):
        before, after = value.items[:place], value.items[place + 1 :]
        pair = cast(tuple[Value, Value], item) if value.kind == "dict" else None
        part = cast(Value, item) if pair is None else pair[1]
        for other in (*([] if st.same_value(part, new) else [new]), *_with_parts(part, new, leaves_out)):
            yield value._replace(items=(*before, other if pair is None else (pair[0], other), *after))
        if pair is not None and leaves_out:
            yield value._replace(items=(*before, *after))


def _with(test: TestCase, changes: list[tuple[int, Statement]]) -> TestCase:
    statements = list(test.statements)
    for index, statement in changes:
        statements[index] = statement
    return TestCase(tuple(statements))


def _statement(statement: Statement, old: Value, new: Value) -> Statement | None:
    if isinstance(statement, st.Literal):
        return st.Literal(statement.variable, _value(statement.value, old, new))
    if isinstance(statement, st.FileFixture) and isinstance(statement.content, str) and not isinstance(old, Display):
        return statement._replace(content=_text(statement.content, old, new))
    if isinstance(statement, st.Definition) and isinstance(old, str) and isinstance(new, str):
        return _renamed(statement, old, new)
    return None


def _renamed(statement: st.Definition, old: str, new: str) -> Statement | None:
    """A definition in which the name ``old`` is ``new``: types and attributes that a message quotes are names of the test."""
    if not (old.isidentifier() and new.isidentifier()) or iskeyword(new) or any(new == name for name, _ in statement.names):
        return None
    if any(old == name for name, _ in statement.names):
        return None
    source = re.sub(rf"\b{re.escape(old)}\b", new, statement.source)
    return statement._replace(source=source) if is_clear(source) else None


def _value(value: Value, old: Value, new: Value) -> Value:
    if isinstance(value, Display):
        if isinstance(old, Display) and repr(value) == repr(old):
            return new
        return Display(value.kind, tuple(_item(item, old, new) for item in value.items))
    if isinstance(value, Ref):
        return value
    if type(value) is type(old) and repr(value) == repr(old):
        return new
    if isinstance(value, bytes) and isinstance(old, bytes) and isinstance(new, bytes):
        return value.replace(old, new) if old else value
    return _text(value, old, new) if isinstance(value, str) and not isinstance(old, Display) else value


def _item(item: object, old: Value, new: Value) -> object:
    if type(item) is tuple:
        return tuple(_value(cast(Value, part), old, new) for part in item)
    return _value(cast(Value, item), old, new)


def _text(text: str, old: Value, new: Value) -> str:
    part = old if isinstance(old, str) else repr(old)
    return text.replace(part, new if isinstance(new, str) else repr(new)) if part else text
