"""The command that runs written tests, with all that it needs where the subject is not installed."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable

NO_PYTEST = "   (once pytest is installed there)"


def pytest_command(paths: Iterable[str], interpreter: str, import_path: Iterable[str], has_pytest: bool = True) -> str:
    """``paths`` are the files or folders of the tests; ``interpreter`` runs them, "" where that is crashwright's own;
    ``import_path`` has the folders that must be on ``sys.path``."""
    command = shlex.join(["pytest", *paths])
    if interpreter:
        command = f"{shlex.quote(interpreter)} -m {command}"
    if folders := [_near(folder) for folder in import_path]:
        command = f"PYTHONPATH={shlex.quote(os.pathsep.join(folders))} {command}"
    return command if has_pytest else f"{command}{NO_PYTEST}"


def _near(folder: str) -> str:
    here = os.getcwd()
    below = os.path.abspath(folder).startswith(os.path.join(here, ""))
    return os.path.relpath(folder) if below or os.path.abspath(folder) == here else folder
