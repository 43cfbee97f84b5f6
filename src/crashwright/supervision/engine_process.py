"""An engine seen from the host: a process in the user's interpreter that is started, listened to, and never waited for in vain."""

from __future__ import annotations

import dataclasses
import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterator, Mapping
from types import TracebackType

from crashwright.core.messages import (
    AnyStart,
    Failed,
    FailureKind,
    Finished,
    Imported,
    Incident,
    IncidentKind,
    Message,
    Ready,
    Start,
    decode,
    encode,
)
from crashwright.core.suite import ModuleTarget
from crashwright.supervision.bootstrap import BOOTSTRAP, source_folder
from crashwright.supervision.scratch import Scratch
from crashwright.supervision.watchdog import Watchdog

SESSION = "crashwright.engine.sessions.crash"
LONGEST_SET_UP = 600.0
"""Seconds that an engine may take from the import to Ready: it reads sources and examples, which ends."""
IMPORT_GRACE = 3.0
"""Seconds beyond the import limit after which the host no longer believes that the engine enforces it itself."""
READ_SIZE = 1 << 16
_BEGINNING = b'{"message":'
LONGEST_LINE = 1 << 26
ALIVE_SECONDS = 0.25
"""How often a silent engine is looked at: its fork may hold the pipe open after the zygote was killed."""


class EngineProcess:
    """One engine. Use as a context manager, or call :meth:`stop`; both leave no process behind.

    ``python`` is the interpreter that can import the subject. The scratch folder that ``start`` names is made where it is
    missing, and left to the caller; where it names none, a temporary one is made and removed at the end. ``environment`` is
    added to that of this process. ``watchdog`` cleans up where this process is killed. Raises OSError where the interpreter cannot
    be run.
    """

    def __init__(
        self,
        python: str,
        start: AnyStart,
        session: str = SESSION,
        environment: Mapping[str, str] | None = None,
        watchdog: Watchdog | None = None,
    ) -> None:
        self._watchdog = watchdog
        self._scratch = None if start.settings.scratch else Scratch(watchdog, _purpose(start))
        if self._scratch is not None:
            start = dataclasses.replace(start, settings=dataclasses.replace(start.settings, scratch=str(self._scratch.path)))
        self._start = start
        self._ready = False
        self._imported = 0.0  # when
        self._ended = False
        self._stopped = False
        self._rests = False
        self._killed = False
        self._buffer = b""
        self._disturbed = False
        self._unsent = b""
        self._death = ""
        self._waiting: deque[Message] = deque()
        self._started = time.monotonic()
        try:
            self._process, self._pipe = _launch(python, start, session, environment or {})
        except OSError:
            self._remove_scratch()
            raise
        if watchdog is not None:
            watchdog.watch_group(self._process.pid)

    def fileno(self) -> int:
        """The descriptor of the message pipe, to wait for several engines at once."""
        return self._pipe

    @property
    def pid(self) -> int:
        """The process id of the zygote, which is also that of its process group."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Messages may still come."""
        return bool(self._waiting) or not self._ended

    @property
    def was_killed(self) -> bool:
        """It ended without a word, and that may not happen again: killed from outside, or at work rather than by the import."""
        return bool(self._death) and (self._ready or self._death == "SIGKILL")

    def messages(self, deadline: float | None = None) -> Iterator[Message]:
        """Messages as they come, until Finished or Failed, or until ``time.monotonic()`` reaches ``deadline``. The death of an
        engine comes as Failed."""
        while self.running:
            message = self.next(None if deadline is None else deadline - time.monotonic())
            if message is not None:
                yield message
            elif deadline is not None and time.monotonic() >= deadline:
                return

    def next(self, seconds: float | None = 0.0) -> Message | None:
        """The next message, waiting up to ``seconds`` for it (None: as long as it takes); None where none came or none will
        come."""
        until = None if seconds is None else time.monotonic() + max(seconds, 0.0)
        while not self._waiting and not self._ended:
            now = time.monotonic()
            limits = [limit for limit in (until, self._import_deadline()) if limit is not None]
            if select.select([self._pipe], [], [], max(0.0, min([now + ALIVE_SECONDS, *limits]) - now))[0]:
                self._read()
            elif self._process.poll() is not None and not select.select([self._pipe], [], [], 0.0)[0]:
                self._finish(self._obituary())
            elif until is not None and time.monotonic() >= until:
                return None
            else:
                self._check_import()
        return self._waiting.popleft() if self._waiting else None

    def send(self, message: Message) -> None:
        """Tell the engine something, once it is ready. Never waits: what its pipe does not take now goes with the next message."""
        assert self._process.stdin is not None
        if self._ended or self._process.stdin.closed:
            return
        self._unsent += encode(message)
        try:
            self._unsent = self._unsent[os.write(self._process.stdin.fileno(), self._unsent) :]
        except (BlockingIOError, BrokenPipeError):
            return  # it is busy, or dead, which reading from it will tell

    def ask_to_stop(self) -> None:
        """Close its standard input. To be followed by :meth:`stop`; so several engines end at the same time."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.stdin.close()

    def stop(self, grace: float = 1.0) -> None:
        """Ask the engine to stop, kill its process group after ``grace`` seconds, remove what it left. May be called again."""
        if not self._stopped:
            self._stopped = True
            self.ask_to_stop()
            try:
                self._process.wait(grace)
            except subprocess.TimeoutExpired:
                pass  # the kill below does not ask
            finally:
                self._kill()
                os.close(self._pipe)
                self._ended = True
                if self._watchdog is not None:
                    self._watchdog.forget_group(self._process.pid)
                self._remove_scratch()

    @property
    def started_for(self) -> AnyStart:
        """What it was started for at first."""
        return self._start

    @property
    def can_go_on(self) -> bool:
        """Its search is over, and it waits for another one of the same package."""
        return self._rests and not self._stopped and not self._killed and self._process.poll() is None

    def go_on(self, start: Start) -> bool:
        """Have it search for another frame of the same crash, in the process that has imported the package. False where it is gone
        after all: then :meth:`stop` it."""
        assert self._process.stdin is not None
        start = dataclasses.replace(start, settings=dataclasses.replace(start.settings, scratch=self._start.settings.scratch))
        descriptor = self._process.stdin.fileno()
        self._waiting.clear()
        self._rests = self._ended = self._ready = self._disturbed = False
        self._buffer = self._unsent = b""
        self._imported = time.monotonic()
        data = b"\n" + encode(start)
        os.set_blocking(descriptor, True)
        try:
            while data:
                data = data[os.write(descriptor, data) :]
            os.set_blocking(descriptor, False)
        except BrokenPipeError:
            self._ended = True
            return False
        return True

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.stop(0.0 if kind is not None else 1.0)

    def _import_deadline(self) -> float | None:
        if self._ready:
            return None
        if self._imported:
            return self._imported + LONGEST_SET_UP
        limits = self._start.settings.limits
        return self._started + max(limits.import_seconds, limits.longest_import) + IMPORT_GRACE

    def _check_import(self) -> None:
        deadline = self._import_deadline()
        if deadline is not None and time.monotonic() >= deadline:
            self._kill()
            package = self._start.target.package
            what = "what the search needs of" if self._imported else "the import of"
            seconds = time.monotonic() - (self._imported or self._started)
            text = f"{what} {package} did not finish in {seconds:.0f} s and could not be interrupted"
            self._finish(Failed(FailureKind.SLOW_IMPORT, text))

    def _read(self) -> None:
        data = os.read(self._pipe, READ_SIZE)
        if not data:
            self._finish(self._obituary())
            return
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        if len(self._buffer) > LONGEST_LINE:
            self._buffer = b"?"  # no message is so long: what follows belongs to it, up to the next line
        for line in lines:
            self._take(line)

    def _take(self, line: bytes) -> None:
        if self._ended or not line.strip():
            return
        try:
            message = decode(line)
        except (ValueError, RecursionError):
            if self._disturbed or line.startswith(_BEGINNING):  # half a message: its fork was killed while it spoke
                return
            self._disturbed = True
            message = Incident(IncidentKind.DISTURBED, "a test wrote into the engine's own pipe; its text was ignored")
        if isinstance(message, Imported):
            self._imported = time.monotonic()
            return
        if isinstance(message, Ready):
            self._ready = True
        if isinstance(message, Finished | Failed):
            self._rests = isinstance(message, Finished) or message.kind is FailureKind.TARGET
            self._finish(message)
        else:
            self._waiting.append(message)

    def _finish(self, message: Message) -> None:
        if not self._ended:
            self._ended = True
            self._waiting.append(message)

    def _obituary(self) -> Failed:
        """Why the engine went without a word."""
        self._kill()
        code = self._process.returncode
        how = self._death = f"exit code {code}" if code >= 0 else _signal_name(-code)
        if self._ready:
            return Failed(FailureKind.INTERNAL, f"the engine ended without a result ({how})")
        package = self._start.target.package
        return Failed(FailureKind.IMPORT, f"the import of {package} ended the interpreter ({how})")

    def _kill(self) -> None:
        """End every process of the engine's group, once: after that its number may be somebody else's."""
        if self._killed:
            return
        self._killed = True
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()  # the group is gone, or (macOS) consists of a zombie only
        self._process.wait()

    def _remove_scratch(self) -> None:
        if self._scratch is not None:
            self._scratch.remove()


def _purpose(start: AnyStart) -> str:
    """What the scratch folder of an engine is named by: a run with the same seed finds the same names there."""
    target = start.target
    what = target.module if isinstance(target, ModuleTarget) else f"{target.package} {target.exception} {target.message}"
    return f"{start.settings.search.seed} {what}"


def _launch(python: str, start: AnyStart, session: str, environment: Mapping[str, str]) -> tuple[subprocess.Popen[bytes], int]:
    """The process, with its Start line sent, and the reading end of its message pipe."""
    reading, writing = os.pipe()
    try:
        os.makedirs(start.settings.scratch, exist_ok=True)
        process = subprocess.Popen(
            # -P keeps the current folder off sys.path, -B leaves no bytecode beside the user's files.
            [python, "-P", "-B", "-c", BOOTSTRAP, source_folder(), str(writing), session, start.settings.cache],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=start.settings.scratch,
            env={**os.environ, "PYTHONHASHSEED": str(start.settings.search.seed % 2**32), **environment},
            pass_fds=(writing,),
            start_new_session=True,
        )
    except OSError:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    assert process.stdin is not None
    data = encode(start)
    try:
        while data:
            data = data[os.write(process.stdin.fileno(), data) :]
    except BrokenPipeError:
        pass  # it is dead already, which reading from it will tell
    os.set_blocking(process.stdin.fileno(), False)
    return process, reading


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
