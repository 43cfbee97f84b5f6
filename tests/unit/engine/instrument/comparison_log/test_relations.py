"""Lengths, distances and checksums stay right when something is put in, taken out or changed."""

from __future__ import annotations

import hashlib
import struct
import zlib
from functools import partial

import pytest

from crashwright.engine.instrument.comparison_log.binary_calls import digest_of
from crashwright.engine.instrument.comparison_log.numbers import Number
from crashwright.engine.instrument.comparison_log.relations import ComputedSum, Counted, SumCheck, kept_right
from crashwright.engine.instrument.comparison_log.wanted import Span

LENGTH = Number(Span(0, 2), ">H")
COUNTED = Counted(LENGTH, 3, Span(2, 5))


@pytest.mark.parametrize(
    ("after", "right"),
    [
        ("\x00\x03abXc", "\x00\x04abXc"),
        ("\x00\x03abcXY", "\x00\x05abcXY"),
        ("\x00\x03c", "\x00\x01c"),
        ("\x00\x03aXc", "\x00\x03aXc"),
        ("\x00\x02abc", "\x00\x02abc"),
        ("Z\x00\x03abc", "Z\x00\x03abc"),
    ],
)
def test_a_length_grows_with_what_it_counts(after: str, right: str) -> None:
    assert kept_right("\x00\x03abc", after, [COUNTED]) == right


def test_a_length_that_has_no_room_stays() -> None:
    byte = Counted(Number(Span(0, 1), ">B"), 3, Span(1, 4))
    after = "\x03" + "a" * 300
    assert kept_right("\x03aaa", after, [byte]) == after


def test_a_length_moves_with_what_is_put_in_before_it() -> None:
    relations = [Counted(Number(Span(0, 1), ">B"), 9, Span(0, 9)), Counted(Number(Span(4, 5), ">B"), 4, Span(5, 9))]
    assert kept_right("\x09abc\x04wxyz", "\x09abcQ\x04wxyz", relations) == "\x0aabcQ\x04wxyz"
    assert kept_right("\x09abc\x04wxyz", "\x09abc\x04wxQyz", relations) == "\x0aabc\x05wxQyz"


def sealed(data: bytes) -> str:
    return (data + struct.pack("<I", zlib.crc32(data))).decode("latin-1")


def test_a_checksum_follows_its_data_and_the_length_in_it() -> None:
    check = SumCheck(Span(5, 9), Number(Span(5, 9), "<I"), ComputedSum(zlib.crc32, (Span(0, 5),)))
    relations = [COUNTED, check]
    before = sealed(b"\x00\x03abc")
    assert kept_right(before, before[:3] + "XX" + before[3:], relations) == sealed(b"\x00\x05aXXbc")
    assert kept_right(before, before[:3] + "X" + before[4:], relations) == sealed(b"\x00\x03aXc")


def test_a_digest_is_a_text_and_what_was_done_with_a_sum_is_done_again() -> None:
    digest = SumCheck(Span(3, 19), None, ComputedSum(partial(digest_of, name="md5", way="digest"), (Span(0, 3),)))
    before, after = (data + hashlib.md5(data, usedforsecurity=False).digest() for data in (b"abc", b"aXc"))
    text = before.decode("latin-1")
    assert kept_right(text, text.replace("b", "X", 1), [digest]) == after.decode("latin-1")
    small = SumCheck(Span(2, 3), Number(Span(2, 3), ">B"), ComputedSum(sum, (Span(0, 2),), (), (("&", 255),)))
    assert kept_right("\x80\x81\x01", "\x80\x91\x01", [small]) == "\x80\x91\x11"


def test_a_sum_that_cannot_be_computed_changes_nothing() -> None:
    packed = SumCheck(Span(2, 4), None, ComputedSum(sum, (Span(0, 2),), (), (("pack", ">B"),)))
    assert kept_right("ab\x00\x00", "\xff\xff\x00\x00", [packed]) == "\xff\xff\x00\x00"
