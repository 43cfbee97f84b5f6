"""A program run in a fresh interpreter, confined and bounded in time and output: how printed tests are verified."""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from crashwright.supervision.scratch import Scratch
from crashwright.supervision.watchdog import Watchdog

MIB = 1 << 20
OUTPUT_LIMIT = 1 * MIB
"""Bytes kept of the output: the first half and the last half of these."""


@dataclass(frozen=True, slots=True)
class FreshLimits:
    """Bounds of one run; memory is the address space in all."""

    memory_mib: int = 4096
    file_mib: int = 64
    open_files: int = 512


@dataclass(frozen=True, slots=True)
class FreshRun:
    """``code`` as from ``subprocess`` (negative: killed by a signal), None where the time was up. ``output`` is both streams."""

    code: int | None
    output: str
    seconds: float = 0.0


def run_fresh(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    seconds: float,
    limits: FreshLimits | None = None,
    watchdog: Watchdog | None = None,
) -> FreshRun:
    """Run a command (the first of ``arguments`` is the program) in ``folder``, in a process group of its own with a new home,
    and kill the whole group after ``seconds``. ``environment`` is added to that of this process; standard input is empty.
    ``watchdog`` ends it where this process is killed.

    Raises OSError where the program cannot be run.
    """
    with Scratch(watchdog) as scratch:
        begin = time.monotonic()
        with open(scratch / "output", "wb+") as output:
            process = subprocess.Popen(
                list(arguments),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=_environment(str(scratch), environment),
                start_new_session=True,
            )
            if watchdog is not None:
                watchdog.watch_group(process.pid)
            try:
                code = _wait(process, seconds, limits or FreshLimits())
            finally:
                if watchdog is not None:
                    watchdog.forget_group(process.pid)
            return FreshRun(code, _kept(output), time.monotonic() - begin)


def _environment(home: str, more: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    # The user's own site-packages are found through HOME: say where they are before it moves.
    base = {"PYTHONUSERBASE": os.path.expanduser("~/.local")} if sys.platform == "linux" else {}
    return {**base, **kept, "HOME": home, "TMPDIR": home, "PYTHONDONTWRITEBYTECODE": "1", **more}


def _wait(process: subprocess.Popen[bytes], timeout: float, limits: FreshLimits) -> int | None:
    try:
        _confine(process.pid, timeout, limits)
        return _code(process, timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)  # also what the program itself started
        except (ProcessLookupError, PermissionError):
            process.kill()  # the group is gone, or (macOS) consists of a zombie only
        process.wait()


def _code(process: subprocess.Popen[bytes], timeout: float) -> int:
    """As ``process.wait``, which looks every 50 ms whether it has ended: Linux says so at once."""
    if sys.platform == "linux":
        try:
            descriptor = os.pidfd_open(process.pid)
        except OSError:  # kernels before 5.3, and some containers
            return process.wait(timeout)
        try:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            poll.poll(timeout * 1000)
        finally:
            os.close(descriptor)
        return process.wait(0)
    return process.wait(timeout)


def _confine(pid: int, timeout: float, limits: FreshLimits) -> None:
    """From outside, since code between fork and exec is unsafe in a host with threads. Linux only; elsewhere the time limit
    must do."""
    if sys.platform != "linux":
        return
    bounds = (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, int(timeout * 2) + 1),
        (resource.RLIMIT_AS, limits.memory_mib * MIB),
        (resource.RLIMIT_FSIZE, limits.file_mib * MIB),
        (resource.RLIMIT_NOFILE, limits.open_files),
    )
    try:
        for which, value in bounds:
            hard = resource.prlimit(pid, which)[1]
            soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.prlimit(pid, which, (soft, hard))
    except ProcessLookupError:
        return  # it has ended already


def _kept(file: IO[bytes]) -> str:
    """What a stream file holds, its middle left out where it is long."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    if size <= OUTPUT_LIMIT:
        return file.read().decode(errors="replace")
    head = file.read(OUTPUT_LIMIT // 2)
    file.seek(size - OUTPUT_LIMIT // 2)
    return (
        f"{head.decode(errors='replace')}\n[... {size - OUTPUT_LIMIT} bytes left out ...]\n{file.read().decode(errors='replace')}"
    )
