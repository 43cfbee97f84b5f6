"""Small applications made with real frameworks: their reports, pasted in their folders, become tests that are red where the
applications run, at the frames of the report, and green with the fix. ``scripts/real_parts`` makes the environment."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from patience import HANG
from warm_program import run_program

HERE = Path(__file__).parent
NAMES = sorted(path.parent.name for path in HERE.glob("*/fix.diff"))
ELSEWHERE = ("aiohttp-parking", "async-library", "flask-tools", "jinja-offers", "pandas-roster", "polars-energy", "typer-backup")
"""Frameworks and libraries that other slow tests use, too, and those that need nothing of us: these run at night."""
VARIABLE = "CRASHWRIGHT_REAL_PARTS"
EVALUATIONS = "3000"
STARTED_BY = {"typer-backup": 1}
"""Outermost frames that start the program: a test that gives its commands takes their place."""
FRAME = re.compile(r'^  File "/srv/[^/"]+/(?!\.venv/)(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>.+)$', re.MULTILINE)
"""Of the application's own code, as reports here show it."""


@pytest.fixture(scope="module")
def python() -> str:
    """The interpreter of the environment."""
    found = os.environ.get(VARIABLE, "")
    if not found:
        pytest.skip(f'no environment with real frameworks: export {VARIABLE}="$(scripts/real_parts)"')
    assert Path(found).is_file(), f"{VARIABLE} is {found}, and nothing is there: scripts/real_parts makes it"
    return found


@pytest.fixture
def application(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of it, under the name that the report has."""
    folder = tmp_path / str(request.param)
    shutil.copytree(HERE / str(request.param), folder, ignore=shutil.ignore_patterns("__pycache__", ".crashwright", "*.db"))
    return folder


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    source = folder / "src"
    environment = {**os.environ, "PYTHONPATH": str(source if source.is_dir() else folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=HANG, check=False)


def own_frames(report: str) -> list[str]:
    """The frames of functions of the application, outermost first, as pytest shows them: ``tariffs.py", line 20, in fee``."""
    found = [f'{frame["file"]}", line {frame["line"]}, in {frame["function"]}' for frame in FRAME.finditer(report)]
    return [frame for frame in found if not frame.endswith(" in <module>")]


@pytest.mark.parametrize(
    "application",
    [pytest.param(name, marks=[pytest.mark.nightly] if name in ELSEWHERE else []) for name in NAMES],
    indirect=True,
)
def test_a_report_becomes_a_test_that_is_red_at_its_frames_until_the_fix(application: Path, python: str) -> None:
    report = (application / "crash.txt").read_text()
    frames = own_frames(report)
    told = report[report.index(frames[-1]) :]
    raised = next(line for line in told.splitlines() if re.match(r"[\w.]+(: |$)", line))
    command = ["reproduce", "crash.txt", "--python", python, "--evaluations", EVALUATIONS, "--seed", "1", "--no-cache"]
    done = run_program(command, application, 2 * HANG)
    assert done.returncode == 0, done.stdout + done.stderr
    (written,) = application.glob("test_*.py")
    pytest_on_it = (python, "-m", "pytest", "-q", "--tb=native", "-p", "no:cacheprovider", written.name)
    red = run(application, *pytest_on_it)
    assert red.returncode == 1, done.stdout + red.stdout + red.stderr
    wanted = frames[STARTED_BY.get(application.name, 0) :]
    shown = [red.stdout.find(frame) for frame in wanted]
    assert -1 not in shown, (wanted, written.read_text(), red.stdout)
    assert shown == sorted(shown), red.stdout
    assert raised in red.stdout.splitlines(), (raised, red.stdout)
    fix = run(application, "git", "apply", "fix.diff")
    assert fix.returncode == 0, fix.stderr
    green = run(application, *pytest_on_it)
    assert green.returncode == 0, written.read_text() + green.stdout


def test_there_are_eleven() -> None:
    assert len(NAMES) == 11
    assert set(ELSEWHERE) < set(NAMES)
