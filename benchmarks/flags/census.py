"""RQ1: which functions of a module decide, and which of them have flag branches. Run by the interpreter that has the module."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import crashwright
from crashwright.core.location import CodeKey
from crashwright.core.report import Unknown
from crashwright.engine.subject.flags.branches import FlagAnalysis, decides, flag_positions
from crashwright.engine.subject.source import Sources

SECONDS = 60.0


class Census(NamedTuple):
    """The qualified names of the functions that decide, and of those with flags. ``problem``: why the module was not looked at."""

    deciding: tuple[str, ...]
    flagged: tuple[str, ...]
    problem: str = ""


def census_of(data: tuple[list[str], list[str], str]) -> Census:
    """The census that was written as JSON."""
    deciding, flagged, problem = data
    return Census(tuple(deciding), tuple(flagged), problem)


def census(module: str) -> Census:
    """Of a module that this interpreter can import."""
    try:
        importlib.import_module(module)
    except Exception as error:  # noqa: BLE001 - the subject's code may raise anything; it is reported
        return Census((), (), f"{type(error).__name__}: {error}")
    sources = Sources()
    source = sources.of_module(module)
    if isinstance(source, Unknown):
        return Census((), (), source.reason)
    top = module.partition(".")[0]
    analysis = FlagAnalysis(sources, [name for name in list(sys.modules) if name == top or name.startswith(f"{top}.")])
    keys = [key for key, node in source.codes() if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    deciding = [key for key in keys if decides(analysis, key)]
    flagged = [key for key in deciding if any(flag_positions(analysis, key))]
    return Census(tuple(_names(deciding)), tuple(_names(flagged)))


def _names(keys: list[CodeKey]) -> Iterator[str]:
    yield from dict.fromkeys(key.qualname for key in keys)


def census_by(python: str, module: str) -> Census:
    """The same in a process of another interpreter."""
    folders = [str(Path(crashwright.__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]
    code = f"import sys; sys.path[:0] = {folders!r}; from benchmarks.flags import census; census.main()"
    try:
        done = subprocess.run([python, "-c", code, module], capture_output=True, text=True, timeout=SECONDS, check=False)
        return Census(*json.loads(done.stdout.splitlines()[-1]))
    except (subprocess.TimeoutExpired, ValueError, IndexError) as error:
        return Census((), (), f"no census: {type(error).__name__}")


def main() -> None:
    """Print the census of the module named on the command line."""
    print(json.dumps(census(sys.argv[-1])))
