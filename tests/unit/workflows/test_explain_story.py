"""What `explain` says of reports, with the interpreter that runs the tests and a package in a folder; and that it runs nothing."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from crashwright.core.codec import to_json
from crashwright.core.errors import ExitCode, UsageError
from crashwright.reporting.explanation import explanation_rows
from crashwright.reporting.json_result import explanation_document
from crashwright.workflows.inquiries.explain import ExplainRequest, explain
from crashwright.workflows.inquiries.explanation import Conditions, Explanation, FrameConditions

SHOP = """\
open(__file__ + ".imported", "w")


def reserve(items, n):
    return _take(items, n)


def _take(items, n):
    return items[n]
"""
REPORT = """\
Traceback (most recent call last):
  File "/srv/app/main.py", line 3, in <module>
    shop.reserve(things, 7)
  File "/srv/app/shop.py", line 5, in reserve
    return _take(items, n)
           ^^^^^^^^^^^^^^^
  File "/srv/app/shop.py", line 9, in _take
    return items[n]
           ~~~~~^^^
IndexError: list index out of range
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    return tmp_path


def told(folder: Path, report: str = REPORT, **chosen: object) -> Explanation:
    explanation = explain(ExplainRequest(report, "crash.txt", python=sys.executable, path=(str(folder),), **chosen))  # type: ignore[arg-type]
    assert not (folder / "shop.py.imported").exists(), "the package was imported"
    assert to_json(explanation_document(explanation))
    return explanation


def text(explanation: Explanation) -> str:
    return "\n".join(f"{row.label}|{row.text}" for row in explanation_rows(explanation))


def test_everything_is_said_of_a_report_that_can_be_searched(folder: Path) -> None:
    found = told(folder)
    assert found.exit_code is ExitCode.SUCCESS
    assert [(frame.role, frame.code, frame.level) for frame in found.frames] == [
        ("missing", "", 0),
        ("target", "shop:reserve", 2),
        ("crash", "shop:_take", 1),
    ]
    plan = found.search
    assert plan is not None
    assert (plan.entry, plan.how, plan.private) == ("shop.reserve", "called directly", False)
    assert plan.instrumented == ("shop.py:5 reserve", "shop.py:9 _take")
    assert plan.echoed == ("shop.reserve(things, 7)",)
    assert plan.literals == ("7",)
    assert found.command.startswith("crashwright reproduce crash.txt")
    shown = text(found)
    for words in (
        "not found: no such file here",
        "the innermost frame belongs to it",
        "the outermost frame of the package",
        "verdict|can be",
    ):
        assert words in shown


def test_target_is_the_chosen_frame_and_the_frames_around_it_are_no_way_in(folder: Path) -> None:
    found = told(folder, frame=1)
    assert [frame.role for frame in found.frames] == ["missing", "caller", "crash"]
    assert found.search is not None
    assert (found.search.entry, found.search.private) == ("shop._take", True)
    assert "named with --target-frame" in text(found)


def test_moved_lines_are_named(folder: Path) -> None:
    (folder / "shop.py").write_text("\n\n" + SHOP)
    found = told(folder)
    assert [frame.moved for frame in found.frames] == [False, True, True]
    assert "line 9 in the report" in text(found)


def test_another_version_of_the_source_is_the_reason_why_not(folder: Path) -> None:
    (folder / "shop.py").write_text(SHOP.replace("items[n]", "items.get(n)"))
    found = told(folder)
    assert found.exit_code is ExitCode.ENVIRONMENT
    assert found.problem is not None
    assert "installed source differs" in text(found)
    assert found.frames[1].place.endswith("shop.py:5")


def test_missing_package_and_standard_library_alone(folder: Path) -> None:
    missing = told(folder, REPORT.replace("/srv/app/shop.py", "/v/lib/python3.11/site-packages/no_such_shop/shop.py"))
    assert missing.exit_code is ExitCode.ENVIRONMENT
    assert "no_such_shop is not installed" in text(missing)
    library = 'Traceback (most recent call last):\n  File "/usr/lib/python3.11/json/__init__.py", line 1, in loads\nValueError: x\n'
    only = told(folder, library.replace("line 1, in loads", "line 346, in loads"))
    assert only.problem is not None
    assert only.exit_code in (ExitCode.USAGE, ExitCode.ENVIRONMENT)


def test_several_reports_are_listed_and_one_is_chosen(folder: Path) -> None:
    found = told(folder, REPORT + "\n" + REPORT.replace("IndexError: list", "KeyError: no list"), index="1")
    assert [(one.index, one.chosen) for one in found.reports] == [("1", True), ("2", False)]
    assert found.exception == "IndexError"
    with pytest.raises(UsageError, match="no report"):
        told(folder, index="4")


def test_members_of_a_group_that_could_be_searched_are_named(folder: Path) -> None:
    lines = REPORT.splitlines()
    group = (
        "  + Exception Group Traceback (most recent call last):\n"
        '  |   File "/srv/app/main.py", line 9, in <module>\n  |     run()\n'
        "  | ExceptionGroup: several (1 sub-exception)\n"
        "  +-+---------------- 1 ----------------\n"
        + "".join(f"    | {line}\n" for line in lines)
        + "    +------------------------------------\n"
    )
    taken = told(folder, group)
    assert (taken.exception, taken.exit_code) == ("IndexError", ExitCode.SUCCESS)
    assert [(one.index, one.chosen) for one in taken.reports] == [("1", False), ("1.1", True)]
    assert any("taken: IndexError, a member of the group (--report-number 1.1)" in note for note in taken.notes)
    found = told(folder, group, index="1-0")
    assert found.problem is not None
    assert any("--report-number 1.1 could be searched" in note for note in found.notes)
    member = told(folder, group, index="1.1")
    assert (member.exception, member.exit_code) == ("IndexError", ExitCode.SUCCESS)


def test_local_values_are_shown_without_secrets(folder: Path) -> None:
    pytest_style = (
        "=================================== FAILURES ===================================\n"
        "__________________________________ test_it ___________________________________\n"
        "shop.py:9: in _take\n    return items[n]\n           ^^^^^^^^\n"
        "E   IndexError: list index out of range\n"
        "        items      = [1]\n        password   = 'hunter2'\n"
    )
    found = told(folder, pytest_style)
    shown = text(found)
    assert "items = [1]" in shown
    assert "hunter2" not in shown
    assert "--allow secrets" in shown
    assert "hunter2" in text(told(folder, pytest_style, allow=("secrets",)))


def test_interpreter_that_is_no_good_is_refused_with_what_was_read(folder: Path) -> None:
    found = explain(ExplainRequest(REPORT, python="/no/such/python", path=(str(folder),)))
    assert found.exit_code is ExitCode.ENVIRONMENT
    assert [frame.function for frame in found.frames] == ["<module>", "reserve", "_take"]
    assert "/no/such/python" in text(found)


@pytest.mark.parametrize(("message", "values"), [("'NoneType' has no 'tag'", ["'tag'"]), ("[1, 2]", ["[1, 2]"])])
def test_values_of_the_message_but_no_names_of_types(folder: Path, message: str, values: list[str]) -> None:
    found = told(folder, REPORT.replace("IndexError: list index out of range", f"TypeError: {message}"))
    seeds = [row.text for row in explanation_rows(found) if "value" in row.text]
    assert [value in " ".join(seeds) for value in values] == [True]
    assert "NoneType" not in " ".join(seeds)


@pytest.mark.parametrize("chosen", [{"allow": ("everything",)}, {"frame": 0}])
def test_choices_that_cannot_be_are_refused_as_in_reproduce(folder: Path, chosen: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        told(folder, **chosen)


def test_conditions_of_one_way_are_told_as_an_example() -> None:
    crash = FrameConditions(1, "shop:_take", ("`n` > 3",), ("line 9",), (0,), is_example=True)
    always = FrameConditions(2, "shop:reserve", (), (), always=("`n` >= 0",), always_lines=("line 8",))
    both = replace(always, conditions=crash.conditions, lines=crash.lines, telling=(0,), is_example=True)
    sure = FrameConditions(3, "shop:main", ("`n` > 3",), ("line 9",), (0,))
    explanation = Explanation(ExitCode.SUCCESS, "IndexError", "", conditions=Conditions((crash, both, sure)))
    rows = [row.text.strip() for row in explanation_rows(explanation)]
    told = rows[rows.index("1  in _take") : rows.index("`n` > 3   (line 9)", -2) + 1]
    assert told == [
        "1  in _take",
        "for example:",
        "`n` > 3   (line 9)",
        "2  in reserve",
        "`n` >= 0   (line 8)",
        "and, for example:",
        "`n` > 3   (line 9)",
        "3  in main",
        "`n` > 3   (line 9)",
    ]


def test_a_way_of_which_not_all_is_known_is_no_example() -> None:
    crash = FrameConditions(
        1, "shop:_take", ("`n` > 3",), ("line 9",), (0,), open_points=("whether pop() raises KeyError",), is_example=True
    )
    rows = [row.text.strip() for row in explanation_rows(Explanation(ExitCode.SUCCESS, "E", "", conditions=Conditions((crash,))))]
    assert "on one way there, of which not all is analysed:" in rows
    assert not any("for example" in one for one in rows)


def test_how_sentences_were_held_against_runs() -> None:
    frame = FrameConditions(
        1, "shop:take", ("`n` > 3",), ("line 2",), (0,), always=("`items` is empty",), always_lines=("line 9",), is_example=True
    )
    marked = replace(frame, tried=4, crashed=3, contradicted=("`n` is an int",))
    found = Explanation(ExitCode.SUCCESS, "E", "", (), (), conditions=Conditions((marked,), runs=1200))
    shown = text(found)
    assert "and, for example (in runs 3 of 4 such calls crashed here):" in shown
    assert "against 1,200 runs of these functions; left out, because a run contradicts it: 1" in shown
    assert "none contradicts them" in text(replace(found, conditions=Conditions((frame,), runs=7)))
    assert "against runs: the import failed" in text(replace(found, conditions=Conditions((frame,), unchecked="the import failed")))


def test_what_the_code_wants_of_the_way_in_is_told_with_lines(folder: Path) -> None:
    (folder / "shop.py").write_text(SHOP + "\n\nreserve(['ink'], 0)\n")
    explanation = told(folder, wants=True)
    assert explanation.wants is not None
    items, n = explanation.wants.parameters
    assert (items.code, items.name, items.types[0]) == ("shop:reserve", "items", "list[str]")
    assert (n.name, n.types[0]) == ("n", "int")
    assert any(fact.line.endswith("shop.py:12") for fact in items.facts)
    assert "wants|items of reserve: list[str]" in text(explanation)
    assert told(folder).wants is None
