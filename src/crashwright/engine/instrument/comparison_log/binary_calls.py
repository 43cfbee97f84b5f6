"""Rows for functions in C that read data: layouts of ``struct``, numbers of bytes, arrays, views, streams."""

from __future__ import annotations

import array
import io
import struct
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from typing import Any

from crashwright.engine.instrument.comparison_log.notes import ComparisonNotes
from crashwright.engine.instrument.comparison_log.numbers import fields_of, of_bytes
from crashwright.engine.instrument.comparison_log.origins import as_text, is_text
from crashwright.engine.instrument.comparison_log.rows import Arguments, Row
from crashwright.engine.instrument.comparison_log.wanted import Span
from crashwright.engine.subject.introspection import class_dict, class_name, instance_of

MOST_ELEMENTS = 64
"""Of an array, and members of an enumeration, that are looked at."""
SMALL = (0, 1, 2)


def _unpacked(notes: ComparisonNotes, form: str, data: Any, at: Any, made: Any, site: int, many: bool = False) -> None:
    if not is_text(data) or type(at) is not int:
        return
    span = notes.origins.place(data)
    if instance_of(made, struct.error) or span is None:
        if span is not None or not data:
            span = span or notes.origins.of(data) or notes.origins.end
            notes.more(span, max(at, 0) + struct.calcsize(form) - len(data), site)
            notes.want(Span(span.start, span.end), (as_text(data) + "\0" * struct.calcsize(form))[: struct.calcsize(form)], site)
        return
    rows = [made] if not many else [*islice(struct.iter_unpack(form, data), MOST_ELEMENTS)]
    for number, row in enumerate(rows):
        _fields(notes, form, span.start + at + number * struct.calcsize(form), row)


def _fields(notes: ComparisonNotes, form: str, start: int, values: Any) -> None:
    if type(values) is not tuple:
        return
    for field, value in zip(fields_of(form, start), values, strict=False):
        if field is not None and field.form[-1] in "spc":
            notes.origins.put(value, field.span)
        elif field is not None:
            notes.read(value, field)


def _with_format(notes: ComparisonNotes, _: Any, arguments: Arguments, made: Any, site: int, many: bool = False) -> None:
    if len(arguments) > 1 and is_text(arguments[0]):
        _unpacked(notes, as_text(arguments[0]), arguments[1], arguments[2] if len(arguments) > 2 else 0, made, site, many)


def _of_struct(notes: ComparisonNotes, layout: Any, arguments: Arguments, made: Any, site: int, many: bool = False) -> None:
    if arguments:
        _unpacked(notes, layout.format, arguments[0], arguments[1] if len(arguments) > 1 else 0, made, site, many)


def from_bytes(notes: ComparisonNotes, _: Any, arguments: Arguments, made: Any, __: int) -> None:
    """``int.from_bytes``."""
    span = notes.origins.place(arguments[0]) if arguments else None
    if span is not None and type(made) is int:
        number = of_bytes(span, arguments[1] if len(arguments) > 1 else "big", made < 0)
        if number is not None:
            notes.read(made, number)


def _elements(notes: ComparisonNotes, data: Any, values: Any, letter: str) -> None:
    span = notes.origins.place(data) if is_text(data) else None
    if span is not None and letter in "bBhHiIlLqQfd":
        size = struct.calcsize(letter)
        for at, value in enumerate(values[:MOST_ELEMENTS]):
            _fields(notes, "@" + letter, span.start + at * size, (value,))


def _array_read(notes: ComparisonNotes, owner: Any, arguments: Arguments, made: Any, __: int) -> None:
    if made is None and arguments and is_text(arguments[0]):
        _elements(notes, arguments[0], owner[len(owner) - len(arguments[0]) // owner.itemsize :].tolist(), owner.typecode)


def _array_made(notes: ComparisonNotes, _: Any, arguments: Arguments, made: Any, __: int) -> None:
    if type(made) is array.array and len(arguments) > 1:
        _elements(notes, arguments[1], made.tolist(), made.typecode)


def _view_cast(notes: ComparisonNotes, owner: Any, _: Arguments, made: Any, __: int) -> None:
    if type(made) is memoryview and made.ndim == 1:
        _elements(notes, owner, made[:MOST_ELEMENTS].tolist(), made.format[-1:])


def _stream_read(notes: ComparisonNotes, stream: Any, arguments: Arguments, made: Any, site: int) -> None:
    if type(made) is list:
        for line in made:
            notes.origins.read(stream, line)
        return
    if not is_text(made):
        return
    known = class_name(type(stream)) != "TextIOWrapper" and stream.seekable()
    end = stream.tell() if known else None
    notes.origins.read(stream, made, end)
    asked = arguments[0] if arguments else None
    if type(asked) is int and asked > 0:
        span = notes.origins.of(made) or notes.origins.end
        if type(made) is bytes and len(made) < asked:
            notes.more(span, asked - len(made), site)
            notes.number_wanted(asked, len(made), site)


def _stream_made(notes: ComparisonNotes, _: Any, arguments: Arguments, made: Any, __: int) -> None:
    span = notes.origins.place(arguments[0]) if arguments and is_text(arguments[0]) else None
    if span is not None:
        notes.origins.begins(made, span.start)


def _repeated(notes: ComparisonNotes, _: Any, arguments: Arguments, __: Any, site: int) -> None:
    """``range``: small numbers, since each time takes something."""
    for value in arguments[-1:]:
        for wanted in SMALL:
            notes.number_wanted(value, wanted, site)


def member(notes: ComparisonNotes, cls: Any, arguments: Arguments, _: Any, site: int) -> None:
    """A member of an enumeration is looked for by its value."""
    table = class_dict(cls).get("_value2member_map_")
    if type(table) is dict and len(arguments) == 1:
        if is_text(arguments[0]):
            notes.keys(arguments[0], table, site)
        else:
            notes.numbers(arguments[0], [*islice(table, MOST_ELEMENTS)], site)


LAYOUTS: Mapping[str, Row] = {
    "unpack": _of_struct,
    "unpack_from": _of_struct,
    "iter_unpack": partial(_of_struct, many=True),
}
ARRAYS: Mapping[str, Row] = {"frombytes": _array_read}
VIEWS: Mapping[str, Row] = {"cast": _view_cast}
STREAMS: Mapping[str, Row] = {
    **dict.fromkeys(("read", "readline", "readlines", "getvalue", "read1", "peek"), _stream_read),
}
FUNCTIONS: tuple[tuple[Callable[..., Any], Row], ...] = (
    (struct.unpack, _with_format),
    (struct.unpack_from, _with_format),
    (struct.iter_unpack, partial(_with_format, many=True)),
    (array.array, _array_made),
    (io.BytesIO, _stream_made),
    (io.StringIO, _stream_made),
    (range, _repeated),
)
