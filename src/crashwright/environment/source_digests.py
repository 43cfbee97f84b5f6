"""What an interpreter would import, in a few short texts: where two machines have the same ones they run the same code."""

from __future__ import annotations

import csv
import hashlib
import os
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import crashwright
from crashwright.environment.distributions import editable_modules
from crashwright.environment.interpreter import Interpreter

PYTHON = "Python"
OURS = "crashwright itself"
_OURS = Path(crashwright.__file__).parent
_SOURCES = (".py", ".so", ".pyd")
_MOST_NAMED = 3


class _Recorded(NamedTuple):
    """What the installer of a file wrote down: the digest of its contents, its size, and when."""

    digest: str
    size: int
    written: int


def source_digests(interpreter: Interpreter) -> dict[str, str]:
    """A digest for each name that ``interpreter`` can import from outside of the standard library, by the contents of its sources
    and compiled modules; its version as ``PYTHON``, and crashwright's own sources as ``OURS``."""
    digests = {PYTHON: hashlib.sha256(interpreter.version_text.encode()), OURS: hashlib.sha256()}
    stdlib = frozenset(map(os.path.realpath, interpreter.stdlib))
    for folder in interpreter.sys_path:
        if not _is_built_in(folder, stdlib):
            for name, line in _lines(folder):
                digests.setdefault(name, hashlib.sha256()).update(line)
    for name, place in sorted(editable_modules(interpreter.sys_path).items()):
        for _, line in _lines(place, name):
            digests.setdefault(name, hashlib.sha256()).update(line)
    for _, line in _lines(str(_OURS)):
        digests[OURS].update(line)
    return {name: digest.hexdigest()[:16] for name, digest in digests.items()}


def difference(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """What is not the same there, in words; "" where all is."""
    other = sorted(name for name in {*here, *there} if here.get(name) != there.get(name))
    told = [_told(name, here, there) for name in other[:_MOST_NAMED]]
    more = f" and {len(other) - len(told)} more" if len(other) > len(told) else ""
    return ", ".join(told) + more


def _told(name: str, here: Mapping[str, str], there: Mapping[str, str]) -> str:
    if name == PYTHON:
        return "the Python version differs"
    if name not in there:
        return f"{name} is missing"
    return f"{name} is there alone" if name not in here else f"{name} has different source code"


def _is_built_in(folder: str, stdlib: frozenset[str]) -> bool:
    """The standard library, and its lib-dynload."""
    real = os.path.realpath(folder)
    return real in stdlib or (os.path.basename(real) == "lib-dynload" and os.path.dirname(real) in stdlib)


def _lines(top: str, name: str = "") -> Iterator[tuple[str, bytes]]:
    """Each source below ``top``, a folder or a file: the name that imports it, and a line of where it lies and the digest of it."""
    recorded = _recorded(top)
    for file in _sources(top):
        relative = file[len(top) :].lstrip(os.sep) or os.path.basename(file)
        first = name or relative.partition(os.sep)[0].partition(".")[0]
        # What is no name cannot be imported: tests that a batch has written, beside the code.
        if first.isidentifier():
            line = f"{relative}\0{_digest(file, recorded.get(relative))}\n"
            yield first, line.encode(errors="surrogateescape")


def _sources(top: str) -> Iterator[str]:
    if os.path.isfile(top):
        yield top  # an archive, or one module
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if name != "__pycache__" and not name.startswith("."))
        if "pyvenv.cfg" in files:
            folders.clear()  # an environment of its own
            continue
        yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith(_SOURCES))


def _recorded(folder: str) -> dict[str, _Recorded]:
    """What installers wrote down of the sources in ``folder``: large environments are compared without reading all of them."""
    found: dict[str, _Recorded] = {}
    for record in sorted(Path(folder).glob("*.dist-info/RECORD")):
        try:
            written = record.stat().st_mtime_ns
            rows = list(csv.reader(record.read_text(encoding="utf-8").splitlines()))
        except (OSError, ValueError, csv.Error):
            continue  # the files tell
        for row in rows:
            if len(row) == 3 and row[0].endswith(_SOURCES) and row[1].startswith("sha256=") and row[2].isdecimal():
                found[row[0]] = _Recorded(row[1].removeprefix("sha256="), int(row[2]), written)
    return found


def _digest(file: str, recorded: _Recorded | None) -> str:
    """Of the contents: as they were written down, where the file is as large, and not newer."""
    try:
        if recorded is not None:
            status = os.stat(file)
            if status.st_size == recorded.size and status.st_mtime_ns <= recorded.written:
                return recorded.digest
        return urlsafe_b64encode(hashlib.sha256(Path(file).read_bytes()).digest()).decode().rstrip("=")
    except OSError:
        return ""  # it cannot be imported either
