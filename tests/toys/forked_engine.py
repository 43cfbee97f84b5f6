"""A real engine without a new interpreter: a fork of a small process becomes the zygote. For many small subjects, each in its own.

The process that runs the tests is no small one. An engine goes through all objects that there are, and would have to copy them.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from select import select
from typing import ParamSpec, TypeVar

import spent_elsewhere

from crashwright.core.messages import AnyStart, Failed, Finished, Message, decode, encode
from crashwright.engine.worker import zygote
from crashwright.engine.worker.bytecode import Bytecode

PATIENCE = 60.0
P = ParamSpec("P")
T = TypeVar("T")


@cache
def _small_process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"))


def in_small_process(function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """What a function of a module gives in a process that has imported this module, and those of the arguments, and no tests."""
    result, spent = _small_process().submit(_counted, function, *arguments, **options).result()
    spent_elsewhere.note(spent)
    return result


def _counted(function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> tuple[T, float]:
    before = sum(os.times()[:4])
    result = function(*arguments, **options)
    return result, sum(os.times()[:4]) - before


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
