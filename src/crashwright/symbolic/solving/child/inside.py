"""What runs in the child process: it reads the request, calls the function that it names, and writes what that tells.

It ends when its host does, whatever it is doing: the kernel sees to it where it can, and a thread that waits for the end of its
standard input elsewhere.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, Final

from crashwright.engine.execution.confinement.parent import die_with_parent

TOLD: Final = "told"
RESULT: Final = "result"
FAILED: Final = "failed"
LONGEST_REASON: Final = 4000
Tell = Callable[[object], None]
Entry = Callable[[Any, Tell], object]


def main(descriptor: int, parent: int) -> None:
    """Serve the one request that stands on standard input. ``descriptor``: where to write; ``parent``: the host's process."""
    die_with_parent(parent)
    request = json.loads(sys.stdin.buffer.readline())
    _limit_memory(request["memory"])
    os.nice(request["niceness"])
    threading.Thread(target=_end_with_input, daemon=True).start()
    speak = _Speaker(descriptor)
    try:
        module, _, name = request["entry"].partition(":")
        entry: Entry = getattr(importlib.import_module(module), name)
        speak(RESULT, entry(request["request"], lambda message: speak(TOLD, message)))
    except MemoryError:
        speak(FAILED, "out of memory")
    except Exception:  # noqa: BLE001 - whatever it is, the host has to hear of it
        speak(FAILED, traceback.format_exc()[-LONGEST_REASON:])
    os._exit(0)  # no destructors of a solver that may be in any state


class _Speaker:
    """One line for each message, whole or not at all as far as the reader is concerned: the last may be cut where it is killed."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __call__(self, kind: str, content: object) -> None:
        data = json.dumps({kind: content}).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except BrokenPipeError:
            os._exit(1)  # nobody listens


def _limit_memory(size: int) -> None:
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if sys.platform == "linux" and size:  # elsewhere the limit is not kept, or cannot be set
        wanted = size if hard == resource.RLIM_INFINITY else min(size, hard)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_with_input() -> None:
    while os.read(sys.stdin.fileno(), 1 << 12):
        pass  # nothing more is said
    os._exit(1)
