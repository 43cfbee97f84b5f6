"""Commands that start warm: forks of a process that has imported the program and done nothing else, each in a session of its own.

A command that starts cold spends most of its own processor time on imports. What a test looks at while it runs, or gives variables
for the interpreter itself, starts cold all the same.
"""

from __future__ import annotations

import gc
import importlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import spent_elsewhere

HERE = str(Path(__file__).parent)
ZYGOTE = f"import sys; sys.path.insert(0, {HERE!r}); from warm_program import serve; del sys.path[0]; serve(int(sys.argv.pop()))"
HASH_SEEDS = ("1", "2")
"""Of two zygotes that take turns: what runs twice and is compared does not depend on them."""
COMMANDS = ("reproduce", "generate")
"""Whose modules are imported before they are asked for."""
MOST_BYTES = 1 << 17
"""Of a request."""


class Zygote:
    """A process that has imported the program, seen from the test."""

    def __init__(self, hash_seed: str) -> None:
        self._control, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with there:
            self._process = subprocess.Popen(
                [sys.executable, "-c", ZYGOTE, str(there.fileno())],
                env={**os.environ, "PYTHONHASHSEED": hash_seed},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[there.fileno()],
            )

    def run(self, request: bytes, descriptors: Sequence[int], seconds: float) -> int:
        """Run a command to its end; its exit code. Raises TimeoutError if it takes longer: then it has been killed."""
        socket.send_fds(self._control, [request], descriptors)
        command = int(self._control.recv(MOST_BYTES))
        self._control.settimeout(seconds)
        try:
            return self._ended()
        except TimeoutError:
            os.killpg(command, signal.SIGKILL)
            self._control.settimeout(None)
            self._ended()
            raise
        finally:
            self._control.settimeout(None)

    def _ended(self) -> int:
        code, spent = json.loads(self._control.recv(MOST_BYTES))
        spent_elsewhere.note(spent)
        return int(code)


class Zygotes:
    """Some that take turns, each of which is started when its first turn comes. They end with this process, whose end of their
    sockets closes then."""

    def __init__(self) -> None:
        self._turns = itertools.cycle(HASH_SEEDS)
        self._started: dict[str, Zygote] = {}

    def next(self) -> Zygote:
        seed = next(self._turns)
        if seed not in self._started:
            self._started[seed] = Zygote(seed)
        return self._started[seed]


ZYGOTES = Zygotes()


def run_program(
    arguments: Sequence[str], folder: Path, seconds: float, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """``crashwright ARGUMENTS``, run in ``folder`` to its end, with ``environment`` beside the variables of this process."""
    wanted = {**os.environ, **(environment or {})}
    request = json.dumps({"arguments": list(arguments), "folder": str(folder), "environment": wanted}).encode()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(os.devnull) as nothing:
        descriptors = [nothing.fileno(), out.fileno(), err.fileno()]
        try:
            code = ZYGOTES.next().run(request, descriptors, seconds)
        except TimeoutError:
            raise subprocess.TimeoutExpired(list(arguments), seconds, text_in(out), text_in(err)) from None
        return subprocess.CompletedProcess(list(arguments), code, text_in(out), text_in(err))


def text_in(file: IO[bytes]) -> str:
    """All that was written there, by whomever."""
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode()


def serve(descriptor: int) -> None:
    """Be the zygote: start a command for each request until the test ends."""
    from crashwright.cli.main import main

    for command in COMMANDS:
        importlib.import_module(f"crashwright.cli.{command}")
    gc.collect()
    gc.freeze()  # what is not looked at is not copied
    control = socket.socket(fileno=descriptor)
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, MOST_BYTES, 3)
        if not request:
            return
        command = os.fork()
        if not command:
            control.close()
            become(json.loads(request), descriptors)
            main()
        for one in descriptors:
            os.close(one)
        control.send(str(command).encode())
        _, status, used = os.wait4(command, 0)
        control.send(json.dumps([os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime]).encode())


def become(request: Mapping[str, Any], descriptors: Sequence[int]) -> None:
    """What a shell and the interpreter do for a command before it begins: streams, folder, variables and arguments of its own."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, one in enumerate(descriptors):
        os.dup2(one, number)
        os.close(one)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv[1:] = request["arguments"]
