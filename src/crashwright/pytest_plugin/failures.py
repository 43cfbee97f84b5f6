"""The failures that can be reproduced: exceptions raised inside the project, told as reports that begin at the test.

The project is what lies below pytest's root folder, but for installed packages and the tests themselves.
"""

from __future__ import annotations

import ast
import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from types import TracebackType
from typing import Any

_TEST_FOLDERS = frozenset({"tests", "test", "testing"})
_INSTALLED = frozenset({"site-packages", "dist-packages"})


@dataclass(frozen=True, slots=True)
class FailedTest:
    """``test`` failed by an exception of ``package``, which is imported from ``folder``. ``place`` tells crashes apart;
    ``candidate`` is the test's source, as far as it can be run by itself."""

    test: str
    report: str
    package: str
    folder: str
    place: str
    candidate: str = ""

    def to_data(self) -> dict[str, str]:
        """As it may go from one process to another."""
        return asdict(self)


def failure_from(data: dict[str, Any]) -> FailedTest:
    """The inverse of :meth:`Failure.to_data`."""
    return FailedTest(**data)


@dataclass(frozen=True, slots=True)
class Project:
    """What is the project's: below ``root``, not installed, and not a test, whose files match ``patterns``."""

    root: Path
    patterns: tuple[str, ...]

    def owns(self, file: str) -> bool:
        """Is this a file of the project that is no test?"""
        path = Path(file)
        if not path.is_absolute() or not path.is_relative_to(self.root):
            return False
        inner = path.relative_to(self.root)
        if _INSTALLED.intersection(inner.parts) or path.is_relative_to(sys.prefix):
            return False
        return not self.is_test(inner)

    def is_test(self, inner: Path) -> bool:
        """A test file, or one beside the tests that helps them."""
        named = inner.name == "conftest.py" or any(fnmatch(inner.name, one) for one in self.patterns)
        return named or bool(_TEST_FOLDERS.intersection(inner.parts[:-1]))

    def failure(self, test: str, error: BaseException, source: str = "") -> FailedTest | None:
        """The failure of ``test`` by ``error``; None where that was not raised inside the project."""
        frames = _frames(error.__traceback__)
        begin = _last_test_frame(frames, self)
        own = [one for one in frames[begin + 1 :] if self.owns(_file(one))]
        if not own or _raised_by_test(frames, self):
            return None
        package, folder = _package_of(own[-1])
        crash = frames[-1]
        place = f"{type(error).__name__} {_file(own[0])}:{own[0].tb_lineno} {_file(crash)}:{crash.tb_lineno}"
        shown = frames[begin] if begin >= 0 else own[0]
        lines = traceback.format_exception(type(error), error, shown)
        return FailedTest(test, "".join(lines), package, folder, place, source)


def runnable_source(file: Path, function: str) -> str:
    """The imports of a test file with one of its functions: what can be tried as it stands. "" where there is no such function."""
    try:
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (OSError, ValueError, SyntaxError):
        return ""
    found = [one for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name == function]
    imports = [one for one in tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
    return "\n\n\n".join(["\n".join(map(ast.unparse, imports)), ast.unparse(found[-1])]) if found else ""


def _frames(trace: TracebackType | None) -> list[TracebackType]:
    frames = []
    while trace is not None:
        frames.append(trace)
        trace = trace.tb_next
    return frames


def _file(trace: TracebackType) -> str:
    return trace.tb_frame.f_code.co_filename


def _last_test_frame(frames: Sequence[TracebackType], project: Project) -> int:
    """The place of the innermost frame of a test before the project's, -1 where there is none (a fixture of a plugin, say)."""
    return max((place for place, one in enumerate(frames) if _is_test(one, project)), default=-1)


def _raised_by_test(frames: Sequence[TracebackType], project: Project) -> bool:
    return bool(frames) and _is_test(frames[-1], project)


def _is_test(trace: TracebackType, project: Project) -> bool:
    path = Path(_file(trace))
    return path.is_relative_to(project.root) and project.is_test(path.relative_to(project.root))


def _package_of(trace: TracebackType) -> tuple[str, str]:
    """The top-level name that the frame's module was imported by, and the folder that holds it."""
    module = str(trace.tb_frame.f_globals.get("__name__", ""))
    path = Path(os.path.abspath(_file(trace))).with_suffix("")
    parts = module.split(".")
    if path.name == "__init__":
        path = path.parent
    if list(path.parts[-len(parts) :]) != parts:
        return path.name, str(path.parent)
    return parts[0], str(path.parents[len(parts) - 1])
