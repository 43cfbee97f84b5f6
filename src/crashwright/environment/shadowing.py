"""Modules of the user's with the name of a standard one: with their folder on the path, they are imported in its place.

A script that stands beside such a file gets it. Tests cannot, if pytest or our engine need the standard one themselves: that is
loaded before them, or its namesake is, and then nothing runs.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import crashwright
from crashwright.core.errors import EnvironmentProblem
from crashwright.environment.interpreter import Interpreter

_INSTALLED = frozenset({"site-packages", "dist-packages"})
_QUESTION = """
import sys
source, *names = sys.argv[1:]
sys.path.append(source)
import crashwright.engine.worker.zygote, crashwright.engine.sessions.crash
try:
    from _pytest.config import default_plugins
    for name in default_plugins: __import__('_pytest.' + name)
except ImportError: pass
print(repr([name for name in names if name in sys.modules]))
"""
_SECONDS = 30.0


def is_standard(folder: str, interpreter: Interpreter) -> bool:
    """Is a folder of ``sys.path`` one of the standard library?"""
    inside = any(folder == one or folder.startswith(one + os.sep) for one in interpreter.stdlib)
    return inside and not _INSTALLED.intersection(Path(folder).parts)


def shadowing_problem(extra: Iterable[str], interpreter: Interpreter) -> EnvironmentProblem | None:
    """What to tell of a module in the ``extra`` folders, or in others of the user's on the path, that would be imported in place of
    a standard one that is needed to run tests at all; None if there is none."""
    own = (
        one for one in interpreter.sys_path if not is_standard(one, interpreter) and not _INSTALLED.intersection(Path(one).parts)
    )
    found: dict[str, str] = {}
    for folder in dict.fromkeys((*extra, *own)):
        for name in sorted(sys.stdlib_module_names.intersection(_modules(folder))):
            found.setdefault(name, folder)
    needed = _needed(list(found), interpreter) if found else []
    if not needed:
        return None
    name = needed[0]
    file = next(path for ending in (".py", "/__init__.py") if os.path.isfile(path := os.path.join(found[name], name + ending)))
    return EnvironmentProblem(
        f"{file} has the name of the standard library's {name}: with {found[name]} on the path it is imported instead, by "
        "pytest too, so no test can run there.",
        f"Rename it, or move it into a package and import it as PACKAGE.{name}.",
    )


def _modules(folder: str) -> set[str]:
    """What can be imported from a folder, namespaces apart."""
    try:
        entries = os.listdir(folder)
    except OSError:
        return set()  # not there, or a zip file: it shadows nothing that we know of
    files = {one[:-3] for one in entries if one.endswith(".py")}
    return files | {one for one in entries if os.path.isfile(os.path.join(folder, one, "__init__.py"))}


def _needed(names: list[str], interpreter: Interpreter) -> list[str]:
    """Which of the standard modules are loaded wherever tests run."""
    source = str(Path(crashwright.__file__).resolve().parents[1])
    try:
        done = subprocess.run(
            [interpreter.executable, "-I", "-c", _QUESTION, source, *names],
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        answer = ast.literal_eval(done.stdout.strip().splitlines()[-1])
    except (OSError, subprocess.TimeoutExpired, IndexError, SyntaxError, ValueError):
        return []  # whatever is wrong with it, a search says more of that
    return [str(name) for name in answer]
