"""From a printed path to the file that the interpreter would import: by module suffix, since reports come from other machines."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from crashwright.environment.distributions import editable_modules
from crashwright.environment.interpreter import Interpreter
from crashwright.environment.source_roots import imported_names, namesakes, project_root, source_roots

_FROZEN = re.compile(r"<frozen (?P<module>[\w.]+)>")
_LIBRARY = re.compile(r"python\d(\.\d+)?t?|pypy\d(\.\d+)?", re.IGNORECASE)
_PACKAGES = frozenset({"site-packages", "dist-packages"})
_SOURCE_ROOTS = frozenset({"src", "lib", "python"})


@dataclass(frozen=True, slots=True)
class LocatedFile:
    """A source file here. ``certain``: the printed path names this module beyond doubt, else the echoed source must confirm it.
    ``extra_path`` is the folder to import from where that is not on ``sys.path`` yet, else empty."""

    module: str
    path: str
    stdlib: bool
    certain: bool
    extra_path: str = ""
    shared: int = 0
    """How many last parts the file's path has in common with the printed one, where it is not certain."""


@dataclass(frozen=True, slots=True)
class NotFound:
    """Why there is no file. ``package``: the import name that would have to be installed, where the path tells."""

    reason: str
    package: str = ""


class Locator:
    """Finds files for one interpreter; keeps what it found for a run."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._stdlib = tuple(os.path.normcase(folder) for folder in interpreter.stdlib)
        self._entries = tuple(entry for entry in interpreter.sys_path if os.path.isdir(entry) and not self.in_stdlib(entry))
        self._known: dict[str, tuple[LocatedFile, ...] | NotFound] = {}

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The folders that the project one stands in imports from."""
        return source_roots(Path(self._interpreter.project)) if self._interpreter.project else ()

    def roots_of(self, files: Iterable[str]) -> Iterator[str]:
        """The folders of the project that hold what ``files`` of it import."""
        wanted = {name.partition(".")[0] for file in files for name in imported_names(Path(file))}
        yield from (root for root in self.roots if any(_lies_in(name, Path(root)) for name in wanted))

    @cached_property
    def _editables(self) -> dict[str, str]:
        return editable_modules(self._entries)

    def in_stdlib(self, path: str) -> bool:
        """Is this file or folder part of the standard library?"""
        normal = os.path.normcase(path)
        if not any(normal == folder or normal.startswith(folder + os.sep) for folder in self._stdlib):
            return False
        return not _PACKAGES.intersection(Path(path).parts)

    def installed(self, package: str) -> bool:
        """Does any folder of ``sys.path`` hold a module or folder of this import name (dotted for parts of a namespace)?"""
        parts = package.split(".")
        if parts[0] in self._editables:
            return True
        folders = (*self._entries, *self._interpreter.stdlib)
        return any(os.path.exists(os.path.join(folder, *parts) + ending) for folder in folders for ending in ("", ".py"))

    def locate(self, path: str) -> tuple[LocatedFile, ...] | NotFound:
        """The files that a printed ``path`` may mean, the likeliest first; those whose path says more of it come before others."""
        if path not in self._known:
            self._known[path] = self._locate(path)
        return self._known[path]

    def _locate(self, path: str) -> tuple[LocatedFile, ...] | NotFound:
        frozen = _FROZEN.fullmatch(path)
        if frozen:
            return self._in_stdlib(frozen["module"].split("."), (".py", os.sep + "__init__.py"))
        if path.startswith("<"):
            return NotFound("created at run time, so it has no source file")
        parts, windows = _parts(path)
        if not parts or not parts[-1].lower().endswith((".py", ".pyw", ".pyc")):
            return NotFound("not a Python source file")
        parts[-1] = re.sub(r"\.py[cw]$", ".py", parts[-1], flags=re.IGNORECASE)
        below = _below(parts, lambda part: part.lower() in _PACKAGES)
        if below:
            return self._in_packages(below, windows)
        standard = _below(parts, lambda part: bool(_LIBRARY.fullmatch(part)), "lib", "lib64") or self._windows_library(
            parts, windows
        )
        if standard:
            return self._in_stdlib([*standard[:-1], standard[-1][:-3]], (".py",))
        if os.path.isfile(path):
            return (self._project_file(path),)
        return tuple(self._elsewhere(parts, windows)) or NotFound("no such file here")

    def _elsewhere(self, parts: Sequence[str], windows: bool) -> Iterator[LocatedFile]:
        """The files here that a path of another machine may mean, those that share more of it first."""
        found: dict[str, LocatedFile] = {}
        for start in range(len(parts)):
            for module, file, extra in self._searched(parts[start:], windows):
                found.setdefault(
                    file, LocatedFile(module, file, stdlib=False, certain=False, extra_path=extra, shared=len(parts) - start)
                )
        if self._interpreter.project and not found:
            for namesake in namesakes(Path(self._interpreter.project), parts[-1]):
                shared = _shared(parts, namesake.parts, windows)
                found[str(namesake)] = replace(self._project_file(str(namesake)), certain=False, shared=shared)
        yield from sorted(found.values(), key=lambda place: -place.shared)

    def _windows_library(self, parts: Sequence[str], windows: bool) -> list[str]:
        """``C:\\Python311\\Lib\\json\\decoder.py``."""
        if not windows:
            return []
        return _below(parts, lambda part: part.lower() == "lib")

    def _in_stdlib(self, parts: Sequence[str], endings: Sequence[str]) -> tuple[LocatedFile] | NotFound:
        for folder in self._interpreter.stdlib:
            for ending in endings:
                file = os.path.join(folder, *parts) + ending
                if os.path.isfile(file):
                    return (LocatedFile(_module([*parts[:-1], parts[-1] + ".py"]), file, stdlib=True, certain=True),)
        return NotFound(f"not in the standard library of Python {self._interpreter.version_text}")

    def _in_packages(self, parts: list[str], windows: bool) -> tuple[LocatedFile, ...] | NotFound:
        if parts[0].endswith(".egg") and len(parts) > 1:
            parts = parts[1:]
        found = next(self._searched(parts, windows), None)
        if found:
            module, file, extra = found
            return (LocatedFile(module, file, self.in_stdlib(file), certain=not extra, extra_path=extra, shared=len(parts)),)
        package = parts[0].removesuffix(".py")
        if self.installed(package):
            return NotFound(f"the installed {package} has no file {'/'.join(parts)}")
        return NotFound(f"{package} is not installed", package)

    def _searched(self, parts: Sequence[str], fold: bool) -> Iterator[tuple[str, str, str]]:
        """Module, file and folder to import from, of a path relative to a folder of ``sys.path``, to an editable install, or to
        a folder of the project; the last is "" where the interpreter finds it by itself."""
        if not all(part.isidentifier() for part in (*parts[:-1], parts[-1][:-3])):
            return
        for entry in (*self._entries, *(root for root in self.roots if root not in self._entries)):
            file = _join(entry, parts, fold)
            # What a project imports from its ``src`` is not imported as ``src`` from its root.
            if file and not (entry in self.roots and os.path.join(entry, parts[0]) in self.roots):
                yield _module(Path(os.path.relpath(file, entry)).parts), file, "" if entry in self._entries else entry
        place = self._editables.get(parts[0].removesuffix(".py"))
        if place is None:
            return
        if len(parts) == 1:
            if os.path.isfile(place):
                yield _module(parts), place, ""
            return
        folder = os.path.dirname(place) if place.endswith(".py") else place
        file = _join(folder, parts[1:], fold)
        if file:
            yield _module(parts), file, ""

    def _project_file(self, path: str) -> LocatedFile:
        """A file here by its whole path: a module of a package, or a script."""
        file = Path(os.path.abspath(path))
        root = next(folder for folder in file.parents if not (folder / "__init__.py").is_file())
        entries = [entry for entry in self._entries if file.is_relative_to(entry)]
        entry = max(entries, key=len, default="")
        if entry and str(root) not in entries:
            inner = file.relative_to(entry).parts
            if inner[0] not in _SOURCE_ROOTS and all(part.isidentifier() for part in (*inner[:-1], file.stem)):
                return LocatedFile(_module(inner), str(file), stdlib=False, certain=True)
        if not entry:
            root = self._import_root(file, root)
        extra = "" if str(root) in entries else str(root)
        return LocatedFile(
            _module(file.relative_to(root).parts), str(file), self.in_stdlib(str(file)), certain=True, extra_path=extra
        )

    def _import_root(self, file: Path, nearest: Path) -> Path:
        """The folder that a file of no installed package is imported from: ``nearest`` (without ``__init__.py``), or further out in
        the project where what the file itself imports lies there: folders of a namespace have no ``__init__.py``."""
        if not self._interpreter.project or not file.is_relative_to(project_root(Path(self._interpreter.project))):
            return nearest
        wanted = imported_names(file)
        top = project_root(Path(self._interpreter.project))
        folders = [folder for folder in (nearest, *nearest.parents) if folder.is_relative_to(top)]
        fitting = [one for one in folders if all(part.isidentifier() for part in file.relative_to(one).with_suffix("").parts)]
        return max(fitting, key=lambda one: sum(_lies_in(name, one) for name in wanted), default=nearest)


def _parts(path: str) -> tuple[list[str], bool]:
    """The components of a printed path, and whether it is a Windows path."""
    windows = re.match(r"[A-Za-z]:[\\/]|\\\\", path) is not None or ("\\" in path and "/" not in path)
    if windows:
        path = re.sub(r"^[A-Za-z]:", "", path).replace("\\", "/")
    return [part for part in path.split("/") if part not in ("", ".", "..")], windows


def _below(parts: Sequence[str], is_mark: Callable[[str], bool], *parents: str) -> list[str]:
    """What follows the last marked component (whose parent is one of ``parents``, where any are named)."""
    for index in range(len(parts) - 2, -1, -1):
        if is_mark(parts[index]) and (not parents or (index > 0 and parts[index - 1].lower() in parents)):
            return list(parts[index + 1 :])
    return []


def _shared(parts: Sequence[str], others: Sequence[str], fold: bool) -> int:
    """How many last parts two paths have in common."""
    pairs = zip(reversed(parts), reversed(others), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1] or (fold and pair[0].lower() == pair[1].lower()), pairs)))


def _lies_in(name: str, folder: Path) -> bool:
    place = folder.joinpath(*name.split("."))
    return place.is_dir() or place.with_suffix(".py").is_file()


def _module(parts: Sequence[str]) -> str:
    """The dotted name of a file given by its components."""
    names = [*parts[:-1], parts[-1].removesuffix(".py")]
    return ".".join(names[:-1] if names[-1] == "__init__" and len(names) > 1 else names)


def _join(folder: str, parts: Sequence[str], fold: bool) -> str | None:
    """The file ``parts`` under ``folder``; with ``fold`` letter case does not count (Windows)."""
    file = os.path.join(folder, *parts)
    if os.path.isfile(file):
        return file
    if not fold:
        return None
    place = folder
    for part in parts:
        name = next((name for name in _names(place) if name.lower() == part.lower()), None)
        if name is None:
            return None
        place = os.path.join(place, name)
    return place if os.path.isfile(place) else None


def _names(folder: str) -> Iterator[str]:
    try:
        yield from sorted(os.listdir(folder))
    except OSError:
        return  # not a folder, or not ours to read: it holds nothing for us
