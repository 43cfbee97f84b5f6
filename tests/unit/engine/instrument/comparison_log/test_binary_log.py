"""What a run reads in data are fields of it, whatever it is read with."""

from __future__ import annotations

import array
import struct
import zlib

import pytest
from test_log import notes_of, wanted

from crashwright.engine.instrument.comparison_log.relations import Counted, SumCheck

DATA = b"\x00\x01\x00\x02\x03\x04\x05\x06"


@pytest.mark.parametrize(
    ("body", "spans"),
    [
        ('return struct.unpack(">HH", text[:4])', [(0, 2), (2, 4)]),
        ('return struct.unpack_from("<I", text, 4)', [(4, 8)]),
        ('return struct.Struct(">BxH").unpack(text[2:6])', [(2, 3), (4, 6)]),
        ('return [*struct.iter_unpack(">2H", text)]', [(0, 2), (2, 4), (4, 6), (6, 8)]),
        ('return [*struct.Struct("<I").iter_unpack(text)]', [(0, 4), (4, 8)]),
        ('return int.from_bytes(text[1:4], "big")', [(1, 4)]),
        ('return int.from_bytes(text[4:6], byteorder="little", signed=True)', [(4, 6)]),
        ("return text[5]", [(5, 6)]),
        ("return ord(text[5:6])", [(5, 6)]),
        ('return memoryview(text)[2:6].cast("H")', [(2, 4), (4, 6)]),
        ('import array\nmade = array.array("H")\nmade.frombytes(text[4:])\nreturn made', [(4, 6), (6, 8)]),
        ('import array\nreturn array.array("I", text[4:])', [(4, 8)]),
        ('stream = io.BytesIO(text[2:])\nstream.read(2)\nreturn struct.unpack(">H", stream.read(2))', [(4, 6)]),
        ('class Data(bytes): ...\nreturn struct.unpack(">H", Data(text[4:])[1:3])', [(5, 7)]),
    ],
)
def test_fields_are_seen(body: str, spans: list[tuple[int, int]]) -> None:
    assert [tuple(span) for span in notes_of(body, DATA).binary.fields] == spans


@pytest.mark.parametrize(
    ("body", "want"),
    [
        ("return text[4] & 0x0f == 7", (4, 5, "\x07")),
        ("return text[4] >> 4 == 7", (4, 5, "\x73")),
        ("return text[4] & 0x80", (4, 5, "\x83")),
        ("return text[0] << 8 | text[4] == 0x1234", (0, 5, "\x12\x01\x00\x02\x34")),
        ("return {1: 1, 77: 2}[text[4]]", (4, 5, "M")),
        ("return {1: 1, 77: 2}.get(text[4])", (4, 5, "M")),
        ("return text[4] in (9, 8)", (4, 5, "\x08")),
        ("import enum\nclass Kind(enum.IntEnum):\n    ONE = 65\nreturn Kind(text[4])", (4, 5, "A")),
        ('n = 0\nn += struct.unpack(">H", text[4:6])[0]\nreturn n - 2 == 5', (4, 6, "\x00\x07")),
        ("return text[9]", (8, 8, "\x00\x00")),
        ('return struct.unpack(">I", text[6:10])', (8, 8, "\x00\x00")),
        ('return struct.unpack_from(">I", text, 6)', (8, 8, "\x00\x00")),
        ("return io.BytesIO(text).read(11)", (8, 8, "\x00\x00\x00")),
        ("return [one for one in range(text[5])]", (5, 6, "\x01")),
    ],
)
def test_what_is_wanted_of_fields(body: str, want: tuple[int, int, str]) -> None:
    assert want in wanted(notes_of(body, DATA))


@pytest.mark.parametrize(
    ("body", "number", "counted"),
    [
        ("size = text[3]\nstream = io.BytesIO(text)\nstream.seek(4)\nreturn stream.read(size)", (3, 4), (4, 6)),
        ("return text[4:4 + text[3]]", (3, 4), (4, 6)),
        ('return struct.unpack_from(">H", text, text[6])', (6, 7), (0, 5)),
        ("stream = io.BytesIO(text)\nstream.seek(text[5])\nreturn stream.read(1)", (5, 6), (0, 4)),
    ],
)
def test_what_numbers_count(body: str, number: tuple[int, int], counted: tuple[int, int]) -> None:
    found = [one for one in notes_of(body, DATA).binary.relations if isinstance(one, Counted)]
    assert (number, counted) in [(tuple(one.number.span), tuple(one.span)) for one in found]


@pytest.mark.parametrize(
    "check",
    [
        "zlib.crc32(text[:4])",
        "zlib.crc32(text[2:4], zlib.crc32(text[:2])) & 0xffffffff",
        "zlib.adler32(text[:4])",
        "binascii.crc32(text[:4])",
    ],
)
def test_checksums_are_known_by_what_they_are_of(check: str) -> None:
    notes = notes_of(f'import binascii, zlib\nreturn struct.unpack(">I", text[4:])[0] == {check}', DATA)
    [found] = [one for one in notes.binary.relations if isinstance(one, SumCheck)]
    assert tuple(found.span) == (4, 8)
    right = found.computed.of(notes.origins.text)
    assert type(right) is int
    assert (4, 8, struct.pack(">I", right).decode("latin-1")) in wanted(notes)


def test_digests_and_packed_sums_are_known() -> None:
    text = bytes(range(40))
    digest = notes_of("import hashlib\nmade = hashlib.md5()\nmade.update(text[:4])\nreturn text[4:20] == made.digest()", text)
    packed = notes_of('import zlib\nreturn text[4:8] != struct.pack(">I", zlib.crc32(text[:4]))', text)
    for notes, span in ((digest, (4, 20)), (packed, (4, 8))):
        assert [tuple(one.span) for one in notes.binary.relations if isinstance(one, SumCheck)] == [span]
    assert packed.origins.text[:4] == text[:4].decode("latin-1")
    assert zlib.crc32(text[:4])


def test_numbers_of_an_array_are_read_as_the_machine_has_them() -> None:
    notes = notes_of('import array\nreturn array.array("H", text)[1] == 513', DATA)
    assert (2, 4, array.array("H", [513]).tobytes().decode("latin-1")) in wanted(notes)
