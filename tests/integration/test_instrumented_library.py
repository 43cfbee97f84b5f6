"""Instrumented library code gives the same results and crashes, under each supported interpreter that is here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import HANG

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"
ZOO = HERE.parent / "unit" / "engine" / "instrument" / "observe.py"
OTHERS = [pytest.param(version, marks=pytest.mark.nightly) for version in ("3.12", "3.13")]


def interpreter(version: str) -> str:
    """An interpreter of this minor version: this one, or one of pyenv's. Skips the test where there is none."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    for candidate in sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python")):
        return str(candidate)
    pytest.skip(f"no Python {version} here")


def run(version: str, script: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [interpreter(version), str(script), *arguments], env=environment, capture_output=True, text=True, timeout=HANG, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("version", ["3.11", *OTHERS])
def test_the_standard_library_is_the_same(version: str) -> None:
    assert run(version, HERE / "instrumented_library.py", "40") == "agree\n"


@pytest.mark.parametrize("version", OTHERS)
def test_the_zoo_is_the_same(version: str) -> None:
    assert run(version, ZOO) == "agree\n"
