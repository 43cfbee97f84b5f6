"""A file of chunks, as many formats are: a mark, flags, how many there are, each with its kind and length; a checksum."""

import enum
import io
import struct
import zlib


class Kind(enum.IntEnum):
    """Of a chunk."""

    NAME = 0x4E41
    POINTS = 0x5054


def read_all(data):
    """The chunks in these bytes, whose last four are the checksum of the others."""
    if data[:4] != b"\x93CHK":
        raise ValueError("no chunks")
    [seal] = struct.unpack("<I", data[-4:])
    if zlib.crc32(data[:-4]) != seal:
        raise ValueError("checksum")
    stream = io.BytesIO(data[4:-4])
    flags, count = struct.unpack("<BH", stream.read(3))
    if flags >> 4 != 2:
        raise ValueError("another version")
    return [read_chunk(stream) for _ in range(count)]


def read_chunk(stream):
    """The next one."""
    kind, size = struct.unpack(">HH", stream.read(4))
    reader = READERS.get(kind)
    if reader is None:
        raise ValueError("another kind")
    if size > 16:
        raise ValueError("too long")
    return Kind(kind), reader(io.BytesIO(stream.read(size)))


def read_name(stream):
    """Its length, then a text."""
    size = stream.read(1)[0]
    name = stream.read(size)
    if len(name) < 3:
        raise ValueError("too short")
    return name.decode("latin-1")


def read_points(stream):
    """Pairs of numbers."""
    return [*struct.iter_unpack("<hh", stream.read())]


READERS = {Kind.NAME: read_name, Kind.POINTS: read_points}
