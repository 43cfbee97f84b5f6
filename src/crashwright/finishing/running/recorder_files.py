"""What a fresh run needs beside it: copies of the recorder, of the other plugins and of what confines them, for an interpreter that
has nothing of ours.

Each copy has its bytecode, for an interpreter of this version: compiling them was a tenth of what a fresh run took. Nothing of them
is imported here, since what they need is of no use to a host.
"""

from __future__ import annotations

import importlib.util
import marshal
import shutil
import sys
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path

import crashwright

RECORDER, CONFINEMENT = "crashwright_recorder", "crashwright_confinement"
"""Known by these names to the copies."""
STAND_IN, SUITE_WATCH, COVERAGE_WATCH = "crashwright_stand_in", "crashwright_suite_watch", "crashwright_coverage_watch"
ELSEWHERE, PROJECT_CONFTESTS = "crashwright_elsewhere", "crashwright_project_conftests"
ASYNC_TESTS, FRAMES_WATCH = "crashwright_async_tests", "crashwright_frames_watch"
_PLUGINS = {
    RECORDER: "recorder",
    SUITE_WATCH: "suite_watch",
    COVERAGE_WATCH: "coverage_watch",
    ELSEWHERE: "elsewhere",
    PROJECT_CONFTESTS: "project_conftests",
    ASYNC_TESTS: "async_tests",
    FRAMES_WATCH: "frames_watch",
}
_HERE = Path(__file__).parent
_KERNEL = Path(crashwright.__file__).parent / "engine" / "execution" / "confinement"
# pytest compiles anew what it is told to load as a plugin, whatever there is of bytecode, but not what that imports.
_DOOR = '"""PYTEST_DONT_REWRITE"""\nimport sys\n\nimport {code}\n\nsys.modules[__name__] = {code}\n'
_UNCHECKED = (1).to_bytes(4, "little")
"""The flag of bytecode that holds whenever its source was written (PEP 552)."""


def lay_out(folder: Path) -> None:
    """Put the copies into ``folder``, which is made."""
    (folder / CONFINEMENT / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__").mkdir()
    for name, part in _PLUGINS.items():
        (folder / f"{name}.py").write_text(_DOOR.format(code=f"{name}_code"), encoding="utf-8")
        _copy(_HERE / f"{part}.py", folder / f"{name}_code.py")
    shutil.copyfile(_HERE / "stand_in.py", folder / f"{STAND_IN}.py")  # a program: Python compiles these
    for path in _KERNEL.glob("*.py"):
        _copy(path, folder / CONFINEMENT / path.name)


def _copy(source: Path, target: Path) -> None:
    shutil.copyfile(source, target)
    (target.parent / "__pycache__" / f"{target.stem}.{sys.implementation.cache_tag}.pyc").write_bytes(_bytecode(source))


@cache
def _bytecode(source: Path) -> bytes:
    """As a file has it."""
    code = SourceFileLoader(source.stem, str(source)).get_code(source.stem)
    return importlib.util.MAGIC_NUMBER + _UNCHECKED + importlib.util.source_hash(source.read_bytes()) + marshal.dumps(code)
