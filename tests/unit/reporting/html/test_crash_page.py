from __future__ import annotations

import json
from dataclasses import replace
from xml.etree.ElementTree import Element

import pytest
from page_checks import HOSTILE, hostile, parsed, words
from shown_results import RESULT, TARGET

from crashwright.core.codec import Undecodable
from crashwright.core.errors import ExitCode
from crashwright.reporting.html.crash_page import course_plots, crash_page, ladder
from crashwright.reporting.json_result import document
from crashwright.workflows.reproduce.result import Result, Timing


def page_of(result: Result) -> Element:
    return parsed(crash_page(json.loads(json.dumps(document(result)))))


def section(root: Element, name: str) -> Element:
    return next(one for one in root.iter("section") if one.get("aria-labelledby") == name)


def test_a_page_tells_crash_frames_search_test_and_environment() -> None:
    root = page_of(RESULT)
    assert words(next(root.iter("h1"))) == "IndexError: list index out of range"
    assert words(next(root.iter("title"))) == "IndexError in inventory/stock.py:88 · crashwright"
    rungs = [words(one) for one in section(root, "frames").iter("li")]
    assert rungs[0].startswith(
        "Inventory.reserve inventory/stock.py:12 ✓ Frame 3: entered after 0.2 s and 40 tests def reserve(self):"
    )
    assert "return take() (this line crashes)" in rungs[0]
    assert "In another package" in rungs[1]
    assert "Frame 1, the crash: entered after 1.2 s and 1,900 tests" in rungs[3]
    assert 'reserve("bolt")' in words(section(root, "test"))
    assert "a script" in words(section(root, "tried"))
    assert "crashwright reproduce x" in words(section(root, "environment"))
    assert words(section(root, "report")).startswith("The report KeyError: 1 noted /x/a.py, line 3, in main")


def test_a_result_without_anything_found_has_a_page_too() -> None:
    bare = Result(
        ExitCode.NOT_FOUND, replace(TARGET, frames=TARGET.frames[-1:]), "x", "3.11", 1, 0, Timing(0, 0), 1, 0, float("inf")
    )
    root = page_of(bare)
    assert "Frame 1, the crash: not entered" in words(section(root, "frames"))
    assert [one for one in root.iter("section") if one.get("aria-labelledby") in ("test", "report")] == []


def test_no_value_of_a_result_is_more_than_text() -> None:
    changed = hostile(RESULT)
    assert changed.target.frames[0].local_values == {HOSTILE: HOSTILE}
    root = page_of(changed)  # the checks find scripts, handlers and addresses
    told = words(next(root.iter("main")))
    assert told.count("<script>alert(1)</script>") > 30
    assert "{{ 7*7 }}" in told
    assert "\\u202e\\x00\\ud800" in told
    assert "\u202e" not in told


def test_a_document_that_is_no_result_is_refused() -> None:
    with pytest.raises(Undecodable):
        crash_page({"schema": 1, "modules": []})


def test_frames_count_from_the_crash_and_those_of_others_do_not() -> None:
    assert [one.level for one in ladder(RESULT)] == [3, 0, 2, 1]
    none = ladder(replace(RESULT, course=(), frames_reached=1))
    assert [one.reached for one in none] == ["entered", "", "not entered", "not entered"]


def test_each_search_is_a_line_of_the_plots() -> None:
    frames, distance = course_plots(RESULT)
    assert [one.name for one in frames.lines] == ["from the chosen frame", "from frame 2"]
    assert frames.up[-1].text == "3"
    assert distance.up[-1].text == "2"
    assert course_plots(replace(RESULT, course=())) == [None, None]
