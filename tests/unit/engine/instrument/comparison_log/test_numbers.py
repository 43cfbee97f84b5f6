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
    combined,
    derived,
    fields_of,
    is_field,
    largest,
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
    assert of_bytes(Span(0, 3), "big", False) == Number(Span(0, 3), ">")
    assert of_bytes(Span(0, 3), "big", True) is None
    assert of_bytes(Span(0, 400), "big", False) is None


FIRST, SECOND = Number(Span(0, 1), ">B"), Number(Span(1, 3), "<H")


@pytest.mark.parametrize(
    ("symbol", "operand", "value", "text"),
    [
        ("&", 0x0F, 5, "\xa5"),
        ("&", 0x0F, 16, None),
        (">>", 4, 5, "\x5b"),
        ("<<", 2, 12, "\x03"),
        ("<<", 2, 13, None),
        ("//", 16, 3, "\x3b"),
        ("%", 8, 0, "\xa8"),
        ("+", 3, 10, "\x07"),
        ("-", 3, 10, "\x0d"),
        ("*", 4, 40, "\x0a"),
        ("*", 4, 41, None),
    ],
)
def test_numbers_that_are_made_of_others(symbol: str, operand: int, value: int, text: str | None) -> None:
    made = derived(symbol, FIRST, None, 0xAB, operand)
    assert made is not None
    assert written(made, value, "\xab\x00\x00") == text


def test_a_constant_on_the_left() -> None:
    made = derived("-", None, FIRST, 100, 0xAB)
    assert made is not None
    assert written(made, 90, "\xab") == "\x0a"


def test_bits_of_several_fields() -> None:
    low = derived("&", FIRST, None, 0xAB, 0x7F)
    high = derived("<<", SECOND, None, 0, 7)
    assert low is not None
    assert high is not None
    both = combined(low, high)
    assert both is not None
    assert written(both, 0x1234, "\xab\x00\x00") == "\xb4\x24\x00"
    assert combined(low, low) is None


def test_no_number_comes_of_what_is_not_followed() -> None:
    assert derived("%", FIRST, None, 1, 10) is None
    assert derived("&", Number(Span(0, 2), DECIMAL), None, 12, 3) is None
    assert derived(">>", FIRST, None, 1, 9) is None
    assert derived("^", FIRST, None, 1, 9) is None


def test_the_largest_value_of_a_field() -> None:
    assert (largest(FIRST), largest(SECOND), largest(Number(Span(0, 4), "<f"))) == (255, 65535, 0)
    assert is_field(SECOND)
    assert not is_field(Number(Span(0, 2), DECIMAL))
