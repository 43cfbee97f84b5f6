"""A real engine without a new interpreter: a fork of a small process becomes the zygote. For many small subjects, each in its own.

The process that runs the tests is no small one. An engine goes through all objects that there are, and would have to copy them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from select import select
from typing import ParamSpec, TypeVar

import spent_elsewhere

from crashwright.core.messages import AnyStart, Failed, Finished, Message, decode, encode
from crashwright.engine.worker import zygote
from crashwright.engine.worker.bytecode import Bytecode

PATIENCE = 60.0
P = ParamSpec("P")
T = TypeVar("T")


class _SmallProcess:
    """It ends with this one, whose end of the pipe closes then. There are no threads on this side: tests look at those."""

    def __init__(self) -> None:
        self._here, there = Pipe()
        with there:
            code = f"import sys; sys.path[:] = {sys.path!r}; from forked_engine import _serve; _serve(int(sys.argv[1]))"
            descriptor = there.fileno()
            self._process = subprocess.Popen([sys.executable, "-c", code, str(descriptor)], pass_fds=[descriptor])

    def ask(self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        self._here.send(sys.path)  # where the modules are that it is about to import
        self._here.send((function, arguments, options))
        done, result, spent = self._here.recv()
        spent_elsewhere.note(spent)
        if not done:
            raise result
        return result  # type: ignore[no-any-return]


_small_process = cache(_SmallProcess)


def in_small_process(function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """What a function of a module gives in a process that has imported this module, and those of the arguments, and no tests."""
    return _small_process().ask(function, *arguments, **options)


def _serve(descriptor: int) -> None:
    with suppress(EOFError), Connection(descriptor) as asked:
        while True:
            sys.path[:] = asked.recv()
            function, arguments, options = asked.recv()
            before = sum(os.times()[:4])
            try:
                done, result = True, function(*arguments, **options)
            except Exception as error:  # noqa: BLE001 - it is raised where it was asked
                done, result = False, error
            asked.send((done, result, sum(os.times()[:4]) - before))


def messages_of(start: AnyStart, session: str) -> list[Message]:
    """Everything that an engine says, to its end, which is a fork of this process: see :func:`in_small_process`."""
    read, write = os.pipe()
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(write)  # or its own copy would keep its standard input open
        os.close(here)
        _become_engine(there, read, session)
    os.close(read)
    os.close(there)
    try:
        with open(write, "wb", buffering=0) as said:
            said.write(encode(start))
            heard: list[Message] = []
            for line in _lines(here):
                heard.append(decode(line))
                if isinstance(heard[-1], Finished | Failed):
                    said.close()  # an engine waits for another search until nobody is there any more
            return heard
    finally:
        os.close(here)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _become_engine(descriptor: int, control: int, session: str) -> None:
    os.dup2(control, 0)
    try:
        zygote.main(descriptor, session, Bytecode("", ""))
    finally:
        os._exit(0)


def _lines(descriptor: int) -> Iterator[bytes]:
    rest = b""
    for data in _heard(descriptor):
        *lines, rest = (rest + data).split(b"\n")
        yield from filter(bytes.strip, lines)
    if rest.strip():
        yield rest


def _heard(descriptor: int) -> Iterator[bytes]:
    end = time.monotonic() + PATIENCE
    while select([descriptor], [], [], max(0.0, end - time.monotonic()))[0]:
        data = os.read(descriptor, 1 << 16)
        if not data:
            return
        yield data
    raise AssertionError(f"the engine still ran after {PATIENCE:g} s")
