"""Where a loaded package lies, and the project that it is the source of."""

from __future__ import annotations

import os
import sys

_MARKS = ("pyproject.toml", "setup.py", "setup.cfg")
_LEVELS = 3
"""Folders that a package may lie below the root of its project, such as ``src``."""


def package_folder(package: str) -> str | None:
    """The folder of a package; None for a single module and what has no place on disk."""
    place = next(iter(getattr(sys.modules.get(package), "__path__", ())), None)
    return place if isinstance(place, str) else None


def folder_around(package: str) -> str | None:
    """The folder that holds a package or a single module, such as site-packages."""
    place = package_folder(package) or getattr(sys.modules.get(package), "__file__", None)
    return os.path.dirname(os.path.abspath(place)) if isinstance(place, str) else None


def project_around(folder: str) -> str | None:
    """The root of the project whose source lies in ``folder``."""
    for _ in range(_LEVELS):
        if any(os.path.exists(os.path.join(folder, name)) for name in _MARKS):
            return folder
        folder = os.path.dirname(folder)
    return None
