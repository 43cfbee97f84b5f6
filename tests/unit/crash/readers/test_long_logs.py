"""A traceback somewhere in an enormous log: found as in a short one, in time and memory that do not grow with what is around it."""

from __future__ import annotations

import json
import time

import pytest

from crashwright.crash.readers.excerpt import LONG, excerpt
from crashwright.crash.readers.json_text import documents
from crashwright.crash.readers.registry import read_reports

TRACEBACK = """Traceback (most recent call last):
  File "/srv/app.py", line 3, in <module>
    main()
  File "/srv/victim.py", line 7, in work
    raise ValueError("too many")
ValueError: too many
"""
PLAIN = "2024-01-02 03:04:05,678 INFO worker[17] handled request 4711 in 0.123s path=/a/b/7\n"
RECORD = json.dumps({"level": "info", "msg": "handled", "tags": ["a", {"b": 1}]}) + "\n"
FAILED = json.dumps({"level": "error", "message": "x", "exception": TRACEBACK}) + "\n"
BRACKETS = "[info] {state [x=[" + "{[ " * 20 + "\n"
MIDDLE = 3 * LONG


def filled(line: str, size: int = MIDDLE) -> str:
    return line * (size // len(line))


LOGS = {
    "at the end": filled(PLAIN) + TRACEBACK,
    "at the start": TRACEBACK + filled(PLAIN),
    "in the middle": filled(PLAIN) + TRACEBACK + filled(PLAIN),
    "in a line of JSON": filled(RECORD) + FAILED + filled(RECORD),
    "behind brackets": filled(BRACKETS) + TRACEBACK,
    "in JSON behind brackets": filled(BRACKETS) + FAILED,
    "behind one line": filled("x y [ ") + "\n" + TRACEBACK,
    "behind nothing but brackets": filled("[{") + "\n" + TRACEBACK,
}


@pytest.mark.parametrize("where", LOGS)
def test_it_is_found_in_no_time(where: str) -> None:
    begin = time.process_time()
    reports = read_reports(LOGS[where])
    # Each of many thousand brackets may begin a document: in what is left of the text, all of them are tried.
    assert time.process_time() - begin < (60.0 if where == "in JSON behind brackets" else 20.0)
    assert [(one.crash.type, one.crash.message, len(one.crash.frames)) for one in reports] == [("ValueError", "too many", 2)]


def test_every_report_keeps_its_number() -> None:
    parts = [TRACEBACK.replace("too many", f"number {number}") + filled(PLAIN, LONG) for number in range(3)]
    assert [one.crash.message for one in read_reports("".join(parts))] == ["number 0", "number 1", "number 2"]


def test_a_document_is_read_whole() -> None:
    text = json.dumps({"exception": TRACEBACK, "data": ["abc"] * (LONG // 4)}, indent=1)
    assert excerpt(text, whole_lines=True) == text
    [report] = read_reports(text)
    assert report.crash.message == "too many"


def test_an_enormous_line_is_cut_for_readers_of_lines_alone() -> None:
    line = json.dumps({"data": "abc " * LONG, "exception": TRACEBACK})
    text = filled(PLAIN, LONG) + line + "\n"
    assert json.loads(excerpt(text, whole_lines=True).splitlines()[-1])["exception"] == TRACEBACK
    assert len(excerpt(text, whole_lines=False)) < LONG


def test_brackets_that_open_no_document_cost_time_once() -> None:
    """A text of 1 MB was copied for each of 13,000 brackets."""
    text = filled(BRACKETS, 1_000_000)
    begin = time.process_time()
    assert documents(text).values == ()
    assert time.process_time() - begin < 10.0
