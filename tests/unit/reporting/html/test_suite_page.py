from __future__ import annotations

import json
from xml.etree.ElementTree import Element

import pytest
from page_checks import HOSTILE, hostile, parsed, words
from shown_suites import SUITE, SUITES

from crashwright.core.codec import Undecodable
from crashwright.reporting.html.suite_page import marked_lines, suite_page
from crashwright.reporting.suite_progress import suite_document
from crashwright.workflows.generate.result import SuiteResult


def page_of(result: SuiteResult) -> Element:
    return parsed(suite_page(json.loads(json.dumps(suite_document(result)))))


def test_a_page_tells_which_branches_are_taken_by_which_tests_and_what_survives() -> None:
    root = page_of(SUITES)
    lines = [words(one) for one in root.iter("details") if "line" in one.get("class", "").split()]
    assert [one.get("class") for one in root.iter("details")][:4] == ["line taken", "line part", "line ", "line open"]
    assert lines[0].endswith("all branches taken the function is called: taken by test_halve")
    assert "4 of 5 mutants killed" in lines[1]
    assert "`number > 3` is true: taken by test_0, test_1, test_2, test_3, test_4, test_5 and 2 more" in lines[1]
    assert "`number > 3` is false: not taken, nearest distance 0.5" in lines[1]
    assert "mutant survives: > -> >=" in lines[1]
    assert "not taken, never evaluated" in lines[3]
    assert "taken only by tests that are not in the suite" in lines[4]
    assert "assert halve(4) == 2" in words(root)
    assert "it takes too long" in words(root)


def test_each_module_has_a_section_also_without_a_suite() -> None:
    root = page_of(SUITES)
    assert [one.get("aria-labelledby") for one in root.iter("section")] == ["module-1", "module-2", "environment"]
    assert "nothing to call" in words(root)


def test_lines_without_branches_stay_as_they_are() -> None:
    states = [(one.state, one.mutants) for one in marked_lines(SUITE)]
    assert states == [("taken", ""), ("part", "4 of 5"), ("", "0 of 1"), ("open", ""), ("", ""), ("taken", "1 of 1")]


def test_no_value_of_a_suite_is_more_than_text() -> None:
    changed = hostile(SUITES)
    assert changed.modules[0].branches[0].text == HOSTILE
    told = words(page_of(changed))
    assert told.count("<script>alert(1)</script>") > 30
    assert "\u202e" not in told


def test_a_document_that_is_no_suite_is_refused() -> None:
    with pytest.raises(Undecodable):
        suite_page({"schema": 1, "target": {}})
