"""The projects of ``examples/projects``, as a new user meets them: the report pasted in the project's folder, nothing else said,
becomes a test that is red, and green with the fix; and so is the test that lies there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECTS = Path(__file__).parents[2] / "examples" / "projects"
NAMES = sorted(path.parent.name for path in PROJECTS.glob("*/fix.diff"))
BUDGET = "60"
"""Seconds: most need a few, but all tests of the project may run beside them."""


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # those of our own tests take their time
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=180, check=False)


def pytest_in(folder: Path, test: Path) -> subprocess.CompletedProcess[str]:
    return run(folder, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test.name)


def fix(folder: Path) -> None:
    done = run(folder, "git", "apply", "fix.diff")
    assert done.returncode == 0, done.stderr


@pytest.fixture
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of the project, without the test that lies there."""
    folder = tmp_path / str(request.param)
    shutil.copytree(
        PROJECTS / str(request.param), folder, ignore=shutil.ignore_patterns("test_*.py", "__pycache__", ".crashwright")
    )
    return folder


def report_of(folder: Path) -> str:
    return next(path.name for path in (folder / "crash.txt", folder / "worker.log") if path.exists())


def test_there_are_twelve() -> None:
    assert len(NAMES) == 12


@pytest.mark.parametrize("project", NAMES, indirect=True)
def test_a_report_becomes_a_test_that_the_fix_turns_green(project: Path) -> None:
    done = run(
        project,
        sys.executable,
        "-m",
        "crashwright",
        "reproduce",
        report_of(project),
        "--budget",
        BUDGET,
        "--seed",
        "1",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (written,) = project.glob("test_*.py")
    assert pytest_in(project, written).returncode == 1
    fix(project)
    passed = pytest_in(project, written)
    assert passed.returncode == 0, written.read_text() + passed.stdout


@pytest.mark.parametrize("project", NAMES, indirect=True)
def test_the_test_that_lies_there_shows_the_crash_until_the_fix(project: Path) -> None:
    (committed,) = (PROJECTS / project.name).glob("test_*.py")
    shutil.copy(committed, project)
    failed = pytest_in(project, project / committed.name)
    raised = committed.read_text().partition(" in ")[0].lstrip('"')
    assert failed.returncode == 1
    assert re.search(rf"^E .*\b{raised}\b", failed.stdout, re.MULTILINE), failed.stdout
    fix(project)
    passed = pytest_in(project, project / committed.name)
    assert passed.returncode == 0, passed.stdout
