"""Writes and imports small packages for the tests of the API model."""

from __future__ import annotations

import importlib
import sys
import textwrap
from pathlib import Path

from crashwright.engine.subject.api.api import ApiModel


def load(folder: Path, package: str, files: dict[str, str]) -> ApiModel:
    """The model of a package of these modules (``""`` is ``__init__``), freshly imported from ``folder``."""
    home = folder / package
    home.mkdir()
    (home / "__init__.py").write_text("")
    for name, text in files.items():
        (home / f"{name or '__init__'}.py").write_text(textwrap.dedent(text).lstrip("\n"))
    sys.path.insert(0, str(folder))
    try:
        names = [package, *(f"{package}.{name}" for name in files if name)]
        for name in names:
            importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))
    return ApiModel(package, names)


def unload(package: str) -> None:
    """Forgets what :func:`load` imported."""
    for name in [name for name in sys.modules if name == package or name.startswith(package + ".")]:
        del sys.modules[name]
