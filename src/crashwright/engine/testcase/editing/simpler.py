"""Simpler versions of one statement, boldest first: what the minimiser tries in place of it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import AnyStr

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.definitions.reduction import smaller_sources
from crashwright.engine.testcase.definitions.source import code_of, open_names
from crashwright.engine.testcase.editing.simpler_documents import simpler_documents
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Arguments, Display, Ref, Statement, Value

_EMPTY: dict[type, Value] = {str: "", bytes: b"", int: 0, float: 0.0, complex: 0j, bool: False}
_PLAIN = str.maketrans({character: "a" for character in map(chr, range(128)) if character.isalpha()})
_BLANKS = str.maketrans(dict.fromkeys("\t\v\f\x1c\x1d\x1e\x1f\x85\xa0", " "))
_ONES = str.maketrans(dict.fromkeys("023456789", "1"))
"""Not zeros: there is no month, day or year 0, and what refuses it may not be what crashed."""

_OPTION = re.compile(r"-[a-zA-Z]|--[a-zA-Z][\w-]+")
MOMENTS = ("2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:00+00:00")
"""A date or time becomes one of these, or stays: cut anywhere, or with all its digits alike, nobody would have written it."""


def simpler_statements(statement: Statement) -> Iterator[Statement]:
    """Versions of the statement with simpler values or fewer arguments; the variable stays."""
    match statement:
        case st.Literal(variable, value):
            for simpler in simpler_values(value):
                yield st.Literal(variable, simpler)
        case st.Call() | st.MethodCall() | st.CallValue():
            for arguments in _simpler_arguments(statement.arguments):
                yield statement._replace(arguments=arguments)
        case st.StubCallable(result=result):
            if statement.raises is None and result is not None:
                yield statement._replace(result=None)
            for simpler in simpler_values(result):
                yield statement._replace(result=simpler)
        case st.StubClass():
            for members in _simpler_members(statement.members):
                yield statement._replace(members=members)
        case st.Definition():
            yield from _simpler_definitions(statement)
        case st.FileFixture():
            for content in simpler_values(statement.content):
                if isinstance(content, str | bytes):
                    yield statement._replace(content=content)
        case st.Ambient():
            for content in simpler_values(statement.content):
                if type(content) is str or (isinstance(content, Display) and all(type(item) is str for item in content.items)):
                    yield statement._replace(content=content)
        case st.Within() if statement.error is not None:
            yield statement._replace(error=None)
        case st.Within(content=Display() as content):
            for fewer in simpler_values(content):
                yield statement._replace(content=fewer)
        case st.Iterate() if statement.limit is not None:
            yield statement._replace(limit=None)


def _simpler_definitions(statement: st.Definition) -> Iterator[Statement]:
    for source in smaller_sources(statement.source):
        try:
            code_of(source, "")
        except ValueError:
            continue  # a ``return`` without its function, an ``await`` without its loop
        needed = open_names(source)
        yield statement._replace(source=source, names=tuple([one for one in statement.names if one[0] in needed]))


def simpler_values(value: Value) -> Iterator[Value]:
    """Values of the same type that are simpler; where there is none, nothing. None itself is as simple as can be."""
    kind = type(value)
    if kind in _EMPTY:
        if repr(value) != repr(_EMPTY[kind]):
            yield _EMPTY[kind]
        yield from _SIMPLER[kind](value)
    elif isinstance(value, Display):
        yield from _displays(value)


def _ints(value: int) -> Iterator[Value]:
    if value < 0:
        yield -value
    size = abs(value)
    sign = 1 if value > 0 else -1
    for smaller in (1, 2, 10):
        if size > smaller:
            yield sign * smaller
    if size > 100 and size != 10 ** (len(str(size)) - 1):
        yield sign * 10 ** (len(str(size)) - 1)
    step = size // 2
    while step:
        yield sign * (size - step)
        step //= 2


def _floats(value: float) -> Iterator[Value]:
    if not math.isfinite(value):
        return
    if value != 1.0 and abs(value) > 1.0:
        yield 1.0
    for digits in (0, 1, 2):
        rounded = round(value, digits)
        if repr(rounded) != repr(value) and len(repr(rounded)) < len(repr(value)):
            yield rounded
    if abs(value) > 4:
        yield value / 2


def _complexes(value: complex) -> Iterator[Value]:
    if value.real and value.imag:
        yield complex(value.real, 0.0)
        yield complex(0.0, value.imag)


def _texts(value: str) -> Iterator[Value]:
    if value not in ("", "a"):
        yield "a"
    if _OPTION.fullmatch(value):
        return  # a program would take a shorter one too, but nobody writes it
    documents = simpler_documents(value)
    if documents is not None:
        yield from documents
        return
    if _is_moment(value):
        yield from MOMENTS[: MOMENTS.index(value) if value in MOMENTS else None]
        return
    yield from _lines(value)
    yield from _slices(value)
    if not value.isascii():
        yield value.encode("ascii", "ignore").decode("ascii")
    for plain in (value.translate(_PLAIN), value.lower(), value.translate(_ONES)):
        if plain != value:
            yield plain
    spaced = value.replace("\r\n", "\n").replace("\r", "\n").translate(_BLANKS)
    if spaced != value:
        yield spaced


def _is_moment(value: str) -> bool:
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return "-" in value  # digits alone are a number, too


def _lines(value: str) -> Iterator[Value]:
    lines = value.split("\n")
    size = len(lines) // 2
    while size and len(lines) > 2:
        for start in range(0, len(lines), size):
            yield "\n".join(lines[:start] + lines[start + size :])
        size //= 2


def _slices(value: AnyStr) -> Iterator[AnyStr]:
    """Delta debugging's complements: without the first half, the second, then quarters and so on."""
    size = max(1, len(value) // 2)
    while len(value) > 1:
        for start in range(0, len(value), size):
            yield value[:start] + value[start + size :]
        if size == 1:
            return
        size //= 2


def _blobs(value: bytes) -> Iterator[Value]:
    yield from _slices(value)
    if value != b"a" and value.strip(b"\0"):  # one byte is as short and plain as "a" is, to which the minimiser leads
        for place in range(min(len(value), 64)):
            if value[place]:
                yield value[:place] + b"\0" + value[place + 1 :]


def _none(_: object) -> Iterator[Value]:
    return iter(())


def _displays(value: Display) -> Iterator[Value]:
    kind, items = value
    if kind == "bytearray":
        for content in simpler_values(items[0]) if items else ():  # type: ignore[arg-type]
            yield Display(kind, (content,))
        return
    if items:
        yield Display(kind, ())
    size = len(items) // 2
    while size:
        for start in range(0, len(items), size):
            yield Display(kind, items[:start] + items[start + size :])
        size //= 2
    for place, item in enumerate(items):
        for simpler in _items(item):
            yield Display(kind, (*items[:place], simpler, *items[place + 1 :]))


def _items(item: object) -> Iterator[object]:
    if type(item) is tuple:
        key, value = item
        for simpler in _element(value):
            yield key, simpler
        for simpler in simpler_values(key):
            yield simpler, value
    else:
        yield from _element(item)  # type: ignore[arg-type]


def _element(value: Value) -> Iterator[Value]:
    if value is not None and type(value) is not Ref:
        yield None
    yield from simpler_values(value)


def _simpler_arguments(arguments: Arguments) -> Iterator[Arguments]:
    positional, keywords = arguments.positional, arguments.keywords
    if positional or keywords:
        yield NO_ARGUMENTS
    if arguments.star is not None or arguments.double_star is not None:
        yield Arguments(positional, keywords)
    if len(keywords) > 1:
        yield arguments._replace(keywords=())
    for place in range(len(keywords)):
        yield arguments._replace(keywords=keywords[:place] + keywords[place + 1 :])
    if positional:
        yield arguments._replace(positional=positional[:-1])


def _simpler_members(members: tuple[tuple[str, str, Value], ...]) -> Iterator[tuple[tuple[str, str, Value], ...]]:
    for place, (name, kind, value) in enumerate(members):
        yield members[:place] + members[place + 1 :]
        for simpler in _element(value):
            yield (*members[:place], (name, kind, simpler), *members[place + 1 :])


_SIMPLER: dict[type, Callable[..., Iterator[Value]]] = {
    str: _texts,
    bytes: _blobs,
    int: _ints,
    float: _floats,
    complex: _complexes,
    bool: _none,
}
