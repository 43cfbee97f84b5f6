"""What the folders of a ``sys.path`` hold: the distribution of an import name, and where editable installs lead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_METADATA = re.compile(r"(?P<name>.+?)-(?P<version>[^-]+?)(?:-py[\d.]+.*)?\.(?:dist|egg)-info")

_REQUIRES = re.compile(r"Requires-Dist:\s*([\w.-]+)", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")


class Distribution(NamedTuple):
    """A distribution as its metadata folder names it."""

    name: str
    version: str


def distribution_of(import_name: str, sys_path: Sequence[str]) -> Distribution | None:
    """The distribution that provides the top-level ``import_name``; None where the metadata does not tell."""
    folder = _folder_of(import_name, sys_path)
    return None if folder is None else _named(folder)


def requirements_of(import_name: str, sys_path: Sequence[str]) -> frozenset[str]:
    """The names of the distributions that the one of ``import_name`` requires, those of extras too, as :func:`normal` has them;
    none where the metadata does not tell."""
    folder = _folder_of(import_name, sys_path)
    lines = "" if folder is None else _text(folder / "METADATA") or _text(folder / "PKG-INFO")
    found = {match[1] for line in lines.splitlines() if (match := _REQUIRES.match(line))}
    if folder is not None:
        found.update(match[0] for line in _text(folder / "requires.txt").splitlines() if (match := _NAME.match(line)))
    return frozenset(map(normal, found))


def _folder_of(import_name: str, sys_path: Sequence[str]) -> Path | None:
    """The metadata of the distribution that provides ``import_name``."""
    folders = [folder for entry in sys_path for folder in _metadata_folders(entry)]
    # The namesake is nearly always the one: look there first, and be content with it where nothing lists its modules.
    folders.sort(key=lambda folder: normal(_named(folder).name) != normal(import_name))
    unlisted = None
    for folder in folders:
        provided = _provided(folder)
        if import_name in provided:
            return folder
        if unlisted is None and normal(_named(folder).name) == normal(import_name):
            unlisted = folder
    return unlisted


def editable_modules(sys_path: Sequence[str]) -> dict[str, str]:
    """Import name to file or folder for the editable installs that work by an import hook: the literal tables that setuptools and
    ``editables`` write beside their ``.pth`` file. (Hooks that are a plain path are on ``sys.path`` already.)"""
    found: dict[str, str] = {}
    for entry in sys_path:
        for pattern in ("__editable__*finder.py", "_editable_impl_*.py", "_*_editable.py"):
            for file in _glob(entry, pattern):
                for name, place in _mapping(file):
                    found.setdefault(name, place)
    return found


def _metadata_folders(entry: str) -> list[Path]:
    return [path for pattern in ("*.dist-info", "*.egg-info") for path in _glob(entry, pattern)]


def _glob(entry: str, pattern: str) -> list[Path]:
    try:
        return sorted(Path(entry).glob(pattern))
    except OSError:
        return []  # an unreadable or vanished folder on sys.path is as good as an empty one


def _named(folder: Path) -> Distribution:
    match = _METADATA.fullmatch(folder.name)
    if match:
        return Distribution(match["name"].replace("_", "-"), match["version"])
    # An egg-info of a source tree has its version only inside.
    text = _text(folder / "PKG-INFO")
    version = next((line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("Version:")), "")
    return Distribution(folder.stem.replace("_", "-"), version)


def _provided(folder: Path) -> set[str]:
    names = set(_text(folder / "top_level.txt").split())
    for line in _text(folder / "RECORD").splitlines():
        first, slash, _ = line.partition("/")
        if slash:
            names.add(first)
        elif line.partition(",")[0].endswith(".py"):
            names.add(line.partition(",")[0][:-3])
    return names


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""  # the file is optional


def normal(name: str) -> str:
    """The name of a distribution as names are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _mapping(file: Path) -> Iterator[tuple[str, str]]:
    """The pairs of ``MAPPING = {...}`` and of ``map_module(name, place)`` calls with literal arguments."""
    try:
        tree = ast.parse(_text(file))
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == "MAPPING" for target in targets):
                yield from _literals(zip(node.value.keys, node.value.values, strict=True))
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "map_module"
            and len(node.args) == 2
        ):
            yield from _literals([(node.args[0], node.args[1])])


def _literals(pairs: Iterable[tuple[ast.expr | None, ast.expr]]) -> Iterator[tuple[str, str]]:
    for key, value in pairs:
        if isinstance(key, ast.Constant) and isinstance(value, ast.Constant):
            yield str(key.value), str(value.value)
