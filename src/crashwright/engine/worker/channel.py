"""What an engine says to the outside: messages to the host, checkpoints for its successor, both through descriptors opened before
any test runs."""

from __future__ import annotations

import fcntl
import os
import tempfile
from os import pread, pwrite, write

from crashwright.core.messages import Message, encode
from crashwright.engine.execution.heartbeat import Cell, Heartbeat

FIRST_DESCRIPTOR = 180


class Checkpoints:
    """Two unlinked files used in turn; which one counts is switched in the heartbeat once it is written, so that a death in between
    loses nothing. Made in the zygote, shared with its forks."""

    def __init__(self, heartbeat: Heartbeat, folder: str) -> None:
        self._cells = heartbeat.cells
        self._files = (_unlinked(folder), _unlinked(folder))

    @property
    def count(self) -> int:
        """How many were written so far."""
        return self._cells[Cell.SEQUENCE]

    def save(self, data: bytes) -> None:
        """Make ``data`` the last checkpoint. Raises OSError where it exceeds the file size limit."""
        slot = 1 - self._cells[Cell.SLOT]
        position = 0
        while position < len(data):
            position += pwrite(self._files[slot], data[position:], position)
        self._cells[Cell.LENGTH] = len(data)
        self._cells[Cell.SLOT] = slot
        self._cells[Cell.SAVED] = self._cells[Cell.TESTS]
        self._cells[Cell.SEQUENCE] += 1

    def load(self) -> bytes | None:
        """The last checkpoint, None where there is none."""
        if not self._cells[Cell.SEQUENCE]:
            return None
        return pread(self._files[self._cells[Cell.SLOT]], self._cells[Cell.LENGTH], 0)


class Channel:
    """The way to the host (a pipe) and to the next fork."""

    def __init__(self, descriptor: int, checkpoints: Checkpoints | None = None) -> None:
        self._descriptor = descriptor
        self._checkpoints = checkpoints

    def send(self, message: Message) -> None:
        """Send one message. Raises BrokenPipeError where the host is gone."""
        data = encode(message)
        while data:
            data = data[write(self._descriptor, data) :]

    def checkpoint(self, data: bytes) -> None:
        """What the next fork shall begin with, should this one die: everything worth keeping, at fixed evaluation counts."""
        if self._checkpoints is not None:
            self._checkpoints.save(data)


def _unlinked(folder: str) -> int:
    descriptor, path = tempfile.mkstemp(prefix="checkpoint-", dir=folder)
    os.unlink(path)
    return out_of_reach(descriptor)


def out_of_reach(descriptor: int) -> int:
    """The same file under a high number: a test that closes small numbers misses it, and what it opens never takes its place."""
    high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR)
    os.close(descriptor)
    return high
