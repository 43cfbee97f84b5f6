"""What is said of reports that fit badly or not at all, and of what only some Pythons have, in made-up environments."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crashwright.core.errors import EnvironmentProblem, ReportError
from crashwright.core.report import CrashReport, OuterException, ReportedEnvironment, ReportedException, ReportedFrame
from crashwright.crash.examine import ExaminedReport, examine
from crashwright.crash.resolve import resolve
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.environment.interpreter import Interpreter

GROVE = """\
def plant(seeds):
    rows = [
        [
            grow(seed)
            for seed in row
        ]
        for row in fetch(seeds)
    ]
    return {grow(seed) for seed in rows}, (grow(s) for s in [grow(1)])


def grow(seed):
    return 10 / seed
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "venv" / "site-packages"
    (root / "grove").mkdir(parents=True)
    (root / "grove" / "__init__.py").write_text(GROVE)
    (root / "grove-2.1.dist-info").mkdir()
    (root / "grove-2.1.dist-info" / "RECORD").write_text("grove/__init__.py,,\n")
    return root


def interpreter(site: Path, version: tuple[int, int, int] = (3, 11, 7)) -> Interpreter:
    return Interpreter("python", version, (str(site),), (str(site.parent / "lib"),), True)


def grove(
    line: int,
    function: str,
    source: str | None = None,
    columns: tuple[int, int] | None = None,
    root: str = "/v/lib/python3.13/site-packages",
    local_values: dict[str, str] | None = None,
) -> ReportedFrame:
    return ReportedFrame(f"{root}/grove/__init__.py", line, function, source, columns, local_values=local_values or {})


def report(*frames: ReportedFrame, environment: ReportedEnvironment | None = None) -> CrashReport:
    return CrashReport((ReportedException("ZeroDivisionError", "division by zero", frames),), environment)


GROW = grove(13, "grow", "return 10 / seed", (7, 16))


def shown(found: ExaminedReport) -> list[tuple[int, str]]:
    assert found.target is not None
    return [(frame.line, frame.key.qualname) for frame in found.target.frames]


@pytest.mark.parametrize("columns", [(0, 10), None], ids=["carets", "whole line"])
def test_comprehensions_get_the_frames_that_this_python_makes(site: Path, columns: tuple[int, int] | None) -> None:
    inside = grove(4, "plant", "grow(seed)", columns)
    found = examine(report(inside, GROW), interpreter(site))
    chain = [(2, "plant"), (3, "plant.<locals>.<listcomp>"), (4, "plant.<locals>.<listcomp>.<listcomp>"), (13, "grow")]
    assert shown(found) == chain
    assert shown(examine(report(inside, GROW), interpreter(site, (3, 12, 1)))) == [(4, "plant"), (13, "grow")]


def test_first_iterable_runs_in_the_function_itself(site: Path) -> None:
    found = examine(report(grove(7, "plant", "for row in fetch(seeds)", (11, 23)), GROW), interpreter(site))
    assert shown(found) == [(7, "plant"), (13, "grow")]


def test_without_columns_the_call_of_the_next_frame_tells(site: Path) -> None:
    bare = grove(13, "grow", "return 10 / seed")
    assert shown(examine(report(grove(4, "plant", "grow(seed)"), bare), interpreter(site)))[:2] == [
        (2, "plant"),
        (3, "plant.<locals>.<listcomp>"),
    ]
    # Three calls of that name on the line: nothing is guessed.
    three = examine(
        report(grove(9, "plant", "return {grow(seed) for seed in rows}, (grow(s) for s in [grow(1)])"), bare), interpreter(site)
    )
    assert shown(three) == [(9, "plant"), (13, "grow")]


def test_reports_that_have_the_frames_already_stay_as_they_are(site: Path) -> None:
    frames = (grove(2, "plant", "rows = [", (7, 8)), grove(3, "<listcomp>", "["), grove(4, "<listcomp>", "grow(seed)"), GROW)
    found = examine(report(*frames), interpreter(site))
    assert [line for line, _ in shown(found)] == [2, 3, 4, 13]


def test_what_looks_like_a_secret_is_left_out_unless_allowed(site: Path) -> None:
    values = {"seed": "0", "password": "'hunter2'"}
    crash = report(grove(13, "grow", "return 10 / seed", (7, 16), local_values=values))
    found = examine(crash, interpreter(site))
    assert found.target is not None
    assert found.target.frames[0].local_values == {"seed": "0", "password": "'xxxxxx0'"}
    assert any("password" in note and "--allow secrets" in note for note in found.notes)
    assert resolve(crash, interpreter(site), secrets=SecretFilter(allowed=True)).target.frames[0].local_values == values


def test_versions_of_report_and_subject_are_compared(site: Path) -> None:
    environment = ReportedEnvironment("3.12.4", {"Grove": "1.9"})
    found = examine(report(GROW, environment=environment), interpreter(site))
    assert found.reported_version == "1.9"
    assert "the report is from Python 3.12, the subject runs on 3.11.7" in found.notes
    assert "the report is from grove 1.9, installed is 2.1" in found.notes
    same = examine(report(GROW, environment=ReportedEnvironment("3.11.2", {"grove": "2.1"})), interpreter(site))
    assert same.notes == ()


def test_another_version_is_named_where_the_crash_frame_is_gone(site: Path) -> None:
    gone = grove(50, "wither", "return 1")
    found = examine(report(gone, environment=ReportedEnvironment(release="grove@1.4.0")), interpreter(site))
    assert isinstance(found.problem, EnvironmentProblem)
    assert "grove 2.1" in found.problem.message
    assert "grove==1.4.0" in found.problem.advice
    assert found.package == "grove"
    assert found.frames[0].path == str(site / "grove" / "__init__.py")


def test_missing_package_is_named_with_the_version_of_the_report(site: Path) -> None:
    frame = ReportedFrame("/v/lib/python3.11/site-packages/orchard/core.py", 3, "pick", "x()")
    found = examine(report(frame, environment=ReportedEnvironment(packages={"orchard": "0.3"})), interpreter(site))
    assert isinstance(found.problem, EnvironmentProblem)
    assert "orchard==0.3" in found.problem.advice
    assert found.frames[0].missing_package == "orchard"


def test_group_without_own_frames_points_to_its_members(site: Path) -> None:
    member = report(GROW)
    group = CrashReport(
        (ReportedException("ExceptionGroup", "two", (ReportedFrame("/x/run.py", 3, "main", "go()"),), group=(member,)),)
    )
    found = examine(group, interpreter(site))
    assert found.problem is not None
    assert "ZeroDivisionError" in found.problem.advice
    assert "--report-number" in found.problem.advice
    bare = examine(CrashReport((ReportedException("ExceptionGroup", "two", (), group=(member,)),)), interpreter(site))
    assert isinstance(bare.problem, ReportError)
    assert "--report-number" in bare.problem.advice


def test_function_that_the_report_does_not_name_is_the_innermost_on_the_line(site: Path) -> None:
    assert shown(examine(report(grove(13, "<unknown>", "return 10 / seed")), interpreter(site))) == [(13, "grow")]


def test_report_of_nothing_but_comprehensions_has_no_frame_in_a_newer_python(site: Path) -> None:
    found = examine(report(grove(3, "<listcomp>", "[")), interpreter(site, (3, 13, 0)))
    assert found.target is None
    assert isinstance(found.problem, ReportError)
    assert "comprehensions" in found.problem.message


def test_what_led_to_a_member_of_a_group_is_known_by_the_groups_own_frames(site: Path) -> None:
    around = (
        ReportedFrame("/x/run.py", 3, "main", "go()"),
        grove(1, "<module>", "plant([1])"),
        grove(7, "plant", "for row in fetch(seeds)", (11, 23)),
    )
    group = OuterException("ExceptionGroup", "member", around)
    found = examine(replace(report(GROW), outer=(group,)), interpreter(site))
    assert found.target is not None
    assert [key.qualname for key in found.target.led_here] == ["plant"]
    assert [site.source for site in found.target.call_sites] == ["go()", "plant([1])", "for row in fetch(seeds)"]
