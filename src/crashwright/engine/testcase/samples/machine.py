"""Texts that lie on every machine, and beside the subject: sources of the standard library, metadata of distributions, data files
that a package brings. Files are read, nothing is run; how many, and how much of each, is bounded."""

from __future__ import annotations

import ast
import os
import textwrap
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from crashwright.core.unparsable import UNPARSABLE
from crashwright.engine.subject.project import folder_around, package_folder
from crashwright.engine.testcase.samples.formats import Format

SOURCES = ("textwrap", "contextlib", "dataclasses")
"""Modules of the standard library whose statements are samples of Python: short, and of different styles."""
MOST_STATEMENTS = 300
LONGEST_STATEMENT = 400
MOST_ENTRIES = 4000
"""Files that are looked at for their names."""
MOST_FILES = 8
LONGEST_FILE = 8000
_METADATA = ("METADATA", "RECORD", "entry_points.txt")


def texts_for(formats: Sequence[Format], package: str, rng: Random) -> tuple[list[str], list[str]]:
    """What is found for these formats: data that the package brings, and Python in an order that ``rng`` gives."""
    names = frozenset(one.name for one in formats)
    found = list(_statements()) if "Python" in names else []
    rng.shuffle(found)
    suffixes = tuple(suffix for one in formats for suffix in one.suffixes if suffix not in (".py", ".pyi"))
    shipped = [*_files(package_folder(package), suffixes)] if suffixes else []
    if names & {"mail", "version", "CSV"}:
        shipped += _metadata(folder_around(package))
    return shipped, found


def _statements() -> Iterator[str]:
    """Statements of the standard library at any depth, those of several lines and of one in turn."""
    folder = os.path.dirname(os.__file__)
    for name in SOURCES:
        text = _read(os.path.join(folder, f"{name}.py"), 200_000)
        try:
            nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
        except UNPARSABLE:
            continue
        lines = text.split("\n")
        cut = (textwrap.dedent("\n".join(lines[node.lineno - 1 : node.end_lineno])) + "\n" for node in nodes)
        yield from islice((piece for piece in cut if 8 <= len(piece) <= LONGEST_STATEMENT), MOST_STATEMENTS)


def _files(folder: str | None, suffixes: tuple[str, ...]) -> list[str]:
    """The contents of small files with these suffixes in the package's folder, the smallest first."""
    sized: list[tuple[int, str]] = []
    for path in islice(_paths(folder), MOST_ENTRIES) if folder else ():
        if path.endswith(suffixes):
            try:
                size = os.path.getsize(path)
            except OSError:
                continue  # gone, or a broken link
            if 0 < size <= LONGEST_FILE:
                sized.append((size, path))
    return [text for _, path in sorted(sized)[:MOST_FILES] if (text := _read(path, LONGEST_FILE))]


def _paths(folder: str) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            yield os.path.join(place, name)


def _metadata(folder: str | None) -> list[str]:
    """What the first distributions beside the package say of themselves."""
    try:
        names = sorted(name for name in os.listdir(folder or "") if name.endswith(".dist-info"))
    except OSError:
        return []
    paths = [os.path.join(folder or "", name, file) for name in names[: MOST_FILES // 2] for file in _METADATA]
    return [text for path in paths if (text := _read(path, LONGEST_FILE // 4))]


def _read(path: str, most: int) -> str:
    """The beginning of the file as text; "" where it cannot be read as that."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(most)
    except (OSError, UnicodeDecodeError):
        return ""
