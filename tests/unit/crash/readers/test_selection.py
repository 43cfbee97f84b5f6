"""Choosing a report by its index, members of groups included."""

import pytest

from crashwright.core.errors import UsageError
from crashwright.core.report import CrashReport, ReportedException, ReportedFrame
from crashwright.crash.readers.selection import choose_report, describe_reports


def crash(kind: str, message: str = "", group: tuple[CrashReport, ...] = (), frames: int = 1) -> CrashReport:
    stack = tuple(ReportedFrame("C:\\a\\mod.py", 3, "take", repeated=2 if number else 0) for number in range(frames))
    return CrashReport((ReportedException(kind, message, stack, group=group),))


INNER = crash("pkg.Group", "two (1 sub-exception)", (crash("KeyError", "'k'", frames=0),))
REPORTS = (crash("ValueError", "bad\nsecond line"), crash("ExceptionGroup", "all", (crash("TypeError", "x" * 99), INNER), frames=2))


def test_each_report_and_member_has_a_line() -> None:
    assert [(one.index, one.text) for one in describe_reports(REPORTS)] == [
        ("1", "ValueError: bad (1 frame, innermost mod.py:3 in take)"),
        ("2", "ExceptionGroup: all (4 frames, innermost mod.py:3 in take)"),
        ("2.1", f"TypeError: {'x' * 46}... (2 frames, innermost mod.py:3 in take)"),
        ("2.2", "pkg.Group: two (1 sub-exception) (2 frames, innermost mod.py:3 in take)"),
        ("2.2.1", "KeyError: 'k' (no frames)"),
    ]


def test_members_of_causes_are_counted_too() -> None:
    cause = ReportedException("ExceptionGroup", "x", (), link="cause", group=(crash("KeyError"),))
    report = CrashReport((cause, *crash("OSError", group=(crash("TypeError"),)).exceptions))
    assert [one.index for one in describe_reports([report])] == ["1", "1-1", "1.1", "1.2"]
    assert choose_report([report], "1.2").crash.type == "TypeError"


def test_chosen_by_index() -> None:
    assert choose_report(REPORTS, None) is REPORTS[-1]
    assert choose_report(REPORTS, "1") is REPORTS[0]
    assert choose_report(REPORTS, " 02 ") is REPORTS[1]
    assert choose_report(REPORTS, "2.2").crash.group == INNER.crash.group
    assert choose_report(REPORTS, "2.2.1").crash.type == "KeyError"


@pytest.mark.parametrize("index", ["0", "3", "1.1", "2.", "", "last", "-1", "2.2.1.1"])
def test_a_wrong_index_lists_what_there_is(index: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose_report(REPORTS, index)
    assert repr(index) in caught.value.message
    assert "2 reports" in caught.value.message
    assert "2.2.1" in caught.value.advice
    assert "mod.py:3" in caught.value.advice


def test_long_lists_are_cut() -> None:
    with pytest.raises(UsageError) as caught:
        choose_report([crash("ValueError")] * 100, "200")
    assert caught.value.advice.endswith("... and 60 more, to 100")


def frames(*functions: str) -> tuple[ReportedFrame, ...]:
    return tuple(ReportedFrame("mod.py", number, function) for number, function in enumerate(functions, 1))


def test_exceptions_before_the_last_have_an_index_and_the_whole_stack() -> None:
    chain = (
        ReportedException("KeyError", "1", frames("lookup", "deep"), link="context"),
        ReportedException("ValueError", "2", frames("load", "lookup"), link="cause"),
        ReportedException("OSError", "3", frames("main", "load", "clean")),
    )
    report = CrashReport(chain)
    found = {one.index: one.report for one in describe_reports([report])}
    assert list(found) == ["1", "1-1", "1-2"]
    assert [frame.function for frame in found["1-1"].crash.frames] == ["main", "load", "lookup"]
    assert [frame.function for frame in found["1-2"].crash.frames] == ["main", "load", "lookup", "deep"]
    assert [(one.type, one.link) for one in found["1-2"].outer] == [("ValueError", "context"), ("OSError", "cause")]
    assert choose_report([report], "1-0") is report
