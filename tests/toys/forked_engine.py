"""A real engine without a new interpreter: a fork of this process becomes the zygote. For many small subjects, each in its own."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from select import select

from crashwright.core.messages import AnyStart, Message, decode, encode
from crashwright.engine.worker import zygote

PATIENCE = 60.0


def messages_of(start: AnyStart, session: str) -> list[Message]:
    """Everything that the engine says, to its end."""
    read, write = os.pipe()
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        _become_engine(there, read, session)
    os.close(read)
    os.close(there)
    try:
        os.write(write, encode(start))
        return [decode(line) for line in b"".join(_heard(here)).splitlines() if line.strip()]
    finally:
        os.close(write)
        os.close(here)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _become_engine(descriptor: int, control: int, session: str) -> None:
    os.dup2(control, 0)
    try:
        zygote.main(descriptor, session)
    finally:
        os._exit(0)


def _heard(descriptor: int) -> Iterator[bytes]:
    end = time.monotonic() + PATIENCE
    while select([descriptor], [], [], max(0.0, end - time.monotonic()))[0]:
        data = os.read(descriptor, 1 << 16)
        if not data:
            return
        yield data
    raise AssertionError(f"the engine still ran after {PATIENCE:g} s")
