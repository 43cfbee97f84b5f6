"""Where the set-up of a project is looked for: folders and files. Nothing is imported."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from crashwright.core.target import TargetFrame
from crashwright.environment.interpreter import Interpreter
from crashwright.environment.source_roots import project_root, source_roots, sources_below, upwards


class Places:
    """Where the set-up of a project is looked for: the folder one stands in, those of ``--path``, those of the report's own frames
    with the innermost first; of each the folders around it too."""

    def __init__(self, interpreter: Interpreter, path: Sequence[str], files: Sequence[str]) -> None:
        self.starts = tuple(
            dict.fromkeys([Path(interpreter.project), *map(Path, path), *(Path(one).parent for one in files[::-1])])
        )
        self.folders = tuple(dict.fromkeys(folder for start in self.starts for folder in upwards(start)))

    @property
    def projects(self) -> tuple[Path, ...]:
        """The roots of the projects around where the search begins."""
        return tuple(dict.fromkeys(map(project_root, self.starts)))

    def home_of(self, module: str) -> Path | None:
        """The folder that a module can be imported from."""
        roots = (*self.folders, *(Path(root) for start in self.starts for root in source_roots(start)))
        return next((folder for folder in dict.fromkeys(roots) if file_of(module, folder) is not None), None)


@dataclass(frozen=True, slots=True)
class SearchedProject:
    """What there is to find a framework by. ``frames`` are those of the report in the user's code."""

    places: Places
    interpreter: Interpreter
    environment: Mapping[str, str]
    frames: tuple[TargetFrame, ...] = ()

    def has_installed(self, package: str) -> bool:
        """Whether the interpreter has that top-level package."""
        return any(os.path.isfile(os.path.join(folder, package, "__init__.py")) for folder in self.interpreter.sys_path)


def file_of(module: str, folder: Path) -> Path | None:
    """The file of a module below a folder that it can be imported from."""
    place = folder.joinpath(*module.split("."))
    found = (place.with_name(place.name + ".py"), place / "__init__.py")
    return next((file for file in found if file.is_file()), None)


def nearest_first(project: Path) -> list[Path]:
    """The source files of a project."""
    return sorted(sources_below(project), key=lambda file: (len(file.parts), file))


def root_of(frame: TargetFrame) -> Path | None:
    """The folder that the frame's module is imported from."""
    return root_of_module(frame.key.module, Path(frame.path))


def root_of_module(module: str, path: Path) -> Path | None:
    """The folder that a module with that file is imported from."""
    parts = module.split(".")
    depth = len(parts) if path.name != "__init__.py" else len(parts) + 1
    return path.parents[depth - 1] if depth <= len(path.parents) else None
