"""Takes the powers of root away from a process that runs as root, but for those over files, which Landlock governs."""

from __future__ import annotations

import os
import struct

from .syscalls import System

_VERSION_3 = 0x20080522
_KEPT = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH: files of others are read as before


def drop(system: System) -> bool:
    """Drop them from this thread, and all that it starts, for good; True where there is nothing more to drop either."""
    header = struct.pack("=Ii", _VERSION_3, 0)
    data = bytearray(24)
    try:
        system.call("capget", header, data)
        low, high = _effective(data)
        if low & ~_KEPT or high:
            kept = struct.pack("=6I", low & _KEPT, low & _KEPT, 0, 0, 0, 0)
            system.call("capset", header, kept)
    except OSError:
        return os.geteuid() != 0
    return True


def _effective(data: bytearray) -> tuple[int, int]:
    fields = struct.unpack("=6I", data)
    return fields[0] | fields[1], fields[3] | fields[4]
