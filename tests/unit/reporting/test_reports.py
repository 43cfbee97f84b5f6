"""What users see, word for word."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from crashwright.core.errors import EnvironmentProblem, ExitCode
from crashwright.core.location import CodeKey
from crashwright.core.messages import Confined, Progress
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.reporting.errors import error_lines
from crashwright.reporting.json_result import JsonReport, document
from crashwright.reporting.plain import PlainReport
from crashwright.reporting.progress import status
from crashwright.reporting.story import crash_rows
from crashwright.reporting.terminal import TerminalReport
from crashwright.workflows.events import Interrupted, Searching, SubjectResolved
from crashwright.workflows.reproduce.result import PrintedResult, Result, Timing


def frame(module: str, qualname: str, line: int) -> TargetFrame:
    return TargetFrame(CodeKey(module, qualname, 1), f"/x/{module.replace('.', '/')}.py", line, "", None, True)


TARGET = CrashTarget(
    "inventory",
    "IndexError",
    "list index out of range",
    (
        frame("inventory.api", "Inventory.reserve", 12),
        frame("inventory.stock", "Shelf.take", 40),
        frame("inventory.stock", "Shelf._locate", 88),
    ),
)
TEST = PrintedResult(
    "text\n", "test_inventory_reserve_3f2a.py", 4, (4, 4, 4), "pytest", 3, "", "legal", True, 3, 11, "docstring of Inventory"
)
RESULT = Result(ExitCode.SUCCESS, TARGET, "inventory 2.4.1", "3.11.7", 1, 9412, Timing(1.8, 3.2), 3, 3, 0.0, TEST)
RESOLVED = SubjectResolved(TARGET, "inventory 2.4.1", "3.11.7", ())


def plain(result: Result) -> str:
    out = io.StringIO()
    report = PlainReport(out, io.StringIO(), lambda: 0.0)
    report.event(RESOLVED)
    report.result(result)
    return out.getvalue()


def test_story_of_a_reproduction() -> None:
    assert plain(RESULT) == (
        "crash      IndexError: list index out of range\n"
        "           inventory/stock.py:88  Shelf._locate  <-  Shelf.take  <-  Inventory.reserve   (target: frame 3 of 3)\n"
        "subject    inventory 2.4.1, same lines as the report; Python 3.11.7\n"
        "search     all 3 frames, same message   1.8 s   9,412 tests   seed 1   started from: docstring of Inventory\n"
        "minimised  11 -> 3 statements      verified 3 of 3 fresh runs      arguments: legal\n"
        "wrote      test_inventory_reserve_3f2a.py      try it:  pytest test_inventory_reserve_3f2a.py\n"
    )


def test_another_value_in_the_message_is_told_as_a_near_miss() -> None:
    story = plain(replace(RESULT, test=replace(TEST, near_miss="other value (KeyError: 0)")))
    assert "search     all 3 frames, same message, a near miss: other value (KeyError: 0)   1.8 s" in story


def test_story_of_a_lower_target_frame_names_all_frames_of_the_report() -> None:
    [_, row] = crash_rows(replace(TARGET, frames_beyond=2))
    assert row.text.endswith("(target: frame 3 of 5)")


def test_terminal_tells_the_same_story() -> None:
    out = io.StringIO()
    report = TerminalReport(Console(file=out, width=200, color_system=None))
    report.event(RESOLVED)
    report.result(RESULT)
    assert [line.rstrip() for line in out.getvalue().splitlines()] == plain(RESULT).splitlines()


def test_story_of_a_failure_says_how_far_why_and_what_next() -> None:
    failed = replace(
        RESULT,
        exit_code=ExitCode.NOT_FOUND,
        test=None,
        frames_reached=2,
        furthest="inventory/stock.py:86 Shelf._locate",
        hints=("`if not self.slots` was never true",),
        advice=("more time: --budget 300", "another seed: --seed 2"),
    )
    assert plain(failed).splitlines()[3:] == [
        "search     not reproduced: 2 of 3 frames entered   1.8 s   9,412 tests   seed 1",
        "furthest   inventory/stock.py:86 Shelf._locate",
        "why        `if not self.slots` was never true",
        "try next   more time: --budget 300",
        "or         another seed: --seed 2",
    ]


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (
            {"furthest": "stock.py:86 locate was not entered", "hints": ("stock.py:86 locate was not entered",)},
            "stock.py:86 locate was not",
        ),
        ({"furthest": "stock.py:86 locate was not entered"}, "stock.py:86 locate was not entered"),
        (
            {"rejected": ("the fresh runs disagree",)},
            "tests raised the exception during the search, but not in fresh",
        ),
        ({}, "no test entered Inventory.reserve (inventory/"),
    ],
)
def test_a_crash_that_is_not_found_always_has_a_reason(told: dict[str, Any], why: str) -> None:
    nothing = replace(RESULT, exit_code=ExitCode.NOT_FOUND, test=None, furthest="", hints=(), rejected=())
    [row] = [row for row in plain(replace(nothing, **told)).splitlines() if row.startswith("why ")]
    assert row.startswith(f"why        {why}")


def test_partial_is_never_told_as_whole() -> None:
    part = replace(TEST, level=2, levels=(2,), frames=1, missing="only 1 of 3 frames match", file="test_partial_x.py")
    story = plain(replace(RESULT, exit_code=ExitCode.PARTIAL, test=part))
    assert "partial: only 1 of 3 frames match" in story
    assert "wrote      test_partial_x.py  (PARTIAL)" in story
    assert "same message" not in story


def test_test_that_could_not_be_written_is_shown() -> None:
    lost = replace(RESULT, exit_code=ExitCode.ENVIRONMENT, test=replace(TEST, file=""), notes=("disk full",))
    assert "not written disk full\n" in plain(lost)
    assert "text\n" in plain(lost)


def test_folders_to_import_from_are_part_of_the_command() -> None:
    assert "try it:  PYTHONPATH=/opt/code pytest test_" in plain(replace(RESULT, import_path=("/opt/code",)))


def test_progress_is_at_most_one_line_a_second() -> None:
    log, now = io.StringIO(), [0.0]
    report = PlainReport(io.StringIO(), log, lambda: now[0])
    for step in range(50):
        now[0] = step / 10
        report.event(Searching(Progress(now[0], step * 100, 1, 3, 0.25, "stock.py:86"), 1000.0, 42.0))
    lines = log.getvalue().splitlines()
    assert 3 <= len(lines) <= 5
    assert lines[0] == "...        frames 1/3  distance 0.25  1,000 tests  1,000/s  42 s left  stock.py:86"
    report.event(Interrupted())
    assert "Ctrl-C again" in log.getvalue()


def test_warming_up_is_told_where_it_took_its_time() -> None:
    told = [status(Searching(Progress(9.0, 5, 1, 3, 0.25, "", warm_up=seconds), 10.0, 42.0)) for seconds in (0.1, 2.26)]
    assert told[0] == "frames 1/3  distance 0.25  5 tests  10/s  42 s left"
    assert told[1] == "frames 1/3  distance 0.25  5 tests  10/s  warmed up for 2.3 s  42 s left"


def test_json_is_one_document_and_progress_is_elsewhere() -> None:
    out, log = io.StringIO(), io.StringIO()
    report = JsonReport(out, log, lambda: 0.0)
    report.event(RESOLVED)
    report.event(Searching(Progress(0.0, 5, 1, 3, 0.25, ""), 10.0, None))
    report.result(RESULT)
    document = json.loads(out.getvalue())
    assert (document["schema"], document["verdict"], document["exit_code"]) == (1, "reproduced", 0)
    assert document["test"]["text"] == "text\n"
    assert document["target"]["frames"][0]["key"][1] == "Inventory.reserve"
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [line["event"] for line in lines] == ["SubjectResolved", "Searching"]
    assert lines[1]["progress"]["evaluations"] == 5


@pytest.mark.parametrize("message", ["line\nbreak", "\x1b[31mred", "a" * 500])
def test_hostile_messages_stay_on_one_line(message: str) -> None:
    out = io.StringIO()
    PlainReport(out, io.StringIO(), lambda: 0.0).event(replace(RESOLVED, target=replace(TARGET, message=message)))
    assert len(out.getvalue().splitlines()) == 3
    assert "\x1b" not in out.getvalue()


def test_errors_are_two_lines() -> None:
    lines, code = error_lines(EnvironmentProblem("No package x.", "Install it."), ())
    assert code is ExitCode.ENVIRONMENT
    assert lines == [
        "crashwright: No package x.",
        "             Install it.",
    ]


def test_a_test_is_tried_with_the_interpreter_that_was_asked_for() -> None:
    assert "try it:  .venv/bin/python -m pytest test_" in plain(replace(RESULT, interpreter=".venv/bin/python"))


def test_a_test_that_cannot_be_tried_without_pytest_says_so() -> None:
    stood_in = replace(RESULT, interpreter=".venv/bin/python", test=replace(TEST, runner="stand-in"))
    assert ".venv/bin/python -m pytest test_inventory_reserve_3f2a.py   (once pytest is installed there)\n" in plain(stood_in)


def test_of_many_refusals_the_first_ones_are_told() -> None:
    refused = tuple(f"crashwright refused to open for writing /{number}.txt" for number in range(40))
    shown = plain(replace(RESULT, incidents=("the engine was killed", *refused, "something else")))
    assert [number for number in range(40) if f" /{number}.txt" in shown] == [0, 1, 2]
    assert "and 37 more refusals; --verbose lists all\n" in shown
    assert "the engine was killed\n" in shown
    assert "something else\n" in shown
    assert "more refusals; --json" not in plain(replace(RESULT, incidents=refused[:3]))
    assert document(replace(RESULT, incidents=refused))["incidents"] == list(refused)


def test_confinement_is_told_in_the_story_and_among_the_notes_of_the_document() -> None:
    held = Confined("Landlock 7, seccomp", ("missing cannot be opened",), ("start a process",))
    result = replace(RESULT, exit_code=ExitCode.PARTIAL, notes=("a note",), confined=held)
    shown = plain(result)
    assert "confined   Landlock 7, seccomp\n           crashwright refused the import to start a process\n" in shown
    assert "refused the import" not in plain(replace(result, exit_code=ExitCode.SUCCESS))
    told = document(result)
    assert told["notes"] == [
        "a note",
        "confinement: Landlock 7, seccomp",
        "missing cannot be opened",
        "crashwright refused the import to start a process",
    ]
    assert told["confined"]["import_refused"] == ["start a process"]
