"""Scratch folders: made for one run, gone afterwards, also when the program ends early or is killed."""

from __future__ import annotations

import hashlib
import itertools
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from crashwright.supervision.watchdog import PREFIX, Watchdog


class Scratch:
    """A folder of its own under the system's temporary folder. Removed by :meth:`remove`, at the end of a ``with`` block, when this
    object is garbage, or at exit, whichever is first, and by ``watchdog`` where this process is killed; what cannot be removed is
    left. Tests read the name of theirs, and so it may decide what they do: for the same ``purpose`` it is the same one, as long as
    there is no such folder yet. Raises OSError where it cannot be made."""

    def __init__(self, watchdog: Watchdog | None = None, purpose: str = "") -> None:
        self._path = _make(watchdog, _names(purpose))
        self._remove = weakref.finalize(self, _removed, self._path, watchdog)

    @property
    def path(self) -> Path:
        """Its absolute path."""
        return Path(self._path)

    def remove(self) -> None:
        """Remove the folder and all in it. May be called again."""
        self._remove()

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.remove()


def _names(purpose: str) -> Iterator[str]:
    for number in itertools.count():
        yield (
            hashlib.sha256(f"{number} {purpose}".encode(errors="backslashreplace")).hexdigest()[:8]
            if purpose
            else os.urandom(4).hex()
        )


def _make(watchdog: Watchdog | None, names: Iterator[str]) -> str:
    """A new folder that only this user may enter. The watchdog knows of it before it is there."""
    while True:
        path = os.path.join(os.path.abspath(tempfile.gettempdir()), f"{PREFIX}{next(names)}")
        if os.path.lexists(path):  # another's, of which our watchdog must not know
            continue
        if watchdog is not None:
            watchdog.watch_folder(path)
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            if watchdog is not None:
                watchdog.forget_folder(path)
        else:
            return path


def _removed(path: str, watchdog: Watchdog | None) -> None:
    shutil.rmtree(path, ignore_errors=True)
    if os.path.lexists(path):
        _open_up(path)
        shutil.rmtree(path, ignore_errors=True)
    if watchdog is not None:
        watchdog.forget_folder(path)


def _open_up(path: str) -> None:
    """Make folders that the subject has closed removable."""
    _own(path)
    for folder, names, _ in os.walk(path):
        for name in names:
            _own(os.path.join(folder, name))


def _own(path: str) -> None:
    try:
        if not os.path.islink(path):
            os.chmod(path, 0o700)
    except OSError:
        return  # left, as documented
