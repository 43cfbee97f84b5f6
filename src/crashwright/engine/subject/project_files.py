"""Files of the project that its code names: configuration, data, templates. A program is run in the folder where they are; a test
has to have them in its own.

# Deviation: the papers' subjects read no files of their project.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crashwright.core.report import Unknown
from crashwright.engine.subject.introspection import loaded_dict, loaded_names
from crashwright.engine.subject.project import is_installed
from crashwright.engine.subject.source import Sources

FOLDER = "own"
"""Of the scratch folder: what a test has for itself, ``tmp_path`` in what is written."""
MOST_MODULES = 80
"""Of a package that are read: an application has fewer."""
MOST_FILES, MOST_BYTES = 100, 1_000_000
"""In an entry of the project's folder: what is larger is no configuration."""
MOST_ENTRIES = 6
LONGEST = 200
"""Characters of a path."""
_READ = 64_000
"""Bytes of a file that is looked through for the names of others."""
_WORD = re.compile(r"[\w./-]+")
CODE = (".py", ".pyc", ".pyi", ".pyd", ".so")
_ABOVE = 2
"""Folders above that of the package: a package may be in ``src``."""


class ProjectFile(NamedTuple):
    """``entry`` of the folder that is so many ``levels`` above the file of ``module``; a folder ends with ``/``."""

    module: str
    levels: int
    entry: str

    @property
    def text(self) -> str:
        """All of it, as the name of an ``Ambient``."""
        return f"{self.module}:{self.levels}:{self.entry}"

    @property
    def path(self) -> str:
        """Where it is now; "" if its module is not loaded."""
        place = loaded_dict(self.module).get("__file__")
        if type(place) is not str:
            return ""
        for _ in range(self.levels):
            place = os.path.dirname(place)
        return os.path.join(place, self.entry.rstrip("/"))


def project_file(text: str) -> ProjectFile:
    """The one of this ``text``."""
    module, levels, entry = text.split(":", 2)
    return ProjectFile(module, int(levels), entry)


def named_files(package: str, sources: Sources, words: Iterable[str] = ()) -> tuple[ProjectFile, ...]:
    """What the sources of ``package`` and ``words`` name, and what these files name in turn; none of a package that is
    installed."""
    names = loaded_names(package)
    module = next((name for name in names if type(loaded_dict(name).get("__file__")) is str), None)
    if module is None or len(names) > MOST_MODULES:
        return ()
    place = os.path.abspath(str(loaded_dict(module)["__file__"]))
    if is_installed(place):
        return ()
    said = dict.fromkeys([*words, *(text for name in names for text in _texts(name, sources))])
    first = 1 + module.count(".") + (os.path.basename(place) == "__init__.py")
    folder = place
    for _ in range(first):
        folder = os.path.dirname(folder)
    for levels in range(first, first + _ABOVE):
        found = tuple(_entries(folder, said))
        if found:
            return tuple(ProjectFile(module, levels, one) for one in found[:MOST_ENTRIES])
        folder = os.path.dirname(folder)
    return ()


def small_texts(files: Iterable[ProjectFile], longest: int) -> Iterator[tuple[str, str]]:
    """Those of at most ``longest`` bytes, by their paths from the folder that the entries are in, the smallest first."""
    found = [(os.path.getsize(path), name, path) for file in files for name, path in _files_of(file)]
    for size, name, path in sorted(found):
        if size > longest:
            return
        try:
            with open(path, encoding="utf-8", newline="") as stream:
                yield name, stream.read()
        except (OSError, UnicodeDecodeError):
            continue  # no text


def _files_of(file: ProjectFile) -> Iterator[tuple[str, str]]:
    """The file, or all that are in the folder."""
    if not file.entry.endswith("/"):
        yield file.entry, file.path
        return
    for place, _, names in os.walk(file.path):
        for path in (os.path.join(place, name) for name in names):
            if os.path.isfile(path):
                yield os.path.relpath(path, os.path.dirname(file.path)), path


def _texts(module: str, sources: Sources) -> Iterator[str]:
    source = sources.of_module(module)
    if not isinstance(source, Unknown):
        yield from texts_in(source.tree)


def texts_in(tree: ast.AST) -> Iterator[str]:
    """Constants that may be paths."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is str and 1 < len(node.value) < LONGEST:
            yield node.value


def _entries(folder: str, said: Iterable[str]) -> Iterator[str]:
    """The entries of ``folder`` that the paths among the texts begin with, each once."""
    waiting, found = list(said), dict[str, None]()
    while waiting:
        text = waiting.pop(0)
        entry = _entry(folder, text)
        if entry is None or entry in found:
            continue
        found[entry] = None
        named = _said_by(os.path.join(folder, text))
        # Some programs look beside the file that names another.
        waiting += [*named, *(os.path.normpath(os.path.join(os.path.dirname(text), one)) for one in named)]
    yield from found


def _entry(folder: str, text: str) -> str | None:
    path = os.path.normpath(text) if text.isprintable() and not os.path.isabs(text) else ".."
    top = path.split(os.sep)[0]
    if top.startswith(".") or not os.path.exists(os.path.join(folder, path)):
        return None
    whole = os.path.join(folder, top)
    if os.path.isfile(whole):
        return None if top.endswith(CODE) or os.path.getsize(whole) > MOST_BYTES else top
    return f"{top}/" if _is_small(whole) else None


def _is_small(folder: str) -> bool:
    """And without code: what is imported is where it is."""
    count = size = 0
    for place, _, names in os.walk(folder):
        if any(name.endswith(CODE) for name in names):
            return False
        count += len(names)
        size += sum(os.path.getsize(path) for name in names if os.path.isfile(path := os.path.join(place, name)))
        if count > MOST_FILES or size > MOST_BYTES:
            return False
    return count > 0


def _said_by(path: str) -> list[str]:
    """Words of a text that may be paths."""
    if not os.path.isfile(path):
        return []
    try:
        with open(path, encoding="utf-8") as stream:
            return list(dict.fromkeys(_WORD.findall(stream.read(_READ))))
    except (OSError, UnicodeDecodeError):
        return []
