from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from shown_results import RESULT

from crashwright.core.errors import EnvironmentProblem, ExitCode
from crashwright.pytest_plugin import session
from crashwright.workflows.reproduce.request import Request

pytest_plugins = ["pytester"]
ASKED = ("-p", "crashwright.pytest_plugin")
"""Plugins are not loaded by themselves in the sessions of tests."""
RACKS = "def take(items, place):\n    return items[place]\n"
TESTS = """\
import pytest
import racks

def test_take():
    racks.take([], 3)

@pytest.mark.parametrize("place", [4, 5])
def test_again(place):
    racks.take([], place)

def test_own():
    assert racks.take([1], 0) == 2

@pytest.mark.xfail
def test_known():
    racks.take({}, 1)

def test_fine():
    assert racks.take([1], 0) == 1
"""


@pytest.fixture
def asked(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """The requests of a session; each is answered by a test."""
    requests: list[Request] = []

    def reproduce(request: Request, *_: object) -> object:
        requests.append(request)
        return RESULT

    pytester.makepyfile(racks=RACKS, test_racks=TESTS)
    pytester.syspathinsert()
    monkeypatch.setattr(session, "reproduce", reproduce)
    return requests


def test_each_crash_of_the_project_is_offered_once_after_the_session(pytester: pytest.Pytester, asked: list[Request]) -> None:
    done = pytester.runpytest_inprocess(*ASKED, "--crashwright=offer", "--crashwright-budget=30")
    done.assert_outcomes(passed=1, failed=4, xfailed=1)
    assert done.ret == 1
    [request] = asked
    assert (request.package, request.path, request.budget.seconds) == ("racks", (str(pytester.path),), 30.0)
    assert request.report.endswith("IndexError: list index out of range\n")
    assert request.candidates[0].name == "test_racks.py"
    assert request.candidates[0].text.endswith("def test_take():\n    racks.take([], 3)")
    assert not Path(request.output or "").is_relative_to(pytester.path)
    lines = done.outlines
    told = lines.index("crashwright: 1 exception inside the project")
    assert any("4 failed" in line for line in lines[:told])
    assert '  reserve("bolt")' in "\n".join(lines[told:])


def test_files_are_written_where_that_is_asked_for_and_pytest_finds_them(
    pytester: pytest.Pytester, asked: list[Request], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert RESULT.test is not None
    named = replace(RESULT, test=replace(RESULT.test, name="test_x.py"))
    monkeypatch.setattr(session, "reproduce", lambda *_: named)
    done = pytester.runpytest_inprocess(*ASKED, "--crashwright=write")
    done.stdout.fnmatch_lines(["  wrote test_x.py"])
    pytester.makeini("[pytest]\ntestpaths = checks\npython_files = *_test.py\n")
    (pytester.path / "test_racks.py").rename(pytester.mkdir("checks") / "racks_test.py")
    done = pytester.runpytest_inprocess(*ASKED, "--crashwright=write")
    done.stdout.fnmatch_lines([f"  wrote checks{os.sep}x_test.py"])
    assert (pytester.path / "checks" / "x_test.py").read_text() == RESULT.test.text


@pytest.mark.parametrize("error", [EnvironmentProblem("no such package"), ZeroDivisionError("ours"), KeyboardInterrupt()])
def test_nothing_of_ours_changes_the_outcome(
    error: BaseException, pytester: pytest.Pytester, asked: list[Request], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(session, "reproduce", fails)
    done = pytester.runpytest_inprocess(*ASKED, "--crashwright=offer")
    assert done.ret == 1
    done.assert_outcomes(passed=1, failed=4, xfailed=1)
    done.stdout.fnmatch_lines(["*no test: no such package" if isinstance(error, EnvironmentProblem) else "crashwright: *"])


def test_what_is_not_reproduced_is_said(pytester: pytest.Pytester, asked: list[Request], monkeypatch: pytest.MonkeyPatch) -> None:
    missed = replace(RESULT, exit_code=ExitCode.NOT_FOUND, test=None, frames_reached=1, hints=("a hint",))
    monkeypatch.setattr(session, "reproduce", lambda *_: missed)
    done = pytester.runpytest_inprocess(*ASKED, "--crashwright=offer")
    done.stdout.fnmatch_lines(["  not reproduced at the project's boundary: 1 of 3 frames entered", "  a hint"])


def test_a_budget_that_is_used_up_is_said(pytester: pytest.Pytester, asked: list[Request]) -> None:
    pytester.runpytest_inprocess(*ASKED, "--crashwright=offer", "--crashwright-budget=1").stdout.fnmatch_lines(
        ["*not tried: the 1 s are used up*"]
    )
    assert asked == []


def test_workers_of_a_parallel_session_tell_the_one_that_began_them(pytester: pytest.Pytester, asked: list[Request]) -> None:
    done = pytester.runpytest_inprocess(*ASKED, "--crashwright=offer", "-n2", "-p", "xdist")
    done.assert_outcomes(passed=1, failed=4, xfailed=1)
    assert [request.package for request in asked] == ["racks"]


def test_it_costs_nothing_where_nobody_asks(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\ndef test_it():\n    loaded = sorted(name for name in sys.modules if name.startswith('crashwright'))\n"
        "    assert loaded == ['crashwright', 'crashwright.pytest_plugin']\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *ASKED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout


def test_pytest_is_told_of_the_plugin() -> None:
    assert '[project.entry-points.pytest11]\ncrashwright = "crashwright.pytest_plugin"' in (
        Path(__file__).parents[3] / "pyproject.toml"
    ).read_text(encoding="utf-8")
