"""The page of memory that an engine shares with its parent: which test runs, and whether anything still moves.

Plain 64-bit cells, each written by one side only, so no lock is needed: a parent that reads between two stores
reads again 10 ms later.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from enum import IntEnum


class HeartbeatCell(IntEnum):
    """What is where. All but SLOT and LENGTH are plain numbers that may be read at any time."""

    RUNNING = 0
    """The number of the test that runs, 0 between tests."""
    KEY = 1
    """``TestCase.key()`` of it."""
    TICKS = 2
    """Ticks handled by the engine's interpreter: stands still in a loop inside C."""
    TESTS = 3
    """Tests run by this fork."""
    LIMIT = 4
    """The CPU limit of a test in microseconds."""
    WALL = 5
    """The wall-clock limit of a test in microseconds."""
    STATE = 6
    """How the engine means to end: see ``HeartbeatState``."""
    SEQUENCE = 7
    """How many checkpoints were written, by all forks."""
    SLOT = 8
    """Which of the two checkpoint files holds the last one."""
    LENGTH = 9
    """Its length in bytes."""
    REASON = 10
    """The length of the text in which an engine that asks for a renewal says why."""
    SAVED = 11
    """Tests run by this fork when it wrote its last checkpoint."""
    WAITING = 12
    """Not 0 while the fork waits for the host: it is not stuck then."""
    CALL = 13
    """The length of the text that says what the test calls, where that is said (see ``running_call``)."""
    NUDGED = 14
    """The number of the test that the parent frees from what it waits in (see ``limits.NUDGE``); written by the parent."""


class HeartbeatState(IntEnum):
    """Tells an orderly end from a death: an exit code alone does not, since the subject may call ``os._exit(0)``."""

    WORKING = 0
    DONE = 1
    RENEW = 2
    FAILED = 3
    STRUCK_OUT = 4


CELLS = 16
TEXT_AT = CELLS * 8
CALL_AT = 4096
TEXT_SIZE = CALL_AT - TEXT_AT
CALL_SIZE = 4096
_BETWEEN = "\0"

_OF_ONE_FORK = (
    HeartbeatCell.RUNNING,
    HeartbeatCell.KEY,
    HeartbeatCell.TICKS,
    HeartbeatCell.TESTS,
    HeartbeatCell.STATE,
    HeartbeatCell.REASON,
    HeartbeatCell.SAVED,
    HeartbeatCell.WAITING,
    HeartbeatCell.CALL,
    HeartbeatCell.NUDGED,
)


class Heartbeat:
    """``cells`` is indexed with :class:`HeartbeatCell`. Made before the fork; the same memory in parent and child."""

    __slots__ = ("_page", "cells")

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, CALL_AT + CALL_SIZE)
        self.cells: memoryview[int] = memoryview(self._page)[:TEXT_AT].cast("q")

    def reset(self) -> None:
        """Ready for the next fork; what concerns checkpoints stays."""
        for cell in _OF_ONE_FORK:
            self.cells[cell] = 0

    def note_waiting(self, waits: bool) -> None:
        """Tell the parent that this process waits for the host, or does no longer."""
        self.cells[HeartbeatCell.WAITING] = waits

    def write_reason(self, text: str) -> None:
        """Leave a short text for the parent."""
        data = text.encode(errors="replace")[:TEXT_SIZE]
        self._page[TEXT_AT : TEXT_AT + len(data)] = data
        self.cells[HeartbeatCell.REASON] = len(data)

    def reason(self) -> str:
        """The text that the last fork left."""
        return self._page[TEXT_AT : TEXT_AT + self.cells[HeartbeatCell.REASON]].decode(errors="replace")

    def write_call(self, parts: Sequence[str]) -> None:
        """Say what the test calls."""
        data = _BETWEEN.join(parts).encode(errors="replace")
        self.cells[HeartbeatCell.CALL] = 0
        if len(data) <= CALL_SIZE:
            self._page[CALL_AT : CALL_AT + len(data)] = data
            self.cells[HeartbeatCell.CALL] = len(data)

    def end_call(self) -> None:
        """It calls nothing more."""
        self.cells[HeartbeatCell.CALL] = 0

    def call(self) -> list[str]:
        """What the test called when the last fork ended, as :meth:`write_call` was given it; empty where it was not said."""
        length = self.cells[HeartbeatCell.CALL]
        return self._page[CALL_AT : CALL_AT + length].decode(errors="replace").split(_BETWEEN) if length else []
