"""What a user sees of a batch while it runs: a line for each worker on a terminal, whole lines and no more in a pipe."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from crashwright.core.report import CrashReport, ReportedException
from crashwright.reporting.batch import BatchJsonReport, BatchPlainReport
from crashwright.reporting.batch_terminal import BatchTerminalReport
from crashwright.reporting.workers import duration
from crashwright.workflows.batch.answer import Answer, Verdict
from crashwright.workflows.batch.events import Answered, BatchEvent, Begun, Gathered, Planned, Working
from crashwright.workflows.batch.ledger import LedgerEntry, ReportedCrash

REPORT = CrashReport((ReportedException("KeyError", "'a'", ()),))
CRASH = ReportedCrash("f00d", "KeyError: '[red]a' (1 frame)", REPORT, "", "app.log", "1", "")
ENTRY = LedgerEntry(CRASH, 12, None, "", True)
FOUND = Answer(Verdict.REPRODUCED, seconds=4.25, name="test_a.py")
MISSED = Answer(Verdict.NOT_FOUND, "it never\ncame there " + "x" * 300, seconds=9.0)
EVENTS: tuple[BatchEvent, ...] = (
    Gathered("app.log", 1, 14),
    Planned(14, 3, 1),
    Begun(1, f"{CRASH.title}  12x", 60.0),
    Begun(2, f"{CRASH.title}  12x", None),
    Working(1, "frames 1/3  distance 0.5"),
)
LAST = Answered(1, ENTRY, FOUND, "test_a.py", 2, 3, 75.0)


def on_a_terminal(width: int) -> tuple[str, str]:
    """What stands there while two workers are busy, and all that was drawn in the end."""
    now = [100.0]
    drawn = io.StringIO()
    console = Console(file=drawn, force_terminal=True, width=width, color_system=None)
    report = BatchTerminalReport(console, lambda: now[0])
    for event in EVENTS:
        report.event(event)
    now[0] += 12.0
    still = Console(file=io.StringIO(), width=width)
    with still.capture() as capture:
        still.print(report.workers.lines())
    report.event(LAST)
    report.close()
    return capture.get(), drawn.getvalue()


def test_each_worker_has_a_line_with_what_it_does_and_the_time_left() -> None:
    lines, all_of_it = on_a_terminal(100)
    [first, second, *_] = lines.splitlines()
    assert first.split() == ["1", "KeyError:", "'[red]a'", "(1", "frame)", "12x", "frames", "1/3", "distance", "0.5", "48", "s"]
    assert second.split() == ["2", "KeyError:", "'[red]a'", "(1", "frame)", "12x"]
    assert "reproduced     KeyError: '[red]a' (1 frame)  12x  4.2 s  test_a.py" in all_of_it
    assert "2 of 3 crashes answered, about 1 min 15 s left at most" in all_of_it


@pytest.mark.parametrize("width", [20, 40])
def test_on_a_narrow_terminal_lines_are_cut_and_stay_lines(width: int) -> None:
    lines, _ = on_a_terminal(width)
    assert len(lines.splitlines()) == 3
    assert all(len(line) <= width for line in lines.splitlines())


def test_in_a_pipe_answers_are_lines_and_nothing_moves() -> None:
    out, log = io.StringIO(), io.StringIO()
    report = BatchPlainReport(out, log)
    for event in (*EVENTS, LAST, Answered(2, ENTRY, MISSED, "", 3, 3, 0.0)):
        report.event(event)
    answered = out.getvalue().splitlines()
    assert answered[0] == "reports    14, with 3 different crashes; 1 answered by an earlier run"
    assert answered[1] == "reproduced     KeyError: '[red]a' (1 frame)  12x  4.2 s  test_a.py"
    assert answered[2].startswith("not found      KeyError")
    assert answered[3].strip() == "it never came there " + "x" * 140 + "..."
    assert "frames 1/3" not in log.getvalue()
    assert all(line.startswith("... ") for line in log.getvalue().splitlines())
    assert "\x1b" not in out.getvalue() + log.getvalue()


def test_json_has_each_answer_as_it_comes() -> None:
    log = io.StringIO()
    report = BatchJsonReport(io.StringIO(), log)
    for event in (*EVENTS, LAST):
        report.event(event)
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [one["event"] for one in lines] == ["Gathered", "Planned", "Begun", "Begun", "Working", "Answered"]
    assert [lines[-1]["crash"][name] for name in ("verdict", "count", "file")] == ["reproduced", 12, "test_a.py"]


def test_durations() -> None:
    assert [duration(seconds) for seconds in (0.4, 59.0, 75.0, 3661.0)] == ["0 s", "59 s", "1 min 15 s", "1 h 1 min"]
