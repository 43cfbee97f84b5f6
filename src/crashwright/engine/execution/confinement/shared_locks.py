"""Locks and shared values of ``multiprocessing`` without ``/dev/shm``, where other programs of the user's keep theirs.

A module that makes a lock when it is imported needs a semaphore, which the C library keeps as a file there. A confined process
starts no other that would share it: a lock between its threads does the same. Shared values go to the scratch folder.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

_RECURSIVE = 0
_SHARED_VALUES = "multiprocessing.heap"


def keep_within() -> None:
    """From now on this process makes them so. Harmless where Python has no such locks."""
    try:
        module = importlib.import_module("_multiprocessing")
    except ImportError:  # some systems have none
        return
    if "SemLock" in vars(module):
        module.SemLock = SemLock  # type: ignore[attr-defined]
    if _SHARED_VALUES in sys.modules:
        _move(sys.modules[_SHARED_VALUES])
    else:
        sys.meta_path.insert(0, _Mover())


class SemLock:
    """What ``_multiprocessing.SemLock`` is to its callers: a semaphore (``kind`` 1) or a recursive lock (0)."""

    SEM_VALUE_MAX = 2**31 - 1

    def __init__(self, kind: int, value: int, maxvalue: int, _name: str, _unlink: bool) -> None:
        if not 0 <= value <= maxvalue:
            raise ValueError("invalid value")
        self.kind, self.maxvalue, self.handle = kind, maxvalue, 0
        self.name = None  # there is nothing that a process of its own would have to clean up
        self._value, self._held, self._owner = value, 0, 0
        self._changed = threading.Condition(threading.Lock())

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:
        """Whether it was acquired; ``timeout`` in seconds."""
        if self.kind == _RECURSIVE and self._is_mine():
            self._held += 1
            return True
        longest = None if timeout is None else max(0.0, timeout)
        with self._changed:
            if not self._value and not (block and self._changed.wait_for(lambda: self._value > 0, longest)):
                return False
            self._value -= 1
            self._held, self._owner = self._held + 1, threading.get_ident()
        return True

    def release(self) -> None:
        """Raises AssertionError or ValueError as the original does."""
        if self.kind == _RECURSIVE and not self._is_mine():
            raise AssertionError("attempt to release recursive lock not owned by thread")
        with self._changed:
            if self.kind == _RECURSIVE and self._held > 1:
                self._held -= 1
                return
            if self._value >= self.maxvalue:
                raise ValueError("semaphore or lock released too many times")
            self._value, self._held = self._value + 1, self._held - 1
            self._changed.notify()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_error: object) -> None:
        self.release()

    def _count(self) -> int:
        return self._held

    def _is_mine(self) -> bool:
        return self._held > 0 and self._owner == threading.get_ident()

    def _get_value(self) -> int:
        return self._value

    def _is_zero(self) -> bool:
        return self._value == 0

    def _after_fork(self) -> None:
        self._held = 0


class _Mover:
    """Waits for the import of the module of shared values."""

    def find_spec(self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None) -> ModuleSpec | None:
        if name != _SHARED_VALUES:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def run_and_move(module: ModuleType) -> None:
                run(module)
                _move(module)

            spec.loader.exec_module = run_and_move  # type: ignore[method-assign]
        return spec


def _move(module: ModuleType) -> None:
    """Its files go to the folder for temporary ones."""
    arena = vars(module).get("Arena")
    if arena is not None and "_dir_candidates" in vars(arena):
        arena._dir_candidates = []
