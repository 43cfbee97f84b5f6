"""The command line as a user runs it, on a subject made for the test, watched from outside for what it leaves behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from patience import HANG
from warm_program import run_program

# An interrupt that is ignored where the tests were started would be ignored here too, and in everything that this starts.
PROGRAM = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from crashwright.cli.main import main; main()"
TIMEOUT = HANG
GONE = 30.0
"""Seconds that processes which were killed have to be gone: on a busy machine the kernel takes its time."""
MARK = "CRASHWRIGHT_TEST_PLACE"
"""An environment variable that every process of a command inherits, so that /proc tells which are its."""
FAIR = 0.33
"""What of a processor one process has beside four others on two of them, at least."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended. ``processes`` and ``scratch`` are what it left behind."""

    code: int
    out: str
    err: str
    seconds: float
    processes: list[str]
    scratch: list[str]

    @property
    def messages(self) -> list[str]:
        """The lines on standard error that are not progress."""
        return [line for line in self.err.splitlines() if not line.startswith("... ")]

    @property
    def left_nothing(self) -> bool:
        return not self.processes and not self.scratch


class Place:
    """A folder with a subject package ``victim`` (a single module), a report of its crash, and an empty folder to work in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.work, self.code, self.temporary = root / "work", root / "code", root / "temporary"
        for folder in (self.work, self.code, self.temporary):
            folder.mkdir()
        self.report = root / "crash.txt"

    def subject(self, source: str, crash_line: str = "raise ", function: str = "work", name: str = "victim") -> None:
        """Write the subject, and a report of ``ValueError: too many`` at the last line of it that holds ``crash_line``."""
        text = textwrap.dedent(source).lstrip()
        (self.code / f"{name}.py").write_text(text)
        lines = text.splitlines()
        number = max(index for index, line in enumerate(lines, 1) if crash_line in line)
        self.report.write_text(
            "Traceback (most recent call last):\n"
            '  File "/srv/app.py", line 3, in <module>\n'
            "    main()\n"
            f'  File "/srv/{name}.py", line {number}, in {function}\n'
            f"    {lines[number - 1].strip()}\n"
            "ValueError: too many\n"
        )

    def tell(self, error: str, *frames: tuple[str, str], before: str = "", name: str = "victim") -> None:
        """Write a report of ``error`` that went through these ``frames``, after the lines ``before``. A frame is a part of its
        line, the first one in the file, and its function."""
        lines = (self.code / f"{name}.py").read_text().splitlines()
        report = [*([before] if before else []), "Traceback (most recent call last):"]
        for said, function in frames:
            number = next(number for number, line in enumerate(lines, 1) if said in line)
            report += [f'  File "/srv/{name}.py", line {number}, in {function}', f"    {lines[number - 1].strip()}"]
        self.report.write_text("\n".join([*report, error, ""]))

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """``crashwright reproduce`` on the report, running."""
        command = [sys.executable, "-c", PROGRAM, "reproduce", str(self.report), "--path", str(self.code), *arguments]
        return subprocess.Popen(
            command,
            cwd=self.work,
            env={**os.environ, "TMPDIR": str(self.temporary), MARK: str(self.root), **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def finish(self, process: subprocess.Popen[str], begin: float) -> Done:
        """Wait for the end, then look round."""
        try:
            out, err = process.communicate(timeout=TIMEOUT)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
        return self._left(process.returncode, out, err, begin)

    def _left(self, code: int, out: str, err: str, begin: float) -> Done:
        seconds, until = time.monotonic() - begin, time.monotonic() + GONE
        while self.processes() and time.monotonic() < until:
            time.sleep(0.02)
        return Done(code, out, err, seconds, self.processes(), os.listdir(self.temporary))

    def reproduce(self, *arguments: str, **environment: str) -> Done:
        """``crashwright reproduce`` on the report, from start to end."""
        return self.run("reproduce", str(self.report), "--path", str(self.code), *arguments, **environment)

    def run(self, *arguments: str, **environment: str) -> Done:
        """Another command, from start to end."""
        begin = time.monotonic()
        done = run_program(arguments, self.work, TIMEOUT, {"TMPDIR": str(self.temporary), MARK: str(self.root), **environment})
        return self._left(done.returncode, done.stdout, done.stderr, begin)

    def interrupt(self, when: Callable[[], bool], *arguments: str, number: int = signal.SIGINT, times: int = 1) -> Done:
        """Start it, send the signal as soon as ``when()``, wait for the end."""
        begin = time.monotonic()
        process = self.start(*arguments)
        while not when():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() - begin < TIMEOUT, "it never came so far"
            time.sleep(0.02)
        for _ in range(times):
            os.kill(process.pid, number)
            time.sleep(0.3)
        return self.finish(process, begin)

    def processes(self) -> list[str]:
        """The processes of a command started here that still run (zombies do not)."""
        return marked(self.root)

    @property
    def written(self) -> list[Path]:
        """The files in the working folder."""
        return sorted(self.work.iterdir())


def marked(mark: Path) -> list[str]:
    """The command lines of the processes that still run (zombies do not) with this in ``MARK``."""
    found = []
    wanted = f"{MARK}={mark}".encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if wanted in (entry / "environ").read_bytes().split(b"\0"):
                    found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:200])
            except OSError:
                continue
    return found


def slowness() -> float:
    """How much slower than ``FAIR`` the machine is, where other things run on it besides this test."""
    wall, cpu = time.monotonic(), time.process_time()
    while time.process_time() - cpu < 0.3:
        pass
    return max(1.0, FAIR * (time.monotonic() - wall) / 0.3)


def reported_from(place: Place, call: str, view: str) -> None:
    """The report of the ``place``, with a frame of the function that makes the ``call`` in front of the others."""
    lines = (place.code / "victim.py").read_text().splitlines()
    number = next(index for index, line in enumerate(lines, 1) if call in line)
    frame = f'  File "/srv/victim.py", line {number}, in {view}\n    {lines[number - 1].strip()}\n'
    text = place.report.read_text()
    place.report.write_text(text.replace('  File "/srv/app.py", line 3, in <module>\n    main()\n', frame, 1))
