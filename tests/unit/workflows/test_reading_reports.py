"""A long log is told of while it is read; a short one is not; JSON has nothing of it."""

from __future__ import annotations

import io
import threading

from crashwright.reporting.json_result import JsonReport
from crashwright.reporting.plain import PlainReport
from crashwright.reporting.suite_progress import suite_status
from crashwright.workflows.events import Event, ReadingReport
from crashwright.workflows.generate.events import SuitePreparing
from crashwright.workflows.reading import telling


def test_what_takes_long_is_told_as_long_as_it_takes() -> None:
    told: list[Event] = []
    twice = threading.Event()

    def listen(event: Event) -> None:
        told.append(event)
        if len(told) == 2:
            twice.set()

    with telling(52_000_000, listen, 0.01):
        assert twice.wait(10.0)
    assert told[:2] == [ReadingReport(52_000_000, 0.01), ReadingReport(52_000_000, 0.02)]
    assert not any(thread.name == "crashwright-reading" for thread in threading.enumerate())


def test_what_is_soon_done_is_not() -> None:
    told: list[Event] = []
    with telling(100, told.append):
        pass
    assert told == []


def test_plain_lines_say_how_much_and_json_says_nothing() -> None:
    event = ReadingReport(52_000_000, 2.0)
    log, silent = io.StringIO(), io.StringIO()
    PlainReport(io.StringIO(), log, lambda: 0.0).event(event)
    JsonReport(io.StringIO(), silent, lambda: 0.0).event(event)
    assert log.getvalue() == "...        looking for reports in 52 MB of text: 2 s\n"
    assert silent.getvalue() == ""


def test_a_suite_s_engine_that_runs_its_first_tests_is_told_of_too() -> None:
    assert suite_status(SuitePreparing("m", 2.0)) == "importing m and reading its sources: 2 s"
    assert suite_status(SuitePreparing("m", 2.0, runs=True)) == "m: warming up and running the first tests: 2 s"
