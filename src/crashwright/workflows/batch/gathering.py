"""Where the reports of a batch come from: files, folders and standard input, no more of each than is bounded, and a reason for
whatever is not read."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from crashwright.core.errors import ReportError
from crashwright.core.report import CrashReport
from crashwright.crash.readers.cleaning import decoded
from crashwright.crash.readers.registry import read_reports

MOST_BYTES = 32 << 20
"""Of one text its end is read: what crashed last stands there."""
_STANDARD_INPUT = "-"
_CHUNK = 1 << 20
_NO_REPORTS = frozenset({".py", ".pyc", ".db", ".sqlite", ".sqlite-wal", ".sqlite-shm"})
"""Endings of files that are passed over in a folder: tests that were written, and databases."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text with ``reports``, at least one. ``name`` is what the user calls it, ``key`` knows it again in another run.
    ``changed`` is when, in seconds since 1970. ``note`` says what of it was not read."""

    name: str
    key: str
    text: str
    reports: tuple[CrashReport, ...]
    changed: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """A text in which no report could be read, and why. ``notable``: the user named it, or it cannot be read at all; other files
    in folders may well hold none."""

    name: str
    reason: str
    notable: bool = True


def gathered(names: Iterable[str], standard_input: BinaryIO, now: float) -> Iterator[Text | Unread]:
    """What is in the files, in the folders and all that is below them, and in standard input, each once and in this order."""
    for name in dict.fromkeys(names):
        if name == _STANDARD_INPUT:
            yield _read(name, standard_input, now)
        elif os.path.isdir(name):
            yield from _folder(name)
        else:
            yield _file(name, named=True)


def renamed(one: Text | Unread, called: Mapping[str, str]) -> Text | Unread:
    """The same under the name that ``called`` has for it."""
    name = called.get(one.name)
    if name is None:
        return one
    return replace(one, name=name, key=name) if isinstance(one, Text) else replace(one, name=name)


def _folder(top: str) -> Iterator[Text | Unread]:
    closed: list[OSError] = []
    for folder, folders, files in os.walk(top, onerror=closed.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = os.path.join(folder, name)
            # Whoever waits for what comes out of a pipe there would wait for ever.
            if not name.startswith(".") and Path(name).suffix not in _NO_REPORTS and (os.path.isfile(path) or os.path.islink(path)):
                yield _file(path, named=False)
    for error in closed:
        yield Unread(str(error.filename), f"cannot be read: {error.strerror}")


def _file(name: str, named: bool) -> Text | Unread:
    try:
        with open(name, "rb") as stream:
            return _read(name, stream, os.fstat(stream.fileno()).st_mtime, named)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        return Unread(name, f"cannot be read: {reason}")


def _read(name: str, stream: BinaryIO, changed: float, named: bool = True) -> Text | Unread:
    data, size = last_bytes(stream, MOST_BYTES)
    note = ""
    if len(data) < size:
        data = data.partition(b"\n")[2]
        note = f"only the last {len(data) / 1e6:,.0f} MB of {size / 1e6:,.0f} are read"
    text = decoded(data)
    try:
        reports = read_reports(text)
    except ReportError as error:
        return Unread(name, f"{error.message} ({note})" if note else error.message, named)
    key = os.path.abspath(name) if name != _STANDARD_INPUT else f"- {hashlib.sha256(data).hexdigest()[:16]}"
    return Text(name, key, text, reports, changed, note)


def last_bytes(stream: BinaryIO, most: int) -> tuple[bytes, int]:
    """The last ``most`` bytes of ``stream``, and how many there are in all."""
    if stream.seekable():
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - most))
        return stream.read(most), size
    kept: deque[bytes] = deque()
    size = held = 0
    while chunk := stream.read(_CHUNK):
        kept.append(chunk)
        size, held = size + len(chunk), held + len(chunk)
        while held - len(kept[0]) >= most:
            held -= len(kept.popleft())
    return b"".join(kept)[-most:], size
