"""The crash pack runs any tool by one command: here small programs, on a case made up for them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from benchmarks.pack import running
from benchmarks.pack.board import Row
from benchmarks.pack.cases import Case
from benchmarks.pack.homes import Homes
from benchmarks.pack.running import Tool, attempt

pytestmark = pytest.mark.nightly

SHELF = """\
def take(slots):
    return slots[0]
"""
TRACE = """\
Traceback (most recent call last):
  File "/home/app/app.py", line 3, in <module>
    take(slots)
  File "/home/app/venv/lib/python3.11/site-packages/shelves/shelf.py", line 2, in take
    return slots[0]
           ~~~~~^^^
IndexError: list index out of range
"""
#: A tool as somebody else would write it: it reads the report and writes a test.
WRITER = """\
import sys
trace, out, site = sys.argv[1:]
assert "IndexError" in open(trace).read()
open(out, "w").write(f'''
import sys
sys.path.insert(0, {site!r})
from shelves.shelf import take
def test_crash():
    take([])
''')
"""


class Here(Homes):
    """One environment for all pins: the one that runs these tests."""

    def __init__(self) -> None:
        """Nothing is installed."""

    def python(self, pins: tuple[str, ...]) -> str:
        """The interpreter at hand."""
        return sys.executable


@pytest.fixture
def case(tmp_path: Path) -> Case:
    package = tmp_path / "site-packages" / "shelves"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "shelf.py").write_text(SHELF)
    (tmp_path / "traceback.txt").write_text(TRACE)
    (tmp_path / "tool.py").write_text(WRITER)
    return Case(tmp_path, "shelves", "1.0", None, ("shelves",), (), "IndexError", None, "look", "https://example.org/1")


def run_of(command: str, case: Case, keep: Path | None = None, budget: float = 60.0) -> Row:
    return attempt(case, Tool(command, "writer", "1.0", budget), 1, Here(), keep)


def test_a_tool_that_writes_a_test_is_judged(case: Case, tmp_path: Path) -> None:
    row = run_of(f"{{python}} {tmp_path}/tool.py {{trace}} {{out}} {tmp_path}/site-packages", case, tmp_path / "kept")
    assert (row.score, row.frames, row.total, row.problem) == (4, 1, 1, "")
    assert "take([])" in next((tmp_path / "kept").iterdir()).read_text()


@pytest.mark.parametrize(("code", "problem"), [(0, ""), (1, ""), (2, "exit 2")])
def test_a_tool_that_writes_nothing_found_nothing(code: int, problem: str, case: Case) -> None:
    row = run_of(f'{{python}} -c "raise SystemExit({code})" {{trace}} {{out}}', case)
    assert (row.score, row.problem) == (0, problem)


def test_a_tool_that_takes_too_long_is_stopped(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "GRACE", 0.0)
    row = run_of('{python} -c "import time; time.sleep(1000)" {trace} {out}', case, budget=0.1)
    assert (row.score, row.problem) == (0, "late")


def test_what_a_tool_leaves_running_is_ended(case: Case, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert run_of(f"sh -c 'sleep 1000 > {pipe} & exit 1' {{trace}} {{out}}", case).problem == ""
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""  # The other end is closed: nobody holds it any more.
    os.close(reader)
