"""An internal error, which is a defect of ours: one line for the user, and a file that can be attached to a report of it.

The file holds the traceback, the versions and the command. No values of variables; texts that may come from the user's report or
code (messages, arguments, what an engine said) pass the filter for secrets.
"""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from crashwright.core.errors import EngineFailure
from crashwright.crash.secrets.filter import SecretFilter

_LIBRARIES = ("crashwright", "cyclopts", "rich", "typeshed-client")
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Defect:
    """What the user is told. ``file`` is empty where none could be written: ``text`` is what it would have held."""

    message: str
    file: str
    text: str

    def lines(self) -> list[str]:
        """For standard error: one line, after the text where that has no other place."""
        told = f"crashwright: internal error ({self.message}), a defect of crashwright: please report it with {self.where}"
        return [told] if self.file else [*self.text.splitlines(), told]

    @property
    def where(self) -> str:
        """What to attach."""
        return self.file or "the text above"


def defect(error: Exception, arguments: Sequence[str], folder: str | None = None) -> Defect:
    """Write the file for ``error``, in ``folder`` (that of temporary files), and say what to tell. ``arguments``: the command's."""
    message = _message(error)
    text = _filtered("\n".join(_content(error, arguments)) + "\n")
    try:
        descriptor, path = tempfile.mkstemp(prefix="crashwright-error-", suffix=".txt", dir=folder)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        path = ""
    return Defect(message, path, text)


def _message(error: Exception) -> str:
    text = str(error) if isinstance(error, EngineFailure) else f"{type(error).__name__}: {error}".removesuffix(": ")
    line = _filtered(" ".join(text.split()))
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "..."


def _content(error: Exception, arguments: Sequence[str]) -> Iterator[str]:
    yield "An internal error of crashwright. Values of variables are not in this file."
    yield ""
    yield f"command   crashwright {' '.join(arguments)}"
    yield f"versions  {', '.join(_versions())}"
    yield f"system    Python {platform.python_version()}, {platform.platform()}"
    yield ""
    if isinstance(error, EngineFailure) and error.detail:
        yield "In the engine:"
        yield from error.detail.rstrip().splitlines()
        yield ""
    for part in traceback.TracebackException.from_exception(error, capture_locals=False).format():
        yield from part.rstrip().splitlines()


def _filtered(text: str) -> str:
    """``text`` with stand-ins for what looks like a secret."""
    return SecretFilter().text(text)


def _versions() -> Iterable[str]:
    for name in _LIBRARIES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} (no metadata)"
