"""Where the code of a project lies: the folders that its imports begin in, as its settings say or as is usual."""

from __future__ import annotations

import ast
import configparser
import os
import shlex
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "manage.py", ".git")
"""What tells the root of a project."""
_USUAL = ("src", "lib", "python")
_NOT_SOURCES = frozenset({"node_modules", "__pycache__", "site-packages", "dist-packages", "build", "dist"})
_MOST_FILES = 20_000
"""Files that are looked at: the answer must come at once."""


def project_root(start: Path) -> Path:
    """The nearest folder around ``start`` that is marked as a project's; ``start`` itself where none is."""
    start = start.resolve()
    return next((root for root in (start, *start.parents) if any((root / mark).exists() for mark in _MARKS)), start)


def upwards(start: Path) -> tuple[Path, ...]:
    """``start`` and the folders around it, up to the root of its repository, else of its project; it alone in none."""
    start = start.resolve()
    around = (start, *start.parents)
    top = next((folder for folder in around if (folder / ".git").exists()), project_root(start))
    return around[: around.index(top) + 1]


def source_roots(start: Path) -> tuple[str, ...]:
    """The folders that the project around ``start`` imports from: those of its settings, a ``src`` and its like, its root, and
    ``start``."""
    root = project_root(start)
    packaging = (*_of_packaging(_toml(root / "pyproject.toml")), *_of_setup_cfg(_ini(root / "setup.cfg")))
    named = [*_pytest_values(root, "pythonpath"), *packaging, *_USUAL]
    folders = [(root / name).resolve() for name in named]
    folders += [root, start.resolve()]
    return tuple(dict.fromkeys(str(folder) for folder in folders if folder.is_dir()))


def namesakes(start: Path, name: str) -> list[Path]:
    """The files called ``name`` (in any letter case) in the project around ``start``, without what is installed or made there."""
    wanted = name.lower()
    return sorted(file for file in sources_below(project_root(start)) if file.name.lower() == wanted)


def sources_below(root: Path) -> Iterator[Path]:
    """The Python files below ``root``, without what is installed or made there."""
    left = _MOST_FILES
    for place, folders, files in os.walk(root):
        folders[:] = sorted(one for one in folders if _may_hold_sources(Path(place, one)))
        yield from (Path(place, one) for one in files if one.lower().endswith(".py"))
        left -= len(files)
        if left < 0:
            return


def pytest_setting(root: Path, name: str) -> str:
    """A setting of pytest that is one word, from any file that it reads; "" where none has it."""
    return next(_pytest_values(root, name), "")


def imported_names(file: Path) -> tuple[str, ...]:
    """The dotted names that a file imports by ``import`` and ``from``, as written; none where it cannot be read."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ()  # told where the file itself is matched
    names: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(dict.fromkeys(alias.name for alias in node.names))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names[node.module] = None
    return tuple(names)


def _may_hold_sources(folder: Path) -> bool:
    return not folder.name.startswith(".") and folder.name not in _NOT_SOURCES and not (folder / "pyvenv.cfg").is_file()


def _pytest_values(root: Path, name: str) -> Iterator[str]:
    """The words of a setting of pytest, from all files that it reads."""
    tool = _table(_toml(root / "pyproject.toml"), "tool", "pytest")
    for value in (_table(tool, "ini_options").get(name), tool.get(name)):
        yield from _strings(value)
    for file, section in (("pytest.ini", "pytest"), (".pytest.ini", "pytest"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        yield from shlex.split(_ini(root / file).get(section, name, fallback=""))


def _of_packaging(settings: dict[str, Any]) -> Iterator[str]:
    """The folders of packages by setuptools, hatch and poetry."""
    setuptools = _table(settings, "tool", "setuptools")
    yield from _strings(_table(setuptools, "package-dir").get(""))
    yield from _strings(_table(setuptools, "packages", "find").get("where"))
    wheel = _table(settings, "tool", "hatch", "build", "targets", "wheel")
    yield from (os.path.dirname(name) for name in _strings(wheel.get("packages")))
    packages = _table(settings, "tool", "poetry").get("packages")
    for one in packages if isinstance(packages, list) else ():
        if isinstance(one, dict):
            yield from _strings(one.get("from"))


def _of_setup_cfg(settings: configparser.ConfigParser) -> Iterator[str]:
    for line in settings.get("options", "package_dir", fallback="").splitlines():
        name, equals, folder = line.partition("=")
        if equals and not name.strip():
            yield folder.strip()
    yield from settings.get("options.packages.find", "where", fallback="").split()


def _strings(value: object) -> Sequence[str]:
    """A setting that is a text or a list of texts."""
    if isinstance(value, str):
        return shlex.split(value)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _table(settings: dict[str, Any], *names: str) -> dict[str, Any]:
    """A table within tables, empty where it is not there."""
    found: object = settings
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # it says nothing to us; those whose file it is will say what is wrong with it


def _ini(file: Path) -> configparser.ConfigParser:
    settings = configparser.ConfigParser(interpolation=None)
    try:
        settings.read(file, encoding="utf-8")
    except (configparser.Error, OSError, ValueError):
        return configparser.ConfigParser(interpolation=None)  # as above
    return settings
