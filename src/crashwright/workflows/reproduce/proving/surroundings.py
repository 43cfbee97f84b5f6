"""The project around a test that somebody suggests: what pytest would find there if the test lay in it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from crashwright.crash.suggested import STANDARD_INPUT
from crashwright.environment.source_roots import project_root
from crashwright.finishing.running.fresh_runner import ProjectSurroundings
from crashwright.workflows.reproduce.request import Request

_SETTINGS = (
    ("pytest.toml", "[pytest]"),
    (".pytest.toml", "[pytest]"),
    ("pytest.ini", ""),
    (".pytest.ini", ""),
    ("pyproject.toml", "[tool.pytest"),
    ("tox.ini", "[pytest]"),
    ("setup.cfg", "[tool:pytest]"),
)
"""Where pytest finds its settings, and what is in the file then."""


def surroundings(name: str, request: Request) -> ProjectSurroundings:
    """The project around the candidate ``name``: that of its file, if it lies in the project that the command is run for, or if
    that has nothing for tests."""
    folder = Path(os.path.abspath(request.folder))
    file = file_of(name)
    roots = roots_of(request)
    root = next((one for one in roots if file is not None and file.is_relative_to(one)), None)
    if root is None:
        telling = (one for one in roots if _settings(one) is not None or _conftests(_usual(one)))
        root = next(telling, None) or _own_root(file) or roots[0]
    start = file.parent if file is not None and file.is_relative_to(root) else root
    between = [one for one in (start, *start.parents) if one.is_relative_to(root)][::-1]
    places = dict.fromkeys((*between, *(_usual(root) if start == root else ())))
    return ProjectSurroundings(folder, _conftests(places), _settings(root), root=root)


def where_written(around: ProjectSurroundings, folder: Path) -> ProjectSurroundings:
    """What is around the file that is written in ``folder``: a ``conftest.py`` counts for tests beneath its own folder."""
    return replace(around, conftests=tuple(one for one in around.conftests if folder.is_relative_to(one.parent)))


def roots_of(request: Request) -> tuple[Path, ...]:
    """The projects that the command is run for: where it is run, and those of ``--path``."""
    folders = (request.folder, *request.path)
    return tuple(dict.fromkeys(project_root(Path(os.path.abspath(one))) for one in folders))


def file_of(name: str) -> Path | None:
    """The file of the candidate ``name`` (``FILE``, ``FILE::TEST`` or ``FILE, block 2``), if it is there."""
    if name == STANDARD_INPUT:
        return None
    file = Path(os.path.abspath(name.partition(", block ")[0].partition("::")[0]))
    return file if file.is_file() else None


def _own_root(file: Path | None) -> Path | None:
    if file is None:
        return None
    own = project_root(file.parent)
    return None if own == file.parent else own


def _usual(root: Path) -> tuple[Path, ...]:
    return root, root / "tests", root / "test"


def _conftests(places: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(one for place in places if (one := place / "conftest.py").is_file())


def _settings(root: Path) -> Path | None:
    for name, mark in _SETTINGS:
        try:
            if mark in (root / name).read_text(encoding="utf-8", errors="replace"):
                return root / name
        except OSError:
            continue
    return None
