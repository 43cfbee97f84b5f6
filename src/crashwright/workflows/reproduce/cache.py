"""What is kept between runs in ``.crashwright/``: the tests found for a crash, and the state of a running search.

A convenience, never a condition: whatever cannot be read or written is one note and no failure. Files are replaced in one step, so
that runs beside each other, or killed ones, leave no halves.
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from crashwright.core.codec import from_json, to_json

SCHEMA_VERSION = 1
"""Of the files; those of another version are left alone and written anew."""
FOLDER = ".crashwright"
_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
_NEW = ".new-"
_LARGEST = 8 << 20
"""Bytes of a file that is still read: ours are a thousand times smaller."""
_README = """Kept by crashwright between its runs: tests that it found, and searches that were cut short. Delete it as you like.
"""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CachedTest:
    """A test that reproduced a crash, encoded by ``engine.testcase.codec``, as the engine made it smaller. ``level`` was judged in
    fresh interpreters; ``when`` is a date (ISO 8601)."""

    test: dict[str, Any]
    level: int
    origin: str = ""
    evaluations: int = 0
    command: str = ""
    subject: str = ""
    python: str = ""
    when: str = ""


@dataclass(frozen=True, slots=True)
class RunState:
    """Where a running search stands: its best tests, encoded, best first, and the evaluations made by all engines so far."""

    tests: tuple[dict[str, Any], ...]
    evaluations: int
    seconds: float = 0.0


@dataclass(slots=True)
class Cache:
    """The folder of one run. ``project`` is the root of the project around the user, None outside of one: found tests are then
    neither read nor written. ``notes`` says, once each, what could not be done. Without ``reads`` every load is None, without
    ``writes`` every save does nothing."""

    project: Path | None
    here: Path
    reads: bool = True
    writes: bool = True
    notes: list[str] = field(default_factory=list)
    _locks: dict[str, int] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path, reads: bool = True, writes: bool = True) -> Cache:
        """The cache for a user who stands in ``folder``. Nothing is read or written yet."""
        here = folder.resolve()
        project = next((root for root in (here, *here.parents) if any((root / mark).exists() for mark in _MARKS)), None)
        return cls(project, here, reads, writes)

    @property
    def folder(self) -> Path:
        """Where it lies: in the project's root, else in the current folder (for the state of a running search alone)."""
        return (self.project or self.here) / FOLDER

    def load_found(self, key: str) -> CachedTest | None:
        """The test found earlier for the crash ``key``."""
        if self.project is None or not self.reads:
            return None
        return self._load(self._found(key), CachedTest, _is_cached)

    def save_found(self, key: str, test: CachedTest) -> None:
        """Keep ``test`` for the crash ``key``, in place of an earlier one."""
        if self.project is not None and self.writes:
            self._save(self._found(key), test)

    def load_running(self, key: str, seed: int) -> RunState | None:
        """What a search of ``key`` with ``seed`` that was killed had come to. None also where that search still runs."""
        # A lock without need would leave a folder for every short run.
        if not self.reads or not self._running(key, seed).exists() or not self._lock(key, seed):
            return None
        return self._load(self._running(key, seed), RunState, _is_state)

    def save_running(self, key: str, seed: int, state: RunState) -> None:
        """Write down where the search stands. Does nothing while another run of the same search does so."""
        if self.writes and self._lock(key, seed):
            self._save(self._running(key, seed), state)

    def record(self, name: str, text: str) -> str:
        """Keep what a suggesting program has answered. What the user is told of it; "" where nothing is kept."""
        if not self.writes:
            return ""
        file = self.folder / "candidate-answers" / f"{name}.jsonl"
        try:
            self._make(file.parent)
            _write(file, text)
        except OSError as error:
            self._note(f"{self.folder} cannot be written to: {error.strerror}")
            return ""
        return f"the program's answers are stored: use them again with --candidate-answers {os.path.relpath(file)}"

    def clear_running(self, key: str, seed: int) -> None:
        """The search has ended: its state is no longer needed, nor is an empty folder."""
        lock = self._locks.pop(_name(key, seed), None)
        if lock is None:
            return
        file = self._running(key, seed)
        for leftover in (file, *file.parent.glob(f"{_NEW}{file.stem}-*"), file.with_suffix(".lock")):
            _remove(leftover)
        os.close(lock)
        self.tidy("running")

    def made(self, name: str) -> Path:
        """A folder in it for what is kept until it is finished. Raises OSError."""
        self._make(self.folder / name)
        return self.folder / name

    def tidy(self, name: str) -> None:
        """Remove that folder where it is empty, and all of it where it is empty but for the files that explain it."""
        try:
            (self.folder / name).rmdir()
            if {entry.name for entry in self.folder.iterdir()} <= {".gitignore", "README"}:
                _remove(self.folder / ".gitignore")
                _remove(self.folder / "README")
                self.folder.rmdir()
        except OSError:
            return  # something else is in there, or another run was faster

    def _found(self, key: str) -> Path:
        return self.folder / "found" / f"{key}.json"

    def _running(self, key: str, seed: int) -> Path:
        return self.folder / "running" / f"{_name(key, seed)}.json"

    def _load(self, file: Path, kind: type[T], sound: Callable[[T], bool]) -> T | None:
        try:
            with open(file, "rb") as stream:
                data = json.loads(stream.read(_LARGEST))
            if not isinstance(data, dict) or data.get("schema") != SCHEMA_VERSION:
                return None
            value = from_json(kind, data)
            if sound(value):
                return value
        except FileNotFoundError:
            return None
        except OSError as error:
            self._note(f"{file} cannot be read: {error.strerror}")
            return None
        except (ValueError, RecursionError):
            pass  # said below
        self._note(f"{file} was not written by crashwright, or is damaged: ignored")
        return None

    def _save(self, file: Path, value: CachedTest | RunState) -> None:
        try:
            self._make(file.parent)
            _write(file, json.dumps({"schema": SCHEMA_VERSION, **to_json(value)}))
        except OSError as error:
            self._note(f"{self.folder} cannot be written to: {error.strerror}")

    def _make(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in ((".gitignore", "*\n"), ("README", _README)):
            if not (self.folder / name).exists():
                _write(self.folder / name, text)

    def _lock(self, key: str, seed: int) -> bool:
        """Whether the state of this search is ours. The lock goes with our process, however that ends."""
        name = _name(key, seed)
        if name in self._locks:
            return True
        file = self._running(key, seed).with_suffix(".lock")
        try:
            self._make(file.parent)
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            self._note(f"{self.folder} cannot be written to: {error.strerror}")
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The run that held it may have removed the file in between.
            if os.fstat(descriptor).st_ino == os.stat(file).st_ino:
                self._locks[name] = descriptor
                return True
        except OSError:
            self._note("the same search is running already: this run cannot be continued if it is killed")
        os.close(descriptor)
        return False

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def _name(key: str, seed: int) -> str:
    return f"{key}-{seed}"


def _is_cached(one: CachedTest) -> bool:
    return _is_test(one.test) and min(one.level, one.evaluations) >= 0


def _is_state(state: RunState) -> bool:
    return all(map(_is_test, state.tests)) and state.evaluations >= 0


def _is_test(data: dict[str, Any]) -> bool:
    return isinstance(data.get("statements"), list)


def _write(file: Path, text: str) -> None:
    """In one step. Raises OSError."""
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f"{_NEW}{file.stem}-", text=True)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(name, file)
    except BaseException:  # Ctrl-C too must leave no half-written file
        os.unlink(name)
        raise


def _remove(file: Path) -> None:
    try:
        file.unlink()
    except OSError:
        return  # it was never written, or is gone already
