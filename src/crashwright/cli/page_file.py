"""The file of ``--html``: whether it can be written is asked before a search, not after it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from crashwright.core.errors import EnvironmentProblem, ExitCode
from crashwright.finishing.write import check_writable, write

_OPTION = "--html"


def check_page(name: str | None, option: str = _OPTION) -> None:
    """Raises EnvironmentProblem where ``name``, which ``option`` gave, cannot be written."""
    if name is not None:
        check_writable(Path(name), option)


def write_page(name: str | None, make: Callable[[], str], code: int, option: str = _OPTION) -> int:
    """Write the page, where one is wanted; the exit code, which was ``code`` before. What was found has been told already: where
    the page alone cannot be written a line says so."""
    if name is None:
        return code
    try:
        write(make(), Path(name), option)
    except EnvironmentProblem as problem:
        print(f"crashwright: {problem.message}\n             {problem.advice}", file=sys.stderr)
        return code or ExitCode.ENVIRONMENT
    return code
