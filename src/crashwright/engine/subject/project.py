"""Where a loaded package lies, and the project that it is the source of."""

from __future__ import annotations

import os
import sysconfig

from crashwright.engine.subject.introspection import MODULES, loaded_module, module_dict, text

_MARKS = ("pyproject.toml", "setup.py", "setup.cfg")
_LEVELS = 3
"""Folders that a package may lie below the root of its project, such as ``src``."""


def package_folder(package: str) -> str | None:
    """The folder of a package; None for a single module and what has no place on disk."""
    places = module_path(package)
    return places[0] if places else None


def folder_around(package: str) -> str | None:
    """The folder that holds a package or a single module, such as site-packages."""
    place = package_folder(package) or module_file(package)
    return os.path.dirname(os.path.abspath(place)) if place else None


def packages_beside(package: str) -> frozenset[str]:
    """The top-level packages and modules that are loaded from the folder of this one, itself included: those of one project. Of an
    installed package it alone."""
    folder = folder_around(package)
    if folder is None or is_installed(folder):
        return frozenset((package,))
    loaded = {name for name in list(MODULES) if type(name) is str and "." not in name}
    return frozenset(name for name in loaded if folder_around(name) == folder) | {package}


def is_installed(place: str) -> bool:
    """Whether a file or folder is among those that come with the interpreter, or were installed into it."""
    folders = (os.path.join(sysconfig.get_path(name), "") for name in ("stdlib", "purelib", "platlib"))
    return os.path.join(place, "").startswith(tuple(folders))


def project_around(folder: str) -> str | None:
    """The root of the project whose source lies in ``folder``."""
    for _ in range(_LEVELS):
        if any(os.path.exists(os.path.join(folder, name)) for name in _MARKS):
            return folder
        folder = os.path.dirname(folder)
    return None


def module_file(name: str) -> str:
    """The file that a loaded module says it is from; "" where there is none."""
    module = loaded_module(name)
    return "" if module is None else text(module_dict(module).get("__file__"))


def module_path(name: str) -> tuple[str, ...]:
    """The folders of a loaded package; none for a single module."""
    module = loaded_module(name)
    try:
        places: tuple[object, ...] = () if module is None else tuple(module_dict(module).get("__path__", ()))  # type: ignore[arg-type]
    except BaseException:  # noqa: BLE001 - of a namespace package this is no list, and the subject may put anything there
        return ()
    return tuple(place for place in places if type(place) is str)
