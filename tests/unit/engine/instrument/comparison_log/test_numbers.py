"""Where numbers stand in data, and how others are written there."""

from __future__ import annotations

import struct

import pytest

from crashwright.engine.instrument.comparison_log.numbers import (
    CODE,
    DECIMAL,
    LENGTH,
    LONGEST,
    Number,
    fields_of,
    of_bytes,
    written,
)
from crashwright.engine.instrument.comparison_log.wanted import Span


@pytest.mark.parametrize("form", ["<BHI", ">2sxQ", "!hh3sB", "@bi", "=bi", "<4B", "<d f", "@bq"])
def test_fields_are_where_struct_has_them(form: str) -> None:
    data = bytes(range(1, 1 + struct.calcsize(form)))
    values = struct.unpack(form, data)
    fields = fields_of(form, 0)
    assert len(fields) == len(values)
    for field, value in zip(fields, values, strict=True):
        if field is not None:
            [read] = struct.unpack(field.form, data[field.span.start : field.span.end])
            assert repr(read) == repr(value)


@pytest.mark.parametrize(
    ("form", "value", "text"),
    [
        (DECIMAL, 12, "12"),
        (CODE, 65, "A"),
        (CODE, -1, None),
        (LENGTH, 5, "ababa"),
        (LENGTH, 1, "a"),
        (LENGTH, LONGEST + 1, None),
        (">H", 258, "\x01\x02"),
        (">H", 70000, None),
        (DECIMAL, float("inf"), None),
    ],
)
def test_what_is_written(form: str, value: float, text: str | None) -> None:
    assert written(Number(Span(0, 2), form), value, "ab") == text


def test_what_from_bytes_reads() -> None:
    assert of_bytes(Span(1, 3), "little", False) == Number(Span(1, 3), "<H")
    assert of_bytes(Span(0, 4), "big", True) == Number(Span(0, 4), ">i")
    assert of_bytes(Span(0, 3), "big", False) is None
