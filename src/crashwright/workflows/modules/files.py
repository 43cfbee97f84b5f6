"""Where the suites of many modules go: in folders like those of the modules, under names of which no two are alike."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from crashwright.environment.package_modules import SourceModule, SubjectModules
from crashwright.finishing.suite.file_names import suite_file_names


def mirrored(modules: Sequence[SourceModule], subjects: Sequence[SubjectModules]) -> dict[str, Path]:
    """A file for each module of ``subjects``, by its name: below the package that all are in, the packages are folders.

    pytest imports test files by their names alone where their folders are no packages: these stay different.
    """
    names = suite_file_names([one.name for one in modules])
    tops = [tuple(one.name.split(".")) if one.is_package else _package(one.modules[0]) for one in subjects]
    common = len(list(takewhile(lambda parts: len(set(parts)) == 1, zip(*tops, strict=False))))
    return {one.name: Path(*_package(one)[common:], names[one.name]) for one in modules}


def _package(module: SourceModule) -> tuple[str, ...]:
    parts = tuple(module.name.split("."))
    return parts if os.path.basename(module.file) == "__init__.py" else parts[:-1]
