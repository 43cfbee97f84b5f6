"""Other programs, each in a group of its own: whatever they started is ended with them, so that it cannot disturb the next run."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended, and what it printed."""

    code: int
    output: str
    errors: str


def run(words: Sequence[str], folder: str, timeout: float, environment: Mapping[str, str] | None = None) -> Ended | None:
    """Run a program in a folder; None if it took longer than it may. Files take its output: a pipe would wait for its children."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            words,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        )
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with suppress(ProcessLookupError):  # The usual case: the program and its children have ended.
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        errors.seek(0)
        return Ended(code, output.read().decode(errors="replace"), errors.read().decode(errors="replace"))
