"""Virtual time for tests: a sleep returns at once and the clocks of ``time`` have gone on by as much.

A test that sleeps for an hour is then as fast as any, and what a subject does after a delay is within reach. It is put in place
before the subject is imported, which may bind ``time.sleep`` to a name of its own. Outside tests nothing is virtual: the offset is
taken back after each, and the engine reads the same clocks.
"""

from __future__ import annotations

import time
from _thread import _count as count_threads  # threading.active_count() is many times slower
from collections.abc import Callable
from types import MethodType
from typing import Any

from crashwright.engine.execution.limits import TestTimeout

LONGEST = 10.0**9
"""Seconds that a test may sleep in all: clocks must go on making sense."""
MANY, PATIENCE = 200, 600.0
"""A test that sleeps so often, and for so many seconds in all, tries again and again what will not come."""
MOST_SECONDS = 9.2e9
"""What ``time.sleep`` takes at most; it refuses more."""


class VirtualTime:
    """``active`` from the first test on. What is installed are bound methods: as attributes of a class they bind no more than the
    functions of C that they stand for."""

    def __init__(self) -> None:
        self.active = False
        self.slept = 0.0
        """Virtual seconds of the test that runs, or ran last."""
        self._sleeps = 0
        self.on_sleep: Callable[[], None] | None = None
        """Told of each sleep, while it is being called."""
        self._threads = count_threads()
        self._sleep = time.sleep
        self._clocks: dict[str, Callable[[], Any]] = {name: getattr(time, name) for name in ("time", "monotonic", "perf_counter")}
        self._in_ns: dict[str, Callable[[], int]] = {f"{name}_ns": getattr(time, f"{name}_ns") for name in self._clocks}

    def install(self) -> None:
        """Before the subject is imported."""
        time.sleep = MethodType(VirtualTime.sleep, self)
        for name, clock in self._clocks.items():
            setattr(time, name, MethodType(_seconds, (self, clock)))
        for name, clock in self._in_ns.items():
            setattr(time, name, MethodType(_nanoseconds, (self, clock)))

    def remove(self) -> None:
        """Put the real functions back."""
        time.sleep = self._sleep
        for name, clock in (*self._clocks.items(), *self._in_ns.items()):
            setattr(time, name, clock)

    def begin(self) -> None:
        """In the fork that runs tests."""
        self._threads = count_threads()
        self.active = True

    def sleep(self, seconds: Any, /) -> None:
        """``time.sleep``, which has no keyword. Where another thread runs it is a real one: somebody waits for that thread."""
        if not ((type(seconds) is float or type(seconds) is int) and 0 < seconds <= MOST_SECONDS and self.pass_by(seconds)):
            self._sleep(seconds)

    def pass_by(self, seconds: float) -> bool:
        """Let time go on. False where it cannot; TestTimeout where it would be for longer than a test may sleep: waiting for that
        in earnest takes all of its time and ends no other way."""
        if not self.active or count_threads() > self._threads:
            return False
        self._sleeps = self._sleeps + 1 if self.slept else 1
        if self.on_sleep is not None:
            self.on_sleep()
        if self.slept + seconds > LONGEST or (self._sleeps > MANY and self.slept > PATIENCE):
            raise TestTimeout
        self.slept += seconds
        return True


def _seconds(of: tuple[VirtualTime, Callable[[], float]], /) -> float:
    return of[1]() + of[0].slept


def _nanoseconds(of: tuple[VirtualTime, Callable[[], int]], /) -> int:
    return of[1]() + int(of[0].slept * 1e9)
