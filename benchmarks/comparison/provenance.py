"""Which program gave the rows, on which machine, by which command: what a table needs to be believed."""

from __future__ import annotations

import hashlib
import platform
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import crashwright
from benchmarks.record import machine

SOURCE = Path(crashwright.__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Invocation:
    """One start of the script. ``started`` is UTC; ``python`` is the one that ran the script, crashes have their own."""

    started: str
    command: str
    commit: str
    machine: str
    python: str
    jobs: int


def invocation(arguments: Sequence[str], names: Mapping[str, str], commit: str, jobs: int) -> Invocation:
    """This start. ``names`` replaces paths that mean something on this machine only."""
    words = ["python", "-m", "benchmarks.comparison", *(names.get(word, word) for word in arguments)]
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return Invocation(started, shlex.join(words), commit, machine(), platform.python_version(), jobs)


def commit() -> str:
    """The last commit that changed the program; where its files differ from that, with a digest of what they are."""
    try:
        last = _git("log", "-1", "--format=%h", "--", ".")
        changed = _git("status", "--porcelain", "--", ".")
    except (OSError, subprocess.CalledProcessError):
        return f"unversioned-{_digest()}"
    return f"{last}+{_digest()}" if changed or not last else last


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=SOURCE, capture_output=True, text=True, check=True).stdout.strip()


def _digest() -> str:
    digest = hashlib.sha256()
    for file in sorted(SOURCE.rglob("*.py")):
        digest.update(str(file.relative_to(SOURCE)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:8]
