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
from warm_program import run_program

PROJECTS = Path(__file__).parents[2] / "examples" / "projects"
NAMES = sorted(path.parent.name for path in PROJECTS.glob("*/fix.diff"))
SLOW = ("parser-recipes",)
"""Those that run in the gate; the others run at night."""
EVALUATIONS = "5000"
"""Most need a few hundred. Seconds would depend on what else the machine does."""


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # those of our own tests take their time
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False)


def outcomes(folder: Path, tests: tuple[Path, Path]) -> tuple[list[list[str]], str]:
    """How the tests of each file end, and what pytest says."""
    names = [test.name for test in tests]
    done = run(folder, sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *names)
    return [re.findall(rf"^([A-Z]+) {re.escape(name)}\b", done.stdout, re.MULTILINE) for name in names], done.stdout


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


def test_there_are_thirteen() -> None:
    assert len(NAMES) == 13
    assert set(SLOW) < set(NAMES)


@pytest.mark.parametrize(
    "project", [pytest.param(name, marks=[] if name in SLOW else [pytest.mark.nightly]) for name in NAMES], indirect=True
)
def test_a_report_becomes_a_test_and_it_and_the_one_that_lies_there_are_red_until_the_fix(project: Path) -> None:
    command = ["reproduce", report_of(project), "--evaluations", EVALUATIONS, "--seed", "1"]
    done = run_program(command, project, 600.0, {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    (written,) = project.glob("test_*.py")
    (committed,) = (PROJECTS / project.name).glob("test_*.py")
    tests = (written, Path(shutil.copy(committed, project / "test_that_lies_there.py")))
    ends, said = outcomes(project, tests)
    assert ends == [["FAILED"], ["FAILED"]], said
    raised = committed.read_text().partition(" in ")[0].lstrip('"')
    # Of a group of exceptions pytest shows what is in it behind bars.
    assert len(re.findall(rf"^(?:E |[ +]*\|).*\b{raised}\b", said, re.MULTILINE)) >= len(tests), said
    fix = run(project, "git", "apply", "fix.diff")
    assert fix.returncode == 0, fix.stderr
    ends, said = outcomes(project, tests)
    assert ends == [["PASSED"], ["PASSED"]], written.read_text() + said
