"""Standard output and error of a command whose reader may go away first: ``crashwright explain crash.txt | head``."""

from __future__ import annotations

import io
import os
import sys
from typing import Any, TextIO, cast


class UnbrokenStream:
    """``stream``, which nobody needs to read to its end: once its reader is gone, what is written goes nowhere, and the command
    does its work (a test is written all the same)."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """As of the stream."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._give_up()
            return len(text)

    def flush(self) -> None:
        """As of the stream."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._give_up()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _give_up(self) -> None:
        """What is still buffered must have somewhere to go, when the interpreter ends at the latest."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)


def keep_streams() -> None:
    """Standard output and error of this process may lose their readers."""
    sys.stdout = cast(TextIO, UnbrokenStream(sys.stdout))
    sys.stderr = cast(TextIO, UnbrokenStream(sys.stderr))


class _Unread(io.TextIOBase):
    def write(self, text: str) -> int:
        return len(text)


def unread() -> TextIO:
    """A stream for progress lines that nobody wants."""
    return cast(TextIO, _Unread())
