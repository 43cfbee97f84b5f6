"""Functions in C that are given pieces of a text, or give some: one row for each, which looks at a call that was made.

What can be added to is a row. Those of functions that read data are in ``binary_calls``.
"""

from __future__ import annotations

import array
import re
import struct
from collections.abc import Callable, Mapping
from enum import EnumType
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType
from typing import Any

from crashwright.engine.instrument.comparison_log.binary_calls import (
    ARRAYS,
    FUNCTIONS,
    LAYOUTS,
    STREAMS,
    VIEWS,
    from_bytes,
    member,
)
from crashwright.engine.instrument.comparison_log.notes import ComparisonNotes
from crashwright.engine.instrument.comparison_log.numbers import BYTE, CODE, DECIMAL, DIGITS, Number
from crashwright.engine.instrument.comparison_log.origins import as_text, is_text
from crashwright.engine.instrument.comparison_log.rows import Arguments, Row
from crashwright.engine.instrument.comparison_log.wanted import Expression, Span
from crashwright.engine.subject.introspection import class_module, class_name, derives, identities, instance_of, is_module

MATCH: type = type(re.match("", ""))
_SPAN: Callable[[object], tuple[int, int]] = vars(MATCH)["span"]
_NAME: Callable[[object], str] = vars(BuiltinFunctionType)["__name__"].__get__
_UNBOUND_NAME: Callable[[object], str] = vars(MethodDescriptorType)["__name__"].__get__
_PATTERN = type(re.compile(""))
_BUILTIN = identities(BuiltinFunctionType, type(re.compile("").match))
"""Functions in C, and methods that are told which class has them."""


def _stripped(notes: ComparisonNotes, text: Any, _: Arguments, made: Any, __: int) -> None:
    notes.pieces(text, (made,))


def _split(notes: ComparisonNotes, text: Any, arguments: Arguments, made: Any, site: int) -> None:
    if type(made) is not list and type(made) is not tuple:
        return
    mark: Any = arguments[0] if arguments else None
    notes.pieces(text, made, len(mark) if type(made) is list and is_text(mark) else 0)
    if type(mark) is type(text) and (len(made) == 1 or (type(made) is tuple and not (made[0] and made[1]))) and mark not in text:
        _lacking(notes, text, mark, site)


def _lacking(notes: ComparisonNotes, text: Any, wanted: Any, site: int) -> None:
    """``wanted`` stands nowhere in ``text``."""
    span = notes.origins.place(text) if text else notes.origins.of(text)
    if span is not None:
        notes.want(Span(span.end, span.end), as_text(wanted), site)
        notes.want(Span(span.start, span.start), as_text(wanted), site)
    else:
        notes.word(wanted)


def _found(notes: ComparisonNotes, text: Any, arguments: Arguments, made: Any, site: int) -> None:
    wanted: Any = arguments[0] if arguments else None
    if type(wanted) is type(text) and (made in (-1, 0) or instance_of(made, ValueError)) and wanted not in text:
        start = arguments[1] if len(arguments) > 1 and type(arguments[1]) is int else 0
        span = notes.origins.place(text)
        if span is not None and start:
            notes.want(Span(span.start + start, span.start + start), as_text(wanted), site)
        _lacking(notes, text, wanted, site)


def _affix(notes: ComparisonNotes, text: Any, arguments: Arguments, _: Any, site: int, at_start: bool) -> None:
    wanted = arguments[0] if arguments else None
    span = notes.origins.place(text) if text else notes.origins.of(text)
    for one in wanted if type(wanted) is tuple else (wanted,):
        if not is_text(one):
            continue
        size = len(one)
        if span is None:
            notes.word(one)
        elif at_start:
            at = span.start + (arguments[1] if len(arguments) > 1 and type(arguments[1]) is int and arguments[1] >= 0 else 0)
            notes.want(Span(at, min(at + size, max(span.end, at))), as_text(one), site)
        else:
            notes.want(Span(max(span.start, span.end - size), span.end), as_text(one), site)


def _kind(notes: ComparisonNotes, text: Any, _: Arguments, made: Any, site: int, sample: str) -> None:
    if made is False:
        notes.want_text(text, sample, site)


def _likewise(notes: ComparisonNotes, text: Any, _: Arguments, made: Any, __: int) -> None:
    span = notes.origins.place(text)
    if span is not None:
        notes.origins.put(made, span)


def _joined(notes: ComparisonNotes, _: Any, arguments: Arguments, made: Any, __: int) -> None:
    parts = arguments[0] if arguments and (type(arguments[0]) is list or type(arguments[0]) is tuple) else ()
    spans = [span for span in map(notes.origins.of, parts) if span is not None]
    if spans:
        notes.origins.put(made, Span(spans[0].start, max(spans[-1].end, spans[0].end)))


def _is(sample: str) -> Row:
    return partial(_kind, sample=sample)


_TEXTS: Mapping[str, Row] = {
    **dict.fromkeys(("strip", "lstrip", "rstrip", "removeprefix", "removesuffix"), _stripped),
    **dict.fromkeys(("split", "rsplit", "splitlines", "partition", "rpartition"), _split),
    **dict.fromkeys(("find", "rfind", "index", "rindex", "count"), _found),
    **dict.fromkeys(("lower", "upper", "casefold", "swapcase", "title", "capitalize", "translate", "replace"), _likewise),
    **dict.fromkeys(("encode", "decode", "expandtabs", "hex"), _likewise),
    "startswith": partial(_affix, at_start=True),
    "endswith": partial(_affix, at_start=False),
    **dict.fromkeys(("isdigit", "isdecimal", "isnumeric", "isalnum"), _is("0")),
    **dict.fromkeys(("isalpha", "isidentifier", "islower"), _is("a")),
    "isupper": _is("A"),
    "isspace": _is(" "),
    "join": _joined,
}


def _matched(notes: ComparisonNotes, pattern: Any, arguments: Arguments, made: Any, site: int, keyed: bool) -> None:
    """``keyed``: it may be anywhere."""
    text: Any = arguments[0] if arguments else None
    if not is_text(text) or pattern is None:
        return
    span = notes.origins.place(text) if text else notes.origins.of(text)
    if span is None:
        return
    wanted = Expression(as_text(pattern.pattern), pattern.flags)
    if type(made) is MATCH:
        start, end = _SPAN(made)
        notes.want(Span(span.start + start, span.start + end), wanted, site)
        notes.origins.latest = span.start + end
        return
    given = arguments[1] if len(arguments) > 1 and type(arguments[1]) is int else 0
    start = span.start + max(0, min(given, len(text)))
    notes.want(Span(start, start), wanted, site)
    if keyed or not text:
        notes.want(Span(span.end, span.end), wanted, site)
    else:
        notes.want(Span(start, span.end), wanted, site)


def _divided(notes: ComparisonNotes, pattern: Any, arguments: Arguments, made: Any, site: int) -> None:
    """``split``, ``findall`` and their kin."""
    _matched(notes, pattern, arguments, None, site, True)
    if type(made) is list and arguments:
        notes.pieces(arguments[0], [one for one in made if is_text(one)])


def _replaced(notes: ComparisonNotes, pattern: Any, arguments: Arguments, _: Any, site: int) -> None:
    _matched(notes, pattern, arguments[1:2], None, site, True)


_PATTERNS: Mapping[str, Row] = {
    **dict.fromkeys(("match", "fullmatch"), partial(_matched, keyed=False)),
    **dict.fromkeys(("search", "finditer"), partial(_matched, keyed=True)),
    **dict.fromkeys(("split", "findall"), _divided),
    **dict.fromkeys(("sub", "subn"), _replaced),
}


def _groups(notes: ComparisonNotes, match: Any, arguments: Arguments, made: Any, _: int) -> None:
    if type(made) is tuple:
        for group, one in zip(arguments or range(1, len(made) + 1), made, strict=False):
            notes.group(match, group, one)
    elif type(made) is dict:
        for group, one in made.items():
            notes.group(match, group, one)
    elif is_text(made):
        notes.group(match, arguments[0] if arguments else 0, made)


_MATCHES: Mapping[str, Row] = dict.fromkeys(("group", "groups", "groupdict"), _groups)


def _looked_up(notes: ComparisonNotes, table: Any, arguments: Arguments, _: Any, site: int) -> None:
    if arguments and is_text(arguments[0]):
        notes.keys(arguments[0], table, site)
    elif arguments:
        notes.numbers(arguments[0], dict.keys(table), site)


_TABLES: Mapping[str, Row] = dict.fromkeys(("get", "pop", "setdefault"), _looked_up)


def _as_number(notes: ComparisonNotes, _: Any, arguments: Arguments, made: Any, site: int) -> None:
    text = arguments[0] if arguments else None
    if not is_text(text):
        return
    if instance_of(made, ValueError):
        notes.want_text(text, "1", site)
        return
    span = notes.origins.place(text)
    if span is not None:
        notes.origins.put_number(made, Number(span, DIGITS.get(arguments[1], DECIMAL) if len(arguments) > 1 else DECIMAL))


def _code(notes: ComparisonNotes, _: Any, arguments: Arguments, made: Any, __: int) -> None:
    span = notes.origins.place(arguments[0]) if arguments else None
    if span is not None and type(made) is int:
        notes.read(made, Number(span, CODE if type(arguments[0]) is str else BYTE))


def _character(notes: ComparisonNotes, _: Any, arguments: Arguments, made: Any, __: int) -> None:
    number = notes.origins.number(arguments[0]) if arguments else None
    if number is not None:
        notes.origins.put(made, number.span)


def _length(notes: ComparisonNotes, _: Any, arguments: Arguments, made: Any, __: int) -> None:
    if arguments and type(made) is int:
        notes.length(arguments[0], made)


def _copied(notes: ComparisonNotes, _: Any, arguments: Arguments, made: Any, __: int) -> None:
    if arguments and is_text(arguments[0]):
        _likewise(notes, arguments[0], (), made, 0)


def _attribute(notes: ComparisonNotes, _: Any, arguments: Arguments, __: Any, site: int) -> None:
    if len(arguments) > 1 and type(arguments[1]) is str:
        notes.attribute(arguments[0], arguments[1], site)


def _module_level(row: Row, flags: int) -> Row:
    """``re.match(pattern, text)``; ``flags`` is the number of its argument with those."""

    def looked(notes: ComparisonNotes, _: Any, arguments: Arguments, made: Any, site: int) -> None:
        if len(arguments) < 2:
            return
        pattern = arguments[0]
        if type(pattern) is str or type(pattern) is bytes:
            given = arguments[flags] if len(arguments) > flags else 0
            try:
                pattern = re.compile(pattern, given)
            except (re.error, TypeError, ValueError, RecursionError):
                return
        if type(pattern) is _PATTERN:
            row(notes, pattern, (arguments[1],) if row is not _replaced else (arguments[1], *arguments[2:3]), made, site)

    return looked


_FUNCTIONS: Mapping[int, Row] = {
    id(function): row
    for function, row in (
        (int, _as_number),
        (float, _as_number),
        (ord, _code),
        (chr, _character),
        (len, _length),
        (bytes, _copied),
        (bytearray, _copied),
        (str, _copied),
        (getattr, _attribute),
        (hasattr, _attribute),
        (memoryview, _copied),
        *FUNCTIONS,
        (re.match, _module_level(_PATTERNS["match"], 2)),
        (re.fullmatch, _module_level(_PATTERNS["match"], 2)),
        (re.search, _module_level(_PATTERNS["search"], 2)),
        (re.finditer, _module_level(_PATTERNS["search"], 2)),
        (re.findall, _module_level(_divided, 2)),
        (re.split, _module_level(_divided, 3)),
        (re.sub, _module_level(_replaced, 4)),
    )
}
_METHODS: Mapping[int, Mapping[str, Row]] = {
    id(array.array): ARRAYS,
    id(memoryview): {**VIEWS, "tobytes": _likewise},
    **dict.fromkeys(map(id, (str, bytes, bytearray)), _TEXTS),
    id(_PATTERN): _PATTERNS,
    id(MATCH): _MATCHES,
    id(dict): _TABLES,
    id(struct.Struct): LAYOUTS,
}
_STREAM_TYPES = frozenset(("StringIO", "BytesIO", "TextIOWrapper", "BufferedReader", "BufferedRandom", "FileIO"))


def is_stream(value: object) -> bool:
    """Of the standard library, of an exact type."""
    kind = type(value)
    return class_name(kind) in _STREAM_TYPES and class_module(kind) == "_io"


def followed(function: Any, notes: ComparisonNotes, site: int) -> Any:
    """``function``, or what calls it and has its row look at the call."""
    kind = type(function)
    if id(kind) in _BUILTIN:
        owner = function.__self__
        name = _NAME(function)
        row = _row_of(owner, name) if not is_module(owner) else _FUNCTIONS.get(id(function))
        if owner is int and name == "from_bytes":
            row = from_bytes
    elif kind is type or kind is FunctionType:
        row, owner = _FUNCTIONS.get(id(function)), None
        if row is None and kind is type and (derives(function, bytes) or derives(function, bytearray)):
            row = _copied
    elif derives(kind, EnumType):
        row, owner = member, function
    elif kind is MethodDescriptorType:
        return partial(_unbound, function, notes, site)
    else:
        return function
    return function if row is None or notes.is_full else partial(_called, function, row, owner, notes, site)


def _row_of(owner: Any, name: str) -> Row | None:
    kind = type(owner)
    rows = _METHODS.get(id(kind))
    if rows is None:
        if is_stream(owner):
            rows = STREAMS
        elif derives(kind, dict):
            rows = _TABLES
        elif is_text(owner):
            rows = _TEXTS
        else:
            return None
    return rows.get(name)


def _unbound(function: Any, notes: ComparisonNotes, site: int, *arguments: Any, **named: Any) -> Any:
    row = _row_of(arguments[0], _UNBOUND_NAME(function)) if arguments else None
    if row is None:
        return function(*arguments, **named)
    return _called(partial(function, arguments[0]), row, arguments[0], notes, site, *arguments[1:], **named)


def _called(function: Any, row: Row, owner: Any, notes: ComparisonNotes, site: int, *arguments: Any, **named: Any) -> Any:
    try:
        made = function(*arguments, **named)
    except Exception as error:
        row(notes, owner, (*arguments, *named.values()), error, site)
        raise
    row(notes, owner, (*arguments, *named.values()), made, site)
    return made
