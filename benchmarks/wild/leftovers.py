"""What a command leaves behind: processes that carry its mark, files that were not there."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

MARK = "CRASHWRIGHT_SWEEP"
GRACE = 0.5
"""Seconds that a process which is being ended may take."""


def left_running(token: str) -> tuple[str, ...]:
    """The command lines of the processes whose environment holds the mark; they are ended. Linux; nothing elsewhere."""
    time.sleep(GRACE if _marked(token) else 0)
    found = _marked(token)
    for pid in found:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue  # it has just ended
    return tuple(found.values())


def _marked(token: str) -> dict[int, str]:
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={token}".encode() in (folder / "environ").read_bytes():
                found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:200]
        except OSError:
            continue  # it has just ended, or is not ours
    return found


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every file below some folders, with its size and time; ``__pycache__`` apart."""

    entries: dict[str, tuple[int, int]]

    def changes(self, later: Snapshot, expected: Iterable[str] = ()) -> tuple[str, ...]:
        """What was made, changed or removed, but for what was expected."""
        names = self.entries.keys() | later.entries.keys()
        changed = {name for name in names if self.entries.get(name) != later.entries.get(name)}
        return tuple(sorted(changed - set(expected)))


def snapshot(*folders: Path) -> Snapshot:
    """Of the folders as they are."""
    entries = {}
    for folder in folders:
        for root, inner, files in os.walk(folder):
            inner[:] = [name for name in inner if name != "__pycache__"]
            for name in (*inner, *files):
                about = os.lstat(path := os.path.join(root, name))
                entries[path] = (0, 0) if name in inner else (about.st_size, about.st_mtime_ns)
    return Snapshot(entries)
