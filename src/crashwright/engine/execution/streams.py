"""Standard streams that lead nowhere: tests may print and read, and nobody hears of it.

Real text streams over /dev/null, not look-alikes: they encode, buffer and fail as the subject expects, and put no frame of ours
into tracebacks.
"""

from __future__ import annotations

import io
import os
import sys
from os import O_RDWR, close, devnull, dup2, fstat  # subjects replace them
from os import open as open_descriptor
from typing import TextIO


def redirect_descriptors() -> None:
    """File descriptors 0, 1 and 2 of this process become /dev/null. What they were is closed."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    if null > 2:
        os.close(null)


def reopen_closed() -> None:
    """Descriptors 0, 1 and 2 that a test has closed lead to /dev/null again: that is no reason for a new process."""
    for descriptor in (0, 1, 2):
        try:
            fstat(descriptor)
        except OSError:
            null = open_descriptor(devnull, O_RDWR)  # mostly it takes the free number itself
            if null != descriptor:
                dup2(null, descriptor)
                close(null)


class Streams:
    """The three streams of a test process; :meth:`install` puts them in ``sys``."""

    __slots__ = ("_stderr", "_stdin", "_stdout")

    def __init__(self) -> None:
        self._open()

    def _open(self) -> None:
        self._stdin = _text(0, "r")
        self._stdout = _text(1, "w")
        self._stderr = _text(2, "w", "backslashreplace")

    def install(self) -> None:
        """Put them in place, made anew where a test closed or detached one, or the descriptor under it."""
        reopen_closed()
        if not self._usable():
            self._open()
        for name, stream in (("stdin", self._stdin), ("stdout", self._stdout), ("stderr", self._stderr)):
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)

    def intact(self) -> bool:
        """Whether ``sys`` still has them and they can be used; cheap enough to ask after every test."""
        stdin, stdout, stderr = self._stdin, self._stdout, self._stderr
        if sys.stdout is not stdout or sys.stderr is not stderr or sys.stdin is not stdin:
            return False
        try:
            return not (stdin.closed or stdout.closed or stderr.closed)
        except ValueError:  # a detached stream does not even know whether it is closed
            return False

    def _usable(self) -> bool:
        try:
            return not (self._stdin.closed or self._stdout.closed or self._stderr.closed)
        except ValueError:  # a detached stream does not even know whether it is closed
            return False


def _text(descriptor: int, mode: str, errors: str = "strict") -> TextIO:
    raw = io.FileIO(descriptor, mode, closefd=False)
    buffered: io.BufferedReader | io.BufferedWriter = io.BufferedReader(raw) if mode == "r" else io.BufferedWriter(raw)
    return io.TextIOWrapper(buffered, encoding="utf-8", errors=errors)
