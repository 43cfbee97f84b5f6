"""A program of the user's that is asked something while other work goes on: it reads a text and answers with one. It runs with the
user's own rights, in a process group of its own, and is ended with all that it started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from crashwright.supervision.scratch import Scratch
from crashwright.supervision.watchdog import Watchdog

LONGEST_ANSWER = 4 << 20
"""Bytes; one that writes more is ended."""


@dataclass(frozen=True, slots=True)
class ProgramAnswer:
    """What it wrote, and what was wrong with it, in words; "" for nothing."""

    text: str
    problem: str = ""


class AskedProgram:
    """Runs ``command`` with ``text`` on standard input, for ``seconds`` at most. Raises OSError where it cannot be started."""

    def __init__(
        self,
        command: Sequence[str],
        text: str,
        seconds: float,
        watchdog: Watchdog | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._until = clock() + seconds
        self._clock = clock
        self._watchdog = watchdog
        self._scratch = Scratch(watchdog)
        self._seconds = seconds
        folder = self._scratch.path
        (folder / "question").write_text(text, encoding="utf-8")
        try:
            with (
                (folder / "question").open("rb") as question,
                (folder / "answer").open("wb") as answer,
                (folder / "said").open("wb") as said,
            ):
                self._process = subprocess.Popen(list(command), stdin=question, stdout=answer, stderr=said, start_new_session=True)
        except OSError:
            self._scratch.remove()
            raise
        if watchdog is not None:
            watchdog.watch_group(self._process.pid)

    def poll(self) -> ProgramAnswer | None:
        """Its answer, once there is one; None while it works. To be asked no more after that."""
        code = self._process.poll()
        size = (self._scratch.path / "answer").stat().st_size
        if size > LONGEST_ANSWER:
            return self._ended(f"it wrote more than {LONGEST_ANSWER >> 20} MB")
        if code is None and self._clock() >= self._until:
            return self._ended(f"it did not end in {self._seconds:.0f} s")
        if code is None:
            return None
        said = self._read("said").strip().splitlines()
        last = f": {said[-1][:200]}" if said else ""
        return self._ended(f"it ended with exit status {code}{last}" if code else "")

    def end(self) -> None:
        """End it, now. Harmless when it has ended."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._watchdog is not None:
            self._watchdog.forget_group(self._process.pid)
        self._scratch.remove()

    def _ended(self, problem: str) -> ProgramAnswer:
        answer = ProgramAnswer(self._read("answer"), problem)
        self.end()
        return answer

    def _read(self, name: str) -> str:
        with (self._scratch.path / name).open("rb") as file:
            return file.read(LONGEST_ANSWER).decode(errors="replace")
