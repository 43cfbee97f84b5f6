from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from page_checks import HOSTILE, hostile, parsed, words
from shown_results import RESULT
from shown_suites import SUITES

from crashwright.core.codec import Undecodable
from crashwright.core.errors import ExitCode
from crashwright.reporting.html.batch_page import batch_page
from crashwright.reporting.html.crash_page import crash_page
from crashwright.reporting.html.documents_page import COLUMNS, NamedDocument, documents_page, read_documents, row
from crashwright.reporting.html.suite_page import suite_page
from crashwright.reporting.json_result import document, error_document
from crashwright.reporting.suite_progress import suite_document

CRASH, SUITE = document(RESULT), suite_document(SUITES)
ERROR = error_document(ExitCode.ENVIRONMENT, "not installed", "install it")


def test_one_document_is_shown_as_its_command_would() -> None:
    assert documents_page([NamedDocument("a", CRASH)]) == crash_page(CRASH)
    assert documents_page([NamedDocument("a", SUITE)]) == suite_page(SUITE)
    with pytest.raises(Undecodable):
        documents_page([NamedDocument("a", ERROR)])


def test_several_are_rows_of_a_table() -> None:
    root = parsed(documents_page([NamedDocument("a", CRASH), NamedDocument("b", SUITE), NamedDocument("c", ERROR)]))
    rows = [[words(cell) for cell in one.iter("td")] for one in next(root.iter("tbody")).iter("tr")]
    assert rows[0][:4] == ["IndexError: list index out of range", "reproduced", "/x/inventory/stock.py:88", "inventory"]
    assert rows[0][4:7] == ["9412", "3.2", "test_x.py"]
    assert rows[1][:2] == ["tiny", "written"]
    assert rows[2][:2] == ["c", "environment"]
    assert rows[2][7].endswith("not installed install it")


@pytest.mark.parametrize(
    "odd", [{}, {"target": 3}, {"target": {"frames": [3]}}, {"test": [], "hints": 1, "target": {"frames": {}}}, {"modules": 1}]
)
def test_a_document_of_another_form_is_a_row_all_the_same(odd: dict[str, Any]) -> None:
    assert len(row(NamedDocument("a", odd))) == len(COLUMNS)


def test_hostile_documents_stay_text() -> None:
    root = parsed(documents_page([NamedDocument(HOSTILE, document(hostile(RESULT)))] * 2))
    assert words(root).count("<script>alert(1)</script>") > 4


def test_files_hold_one_a_list_or_one_a_line() -> None:
    assert [one.document for one in read_documents("a", json.dumps(CRASH, indent=2))] == [json.loads(json.dumps(CRASH))]
    assert len(read_documents("a", json.dumps([ERROR, ERROR]))) == 2
    assert len(read_documents("a", f"{json.dumps(ERROR)}\n\n{json.dumps(ERROR)}\n")) == 2
    for text in ("", "[]", "3", "[1]", "{]", "Traceback"):
        with pytest.raises(ValueError, match=r"JSON|Expecting|double quotes|value"):
            read_documents("a", text)


BATCH = {
    "schema": 1,
    "reports": 1200,
    "counts": {"reproduced": 1, "not found": 1, "partial": 0},
    "seconds": 61.4,
    "notes": ["a note"],
    "unread": [{"name": "a.bin", "reason": "no text"}],
    "crashes": [
        {"title": "KeyError in a.py:3", "verdict": "reproduced", "count": 900, "seconds": 1.5, "file": "test_a.py", "reason": ""},
        {
            "title": HOSTILE,
            "verdict": HOSTILE,
            "count": 300,
            "subject": HOSTILE,
            "file": HOSTILE,
            "reason": HOSTILE,
            "seconds": "x",
        },
    ],
}


def test_a_batch_is_a_table_of_its_crashes_with_counts_and_answers() -> None:
    root = parsed(documents_page([NamedDocument("batch.json", BATCH)]))
    told = words(next(root.iter("main")))
    assert "Answer: " in told
    assert "reproduced 1" in told
    first = [words(cell) for cell in next(next(root.iter("tbody")).iter("tr")).iter("td")]
    assert first == ["KeyError in a.py:3", "reproduced", "900", "", "", "1.5", "test_a.py", "", ""]
    facts = [words(one) for one in next(root.iter("dl")).iter("div")]
    assert facts == ["Crashes2", "Reports1,200", "Reproduced1", "Not found1", "Seconds61"]
    assert [words(one) for one in root.iter("li")][-2:] == ["a note", "a.bin: no text"]


@pytest.mark.parametrize("crashes", [3, [3], {}, None])
def test_crashes_of_another_form_are_refused(crashes: object) -> None:
    with pytest.raises(Undecodable):
        documents_page([NamedDocument("batch.json", {"crashes": crashes})])


def test_a_batch_links_to_its_tests_from_where_the_page_is(tmp_path: Path) -> None:
    made = batch_page({**BATCH, "folder": str(tmp_path / "made tests")}, str(tmp_path / "pages" / "batch.html"))
    links = [one.get("href") for one in next(parsed(made).iter("tbody")).iter("a")]
    assert links[0] == "./../made%20tests/test_a.py"
    assert len(links) == 2
    assert str(links[1]).startswith("./../made%20tests/%3C/script%3E")
    assert [one.get("href") for one in next(parsed(batch_page(BATCH)).iter("tbody")).iter("a")] == []


def test_several_documents_link_to_a_page_of_each() -> None:
    named = [NamedDocument("a", CRASH), NamedDocument("c", ERROR)]
    root = parsed(documents_page(named, ["0001-a.html", ""], "own/"))
    assert [one.get("href") for one in next(root.iter("tbody")).iter("a")] == ["./own/0001-a.html"]
