"""Telegrams of a meter: a head with a length, entries, and a checksum of all of it."""

from __future__ import annotations

import struct
import zlib

NAMES = {1: "volume", 2: "flow", 7: "alarm"}


class BadTelegram(ValueError):
    pass


def entries_of(payload: bytes) -> list[tuple[str, bytes]]:
    found = []
    count, at = payload[0], 1
    for _ in range(count):
        if at + 2 > len(payload):
            raise BadTelegram("entry is cut off")
        kind, size = payload[at], payload[at + 1]
        if kind not in NAMES:
            raise BadTelegram(f"unknown entry {kind}")
        found.append((NAMES[kind], payload[at + 2 : at + 2 + size]))
        at += 2 + size
    return found


def value_of(name: str, data: bytes) -> int:
    if name == "alarm":
        return data[0] >> 4
    return int.from_bytes(data, "little")


def read(data: bytes) -> dict[str, int]:
    if data[:2] != b"TG":
        raise BadTelegram("no telegram")
    if len(data) < 8:
        raise BadTelegram("too short")
    (size,) = struct.unpack(">H", data[2:4])
    payload, end = data[4 : 4 + size], data[4 + size :]
    if len(payload) != size or len(end) != 4:
        raise BadTelegram("length")
    if struct.unpack(">I", end)[0] != zlib.crc32(data[: 4 + size]):
        raise BadTelegram("checksum")
    if not payload:
        raise BadTelegram("nothing in it")
    return {name: value_of(name, value) for name, value in entries_of(payload)}
