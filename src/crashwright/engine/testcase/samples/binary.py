"""Samples of binary formats, made by the standard library where it is loaded already: archives, compressed data, and what fields
of fixed length, lengths and tags look like in general."""

from __future__ import annotations

import bz2
import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable

_EARLY = (1980, 1, 1, 0, 0, 0)
_CONTENT = b"text\n" * 3


def generic_samples() -> list[bytes]:
    """Fields: nothing, counting bytes, all bits, lengths in both byte orders right and wrong, tags with lengths, strings."""
    fields = [b"", b"\x00", b"\xff", bytes(range(16)), bytes(64), b"\xff" * 64, bytes(range(256))]
    for order in "<>":
        for size, kind in ((1, "B"), (2, "H"), (4, "I"), (8, "Q")):
            fields += [struct.pack(f"{order}{kind}", length) + b"alpha" for length in (0, 1, 5, 200)]
            fields.append(struct.pack(f"{order}{kind}", 1) * (16 // size))
    fields += [
        struct.pack(">d", 1.5),
        struct.pack("<f", -1.0) * 4,
        b"alpha\x00beta\x00",
        b"\x00alpha\x00",
        b"\x80\x81",
        b"\xc3\xa9\xff",
    ]
    fields += [b"\xff\xfea\x00", b"\xef\xbb\xbfalpha", b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00", b"\x01\x02" * 40]
    return fields


def tagged_samples() -> list[bytes]:
    """Tag, length, value as in the Basic Encoding Rules (X.690): each universal type, nested, of definite and indefinite length."""
    integer, text, none = b"\x02\x01\x05", b"\x0c\x05alpha", b"\x05\x00"
    plain = [
        integer,
        text,
        none,
        b"\x01\x01\xff",
        b"\x02\x00",
        b"\x02\x02\x00\x80",
        b"\x03\x02\x01\x80",
        b"\x04\x03abc",
        b"\x06\x03\x2a\x03\x04",
    ]
    plain += [
        b"\x09\x03\x80\xfe\x01",
        b"\x0a\x01\x01",
        b"\x13\x01a",
        b"\x17\x0d200102030405Z",
        b"\x18\x0f20200102030405Z",
        b"\x0d\x02\x81\x01",
    ]
    nested = [b"\x30" + bytes([len(body)]) + body for body in (b"", integer, integer + integer, integer + text + none, b"\x30\x00")]
    nested += [
        b"\x31\x03" + integer,
        b"\xa0\x03" + integer,
        b"\x30\x80" + integer + b"\x00\x00",
        b"\x24\x80\x04\x01a\x00\x00",
        b"\x30\x81\x03" + integer,
    ]
    wrong = [
        b"\x30\x05" + integer,
        b"\x02\x84\xff\xff\xff\xff\x01",
        b"\x1f\x81\x01\x01a",
        b"\x30\x80",
        b"\x02",
        b"\x80\x01a",
        b"\x30\x03" + integer + b"x",
    ]
    return [*plain, *nested, *wrong]


def zip_samples() -> list[bytes]:
    """Archives: empty, stored, deflated, with folders and comments, cut off."""
    full = _zip(
        ("alpha.txt", _CONTENT, zipfile.ZIP_DEFLATED), ("beta/", b"", zipfile.ZIP_STORED), ("beta/c", b"", zipfile.ZIP_STORED)
    )
    return [
        _zip(),
        _zip(("alpha", b"x", zipfile.ZIP_STORED)),
        full,
        _zip(comment=b"text"),
        full[:-10],
        full[: len(full) // 2],
        b"x" + full,
    ]


def _zip(*members: tuple[str, bytes, int], comment: bytes = b"") -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.comment = comment
        for name, content, method in members:
            archive.writestr(zipfile.ZipInfo(name, _EARLY), content, method)
    return held.getvalue()


def tar_samples() -> list[bytes]:
    """Archives of the three dialects: files, folders, links, long names, cut off."""
    made = [
        _tar(dialect, members) for dialect in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT) for members in _MEMBERS
    ]
    return [*made, made[1][:700], made[1][:100], gzip.compress(made[1], mtime=0)]


_MEMBERS: tuple[tuple[tuple[str, bytes, bytes], ...], ...] = (
    (),
    (("alpha.txt", tarfile.REGTYPE, _CONTENT),),
    (("alpha", tarfile.DIRTYPE, b""), ("alpha/b", tarfile.REGTYPE, b""), ("c", tarfile.SYMTYPE, b""), ("d", tarfile.LNKTYPE, b"")),
)


def _tar(dialect: int, members: tuple[tuple[str, bytes, bytes], ...]) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=dialect) as archive:
        for name, kind, content in members:
            member = tarfile.TarInfo(name)
            member.type, member.size = kind, len(content)
            if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
                member.linkname = "alpha/b"
            archive.addfile(member, io.BytesIO(content))
    return held.getvalue()


def compressed_samples() -> list[bytes]:
    """One text in each compression, whole, cut off, twice."""
    ways: tuple[Callable[[bytes], bytes], ...] = (lambda data: gzip.compress(data, mtime=0), zlib.compress, bz2.compress)
    whole = [way(_CONTENT) for way in ways]
    return [*whole, *(one[:-6] for one in whole), *(one + one for one in whole), *(way(b"") for way in ways)]
