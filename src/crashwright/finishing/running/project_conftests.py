"""A plugin of pytest that gives a test outside of a project the fixtures of that project's ``conftest.py`` files.

It is copied beside the test and run in the subject's interpreter: standard library only. ``CRASHWRIGHT_CONFTESTS`` names the files,
line by line, the outermost first.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from types import ModuleType
from typing import Any

_names: list[str] = []


def pytest_addoption(pluginmanager: Any) -> None:
    """Import them as early as pytest does, so that their options are known; after the process has been confined. What one of them
    raises fails the run, as it would in its project."""
    for file in filter(None, os.environ.get("CRASHWRIGHT_CONFTESTS", "").split("\n")):
        module = _imported(file)
        if module is not None:
            pluginmanager.register(module, f"conftest of the project, {len(_names)}")
            _names.append(file)


def _imported(file: str) -> ModuleType | None:
    """As pytest imports it: by its name within its package, if it is in one; else its folder is one to import from."""
    folder, parts = os.path.dirname(file), ["conftest"]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.insert(0, name)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    if len(parts) > 1:
        return importlib.import_module(".".join(parts))
    # Several are called the same; a test that imports from ``conftest`` means the nearest one.
    spec = importlib.util.spec_from_file_location("conftest", file)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    sys.modules["conftest"] = module
    spec.loader.exec_module(module)
    return module
