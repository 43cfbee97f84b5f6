"""Numbers in data are known by where they were read, whatever they are read with."""

from __future__ import annotations

import array

import pytest
from test_log import notes_of, wanted

DATA = b"\x00\x01\x00\x02\x03\x04\x05\x06"


@pytest.mark.parametrize(
    ("body", "want"),
    [
        ('return struct.unpack(">HH", text[:4])[1] == 9', (2, 4, "\x00\x09")),
        ('return struct.unpack_from("<I", text, 4)[0] == 9', (4, 8, "\x09\x00\x00\x00")),
        ('return struct.Struct(">BxH").unpack(text[2:6])[1] == 9', (4, 6, "\x00\x09")),
        ('return [one == 9 for one, _ in struct.iter_unpack(">2H", text)]', (4, 6, "\x00\x09")),
        ('return [one == 9 for one, in struct.Struct("<I").iter_unpack(text)]', (4, 8, "\x09\x00\x00\x00")),
        ('return int.from_bytes(text[1:4], "big") == 9', (1, 4, "\x00\x00\x09")),
        ('return int.from_bytes(text[4:6], byteorder="little", signed=True) == 9', (4, 6, "\x09\x00")),
        ("return ord(text[5:6]) == 9", (5, 6, "\x09")),
        ('return memoryview(text)[2:6].cast("H")[1] == 0x0909', (4, 6, "\x09\x09")),
        ('import array\nmade = array.array("H")\nmade.frombytes(text[4:])\nreturn made[1] == 0x0909', (6, 8, "\x09\x09")),
        ('stream = io.BytesIO(text[2:])\nstream.read(2)\nreturn struct.unpack(">H", stream.read(2))[0] == 9', (4, 6, "\x00\x09")),
        ('class Data(bytes): ...\nreturn struct.unpack(">H", Data(text[4:])[1:3])[0] == 9', (5, 7, "\x00\x09")),
    ],
)
def test_numbers_are_wanted_where_they_were_read(body: str, want: tuple[int, int, str]) -> None:
    assert want in wanted(notes_of(body, DATA))


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


def test_numbers_of_an_array_are_read_as_the_machine_has_them() -> None:
    notes = notes_of('import array\nreturn array.array("H", text)[1] == 513', DATA)
    assert (2, 4, array.array("H", [513]).tobytes().decode("latin-1")) in wanted(notes)
