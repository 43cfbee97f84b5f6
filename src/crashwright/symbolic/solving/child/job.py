"""A job in a child process as the host sees it: started, listened to, and never waited for beyond its limit.

The limit is kept to 100 ms, whatever the child does: it is killed, with every process of its group, and what it told until then is
kept.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum
from types import TracebackType
from typing import IO, Any, Final, NamedTuple

from crashwright.symbolic.solving.child.inside import FAILED, RESULT, TOLD

MEMORY: Final = 1 << 30
"""Bytes of address space that a child may have."""
DYING_SECONDS: Final = 0.05
"""A child that closed its pipe is about to end; its code says how."""
_READ_SIZE: Final = 1 << 16
_BOOTSTRAP: Final = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from crashwright.symbolic.solving.child.inside import main
main(int(sys.argv[2]), int(sys.argv[3]))
"""


class End(Enum):
    """How a job ended."""

    FINISHED = "finished"
    FAILED = "failed"
    """It raised, or ran out of memory."""
    LATE = "late"
    """It was killed at its limit."""
    DIED = "died"
    STOPPED = "stopped"
    """It was no longer wanted."""


class JobEnding(NamedTuple):
    """``result`` of a job that finished; ``reason`` of any other."""

    end: End
    result: Any = None
    reason: str = ""


class Job:
    """One child. Use as a context manager, or call :meth:`stop`; both leave no process behind.

    ``entry`` is ``module:function``; ``seconds`` count from here, the start of an interpreter (about 0.1 s) included; ``niceness``:
    how far it stands behind other processes. Raises OSError where no process can be started. Start it from a thread that lasts:
    the kernel ends it with that thread.
    """

    def __init__(
        self,
        entry: str,
        request: object,
        seconds: float,
        memory: int = MEMORY,
        clock: Callable[[], float] = time.monotonic,
        niceness: int = 0,
    ) -> None:
        self._clock = clock
        self._until = clock() + seconds
        self._waiting: deque[Any] = deque()
        self._buffer = b""
        self._ending: JobEnding | None = None
        self._process, self._input, self._pipe = _launch()
        self._unsent = json.dumps({"entry": entry, "request": request, "memory": memory, "niceness": niceness}).encode() + b"\n"
        self._send()

    def fileno(self) -> int:
        """The descriptor of what it writes, to wait for several at once."""
        return self._pipe

    @property
    def pid(self) -> int:
        """The child's process id, which is also that of its group."""
        return self._process.pid

    @property
    def ending(self) -> JobEnding | None:
        """How it ended; None where it still runs."""
        return self._ending

    def told(self) -> Iterator[Any]:
        """What it tells, as it comes, until it has ended or its time is up. Then there is an :attr:`ending`."""
        while True:
            message = self.next(None)
            if message is None:
                return
            yield message[0]

    def next(self, seconds: float | None = 0.0) -> tuple[Any] | None:
        """The next that it tells, waiting so long for it at most (None: until it ends); None where nothing came."""
        until = self._until if seconds is None else min(self._until, self._clock() + max(seconds, 0.0))
        while not self._waiting and self._ending is None:
            rest = until - self._clock()
            writing = [self._input] if self._unsent else []
            readable, writable, _ = select.select([self._pipe], writing, [], max(rest, 0.0))
            if writable:
                self._send()
            if readable:
                self._read()
            elif self._clock() >= self._until:
                self._end(JobEnding(End.LATE, reason="it was killed at its limit"))
            elif rest <= 0:
                return None
        return (self._waiting.popleft(),) if self._waiting else None

    def stop(self) -> None:
        """End it, at once. May be called again."""
        self._end(JobEnding(End.STOPPED, reason="it was stopped"))
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1

    def __enter__(self) -> Job:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.stop()

    def _send(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._input.fileno(), self._unsent) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent = b""  # it is dead, which reading from it will tell

    def _read(self) -> None:
        data = os.read(self._pipe, _READ_SIZE)
        if not data:
            self._end(JobEnding(End.DIED))
            return
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            self._take(json.loads(line))

    def _take(self, message: dict[str, Any]) -> None:
        if TOLD in message:
            self._waiting.append(message[TOLD])
        elif RESULT in message:
            self._end(JobEnding(End.FINISHED, message[RESULT]))
        else:
            self._end(JobEnding(End.FAILED, reason=message[FAILED]))

    def _end(self, ending: JobEnding) -> None:
        if self._ending is not None:
            return
        if ending.end is End.DIED:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(DYING_SECONDS)
        died = self._process.poll()
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()  # the group is gone, or (macOS) consists of a zombie only
        self._process.wait()
        self._input.close()
        self._ending = ending._replace(reason=_how(died)) if ending.end is End.DIED else ending


def _launch() -> tuple[subprocess.Popen[bytes], IO[bytes], int]:
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _BOOTSTRAP, json.dumps([one for one in sys.path if one]), str(writing), str(os.getpid())],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Hashes of texts are the same in each run, and with them the order of whatever is kept in sets.
            env={**os.environ, "PYTHONHASHSEED": "0"},
            pass_fds=(writing,),
            start_new_session=True,
        )
    except OSError:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    assert process.stdin is not None
    os.set_blocking(process.stdin.fileno(), False)
    return process, process.stdin, reading


def _how(code: int | None) -> str:
    if code is None:
        return "it closed its pipe"
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
