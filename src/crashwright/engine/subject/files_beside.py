"""Files of data that lie beside the reporter's own code: a script opens them in the folder where it is run, and it need not be
loaded for that they are found.

# Deviation: the papers' subjects read no files.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence

from crashwright.core.report import Unknown
from crashwright.core.target import OwnFile
from crashwright.engine.subject.project_files import CODE, LONGEST, MOST_BYTES, texts_in
from crashwright.engine.subject.source import Sources

MOST = 6
"""Files that are named, and of a folder that is."""
_ABOVE = 2
"""Folders in which a script may be run: its own and that around it."""


class FilesBeside:
    """``own`` are the files of code; what these and ``words`` name is looked for in the folders in which they may be run."""

    def __init__(self, own: Sequence[OwnFile], sources: Sources, words: Iterable[str] = ()) -> None:
        self._folders = tuple(dict.fromkeys(folder for one in own for folder in _around(one.path)))
        trees = [found.tree for one in own if not isinstance(found := sources.of_file(one.module, one.path), Unknown)]
        self._said = dict.fromkeys([*words, *(text for tree in trees for text in texts_in(tree))])

    def named(self) -> dict[str, str | bytes]:
        """What is in the files that are named, by their paths from the folder that has the most of them."""
        found = [list(dict.fromkeys(name for text in self._said for name in self._files(place, text))) for place in self._folders]
        most = max(found, key=len, default=[])
        return {name: content for name in most[:MOST] if (content := self.content(name)) is not None}

    def content(self, name: str) -> str | bytes | None:
        """What is in the file of that path: text as text; None where there is none, or too much is in it."""
        for folder in self._folders if _is_path(name) else ():
            path = os.path.join(folder, name)
            if _is_data(path):
                return _read(path)
        return None

    def _files(self, folder: str, text: str) -> Iterator[str]:
        if not _is_path(text):
            return
        if glob.has_magic(text):
            yield from (name for name in sorted(glob.glob(text, root_dir=folder))[:MOST] if _is_data(os.path.join(folder, name)))
            return
        path = os.path.join(folder, text)
        if _is_data(path):
            yield os.path.normpath(text)
        elif os.path.isdir(path):
            names = [name for name in sorted(os.listdir(path)) if _is_data(os.path.join(path, name))]
            # Parts of a path are joined by the code; where it names none of them it looks for what is there.
            named = [name for name in names if name in self._said] or names
            yield from (os.path.normpath(os.path.join(text, name)) for name in named[:MOST])


def _around(path: str) -> Iterator[str]:
    for _ in range(_ABOVE):
        path = os.path.dirname(path)
        yield path


def _read(path: str) -> str | bytes | None:
    try:
        with open(path, "rb") as stream:
            content = stream.read()
    except OSError:
        return None  # not for the reader's eyes, as the script's
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content


def _is_path(text: str) -> bool:
    """Whether it may be one, from the folder of a test. Hidden files hold what nobody wants in a test, keys for instance."""
    if not (1 < len(text) < LONGEST and text.isprintable()) or os.path.isabs(text):
        return False
    return not any(part.startswith((".", "~")) for part in os.path.normpath(text).split(os.sep))


def _is_data(path: str) -> bool:
    return os.path.isfile(path) and not path.endswith(CODE) and os.path.getsize(path) <= MOST_BYTES
