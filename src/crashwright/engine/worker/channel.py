"""What an engine says to the outside and hears from it: messages to and from the host, checkpoints for its successor, all through
descriptors opened before any test runs."""

from __future__ import annotations

import fcntl
import math
import os
import select
import tempfile
from binascii import crc32
from collections.abc import Iterable
from os import pread, pwrite, read, write
from typing import TypeVar

from crashwright.core.messages import Message, Stop, decode, encode
from crashwright.engine.execution.heartbeat import Heartbeat, HeartbeatCell

M = TypeVar("M")
FIRST_DESCRIPTOR = 180
MOST_DESCRIPTORS = 16
READ_SIZE = 1 << 16
_SUM = 4
"""Bytes of the checksum at the beginning of a checkpoint."""


class Checkpoints:
    """Two unlinked files used in turn; which one counts is switched in the heartbeat once it is written, so that a death in between
    loses nothing. Made in the zygote, shared with its forks."""

    def __init__(self, heartbeat: Heartbeat, folder: str) -> None:
        self._cells = heartbeat.cells
        self._files = (_unlinked(folder), _unlinked(folder))

    @property
    def count(self) -> int:
        """How many were written so far."""
        return self._cells[HeartbeatCell.SEQUENCE]

    def save(self, data: bytes) -> None:
        """Make ``data`` the last checkpoint. Raises OSError where it exceeds the file size limit."""
        slot = 1 - self._cells[HeartbeatCell.SLOT]
        data = crc32(data).to_bytes(_SUM, "big") + data
        position = 0
        while position < len(data):
            position += pwrite(self._files[slot], data[position:], position)
        self._cells[HeartbeatCell.LENGTH] = len(data)
        self._cells[HeartbeatCell.SLOT] = slot
        self._cells[HeartbeatCell.SAVED] = self._cells[HeartbeatCell.TESTS]
        self._cells[HeartbeatCell.SEQUENCE] += 1

    def load(self) -> bytes | None:
        """The last checkpoint, None where there is none, or where a test wrote into it."""
        if not self._cells[HeartbeatCell.SEQUENCE]:
            return None
        data = pread(self._files[self._cells[HeartbeatCell.SLOT]], self._cells[HeartbeatCell.LENGTH], 0)
        checked, data = data[:_SUM], data[_SUM:]
        return data if crc32(data).to_bytes(_SUM, "big") == checked else None


class Channel:
    """The way to the host (a pipe), from it (``control``, another one, -1: none), and to the next fork.

    The fork that searches reads ``control`` itself; the nursery only watches it for the end. What a fork has read dies with it.
    """

    def __init__(self, descriptor: int, checkpoints: Checkpoints | None = None, control: int = -1) -> None:
        self._descriptor = descriptor
        self._checkpoints = checkpoints
        self._control = control
        self._heard = b""
        self._inbox: list[object] = []
        self.granted = math.inf
        """Seconds that the host grants for what follows the search: not bounded until it has said :class:`Stop`."""
        self._poll = select.poll()
        if control >= 0:
            self._poll.register(control, select.POLLIN)

    def send(self, message: Message) -> None:
        """Send one message. Raises BrokenPipeError where the host is gone."""
        # On a line of its own, whatever a test wrote into the pipe or a fork that died left unfinished.
        data = b"\n" + encode(message)
        while data:
            data = data[write(self._descriptor, data) :]

    def receive(self, kind: type[M], seconds: float = 0.0) -> list[M]:
        """What the host has said of this kind since the last call, waiting up to ``seconds`` for anything."""
        if not any(type(message) is kind for message in self._inbox):
            self._listen(seconds)
        messages = [message for message in self._inbox if type(message) is kind]
        self._inbox = [message for message in self._inbox if type(message) is not kind]
        return messages

    def hear_again(self, messages: Iterable[Message]) -> None:
        """As if the host said once more what went to a fork that died."""
        self._inbox.extend(messages)

    def asked_to_stop(self) -> bool:
        """Whether the host has said :class:`Stop`."""
        self._listen(0.0)
        return self.granted < math.inf

    def _listen(self, seconds: float) -> None:
        """Read what has come. Half a line, the beginning of which went to a fork that died, is passed over."""
        if self._control < 0 or not self._poll.poll(seconds * 1000.0):
            return
        try:
            data = read(self._control, READ_SIZE)
        except BlockingIOError:
            return
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            try:
                message = decode(line)
            except ValueError:
                continue  # half a line
            if isinstance(message, Stop):
                self.granted = min(self.granted, message.seconds)
            else:
                self._inbox.append(message)

    def checkpoint(self, data: bytes) -> None:
        """What the next fork shall begin with, should this one die: everything worth keeping, at fixed evaluation counts."""
        if self._checkpoints is not None:
            self._checkpoints.save(data)


class SilentChannel(Channel):
    """Says nothing and hears nothing: for a search within another."""

    def __init__(self) -> None:
        super().__init__(-1)

    def send(self, message: Message) -> None:
        """Nobody hears it."""


def _unlinked(folder: str) -> int:
    descriptor, path = tempfile.mkstemp(prefix="checkpoint-", dir=folder)
    os.unlink(path)
    return out_of_reach(descriptor)


def out_of_reach(descriptor: int) -> int:
    """The same file under a high number: a test that closes small numbers misses it, and what it opens never takes its place."""
    high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR)
    os.close(descriptor)
    return high


def open_descriptors() -> list[int]:
    """The numbers that :func:`out_of_reach` has given out and that are still open."""
    found = []
    for descriptor in range(FIRST_DESCRIPTOR, FIRST_DESCRIPTOR + MOST_DESCRIPTORS):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        found.append(descriptor)
    return found
