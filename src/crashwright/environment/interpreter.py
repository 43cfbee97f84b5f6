"""The interpreter that can import the subject: asked once, in a fresh process, without importing anything of the subject."""

from __future__ import annotations

import ast
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from crashwright.core.errors import EnvironmentProblem

OLDEST = (3, 11)
# Runs on any Python, so that an old one gets our words instead of a SyntaxError. '' is the current folder, which `-c` puts first.
_QUESTION = """
import sys
if sys.path[:1] == ['']: del sys.path[0]
import os
base = getattr(sys, 'base_exec_prefix', sys.exec_prefix)
name = 'python%d.%d' % sys.version_info[:2]
print(repr((tuple(sys.version_info[:3]), sys.path,
    [os.path.dirname(os.__file__), os.path.join(base, getattr(sys, 'platlibdir', 'lib'), name), os.path.join(base, 'lib', name)])))
"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """What an interpreter would import from. ``sys_path`` begins with the user's ``--path`` folders and holds no '' (the current
    folder); ``stdlib`` are the folders of the standard library. ``project`` is the folder of a project that one stands in, where
    reported files are looked for as well; "" for none."""

    executable: str
    version: tuple[int, int, int]
    sys_path: tuple[str, ...]
    stdlib: tuple[str, ...]
    has_pytest: bool
    project: str = ""

    @property
    def version_text(self) -> str:
        """Such as ``3.11.7``."""
        return ".".join(map(str, self.version))


def inspect_interpreter(exe: str, path: Sequence[str] = (), timeout: float = 10) -> Interpreter:
    """Ask ``exe`` (``timeout`` in seconds). Raises EnvironmentProblem where it does not run or is too old."""
    if os.path.dirname(exe):
        exe = os.path.abspath(exe)  # engines and fresh runs stand in folders of their own
    for folder in path:
        if not os.path.isdir(folder):
            raise EnvironmentProblem(f"There is no folder {folder}.", "--path takes the folder that holds the package or script.")
    version, sys_path, stdlib = _ask(exe, timeout)
    if version < OLDEST:
        raise EnvironmentProblem(
            f"{exe} is Python {'.'.join(map(str, version))}; crashwright needs your package to run on Python 3.11 or newer.",
            "Use a newer one, most crashes are the same there: python3.11 -m venv crashenv; "
            "crashenv/bin/pip install NAME==VERSION pytest (the version that crashed); --python crashenv/bin/python.",
        )
    folders = tuple(dict.fromkeys([*(os.path.abspath(folder) for folder in path), *filter(None, sys_path)]))
    has_pytest = any(
        os.path.isfile(os.path.join(folder, name)) for folder in folders for name in ("pytest/__init__.py", "pytest.py")
    )
    real = dict.fromkeys(name for folder in stdlib for name in (folder, os.path.realpath(folder)) if os.path.isdir(folder))
    return Interpreter(exe, version, folders, tuple(real), has_pytest)


def _ask(exe: str, timeout: float) -> tuple[tuple[int, int, int], list[str], list[str]]:
    advice = "Name a working interpreter with --python, such as .venv/bin/python."
    try:
        done = subprocess.run(
            [exe, "-c", _QUESTION], capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL, check=False
        )
    except subprocess.TimeoutExpired:
        raise EnvironmentProblem(f"{exe} did not answer within {timeout:g} s.", advice) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise EnvironmentProblem(f"{exe} cannot be run: {reason}.", advice) from None
    try:
        # Whatever a sitecustomize prints comes before our line.
        version, sys_path, stdlib = ast.literal_eval(done.stdout.strip().splitlines()[-1])
        return tuple(version), list(sys_path), list(stdlib)
    except (IndexError, SyntaxError, ValueError, TypeError):
        last = (done.stderr.strip() or done.stdout.strip() or f"exit status {done.returncode}").splitlines()[-1]
        raise EnvironmentProblem(f"{exe} is not a working Python interpreter: {last}", advice) from None
