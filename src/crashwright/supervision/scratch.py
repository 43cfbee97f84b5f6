"""Scratch folders: made for one run, gone afterwards, also when the program ends early."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import TracebackType

PREFIX = "crashwright-"


class Scratch:
    """A folder of its own under the system's temporary folder. Removed by :meth:`remove`, at the end of a ``with`` block, when this
    object is garbage, or at exit, whichever is first; what cannot be removed is left."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)

    @property
    def path(self) -> Path:
        """Its absolute path."""
        return Path(self._folder.name)

    def remove(self) -> None:
        """Remove the folder and all in it. May be called again."""
        self._folder.cleanup()

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.remove()
