"""A pytest plugin for the verification of suites: tells which test begins and ends, and ends the process where one hangs.

Copied next to the tests and run in the subject's interpreter, beside ``recorder``: standard library only. The environment names the
file with the tests to run (``CRASHWRIGHT_ONLY``, one a line, all where it is empty), the seconds that a test may take, and whether
the tests run in reverse order.
"""

from __future__ import annotations

import faulthandler
import json
import os
from typing import Any

_dumps = json.dumps
_open = os.open
_write = os.write
_close = os.close
_arm = faulthandler.dump_traceback_later
_disarm = faulthandler.cancel_dump_traceback_later
_RECORD = os.environ.get("CRASHWRIGHT_RECORD", os.devnull)
_ONLY = os.environ.get("CRASHWRIGHT_ONLY", "")
_SECONDS = float(os.environ.get("CRASHWRIGHT_TEST_SECONDS", "0") or 0)
_REVERSE = os.environ.get("CRASHWRIGHT_REVERSE", "") == "1"
LONGEST_TEXT = 400
_STREAM = os.dup(2)
"""Where a hung test's traceback goes, whatever the tests do to the standard streams."""


def tell(event: str, **facts: object) -> None:
    """Append a line to the record."""
    line = _dumps({"event": event, **facts})
    descriptor = _open(_RECORD, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        _write(descriptor, (line + "\n").encode())
    finally:
        _close(descriptor)


def chosen(names: list[str]) -> list[int]:
    """The places in ``names`` of the tests to run, in the order in which to run them."""
    only: set[str] = set()
    if _ONLY:
        with open(_ONLY, encoding="utf-8") as file:
            only = set(file.read().split("\n"))
    places = [place for place, name in enumerate(names) if not only or name in only]
    return places[::-1] if _REVERSE else places


def begin(name: str) -> None:
    """The test begins."""
    tell("began", test=name)
    if _SECONDS > 0:
        _arm(_SECONDS, exit=True, file=_STREAM)


def end(name: str) -> None:
    """The test is over, its fixtures too."""
    if _SECONDS > 0:
        _disarm()
    tell("ended", test=name)


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Hook: tell of all tests in the order of the file; leave those that are to run."""
    names = [item.nodeid for item in items]
    tell("items", tests=names)
    items[:] = [items[place] for place in chosen(names)]


def pytest_runtest_logstart(nodeid: str) -> None:
    """Hook: a test begins."""
    begin(nodeid)


def pytest_runtest_logfinish(nodeid: str) -> None:
    """Hook: a test is over."""
    end(nodeid)


def pytest_runtest_logreport(report: Any) -> None:
    """Hook: tell how it went, and what was wrong."""
    if report.when == "call" or report.outcome != "passed":
        crash = getattr(report.longrepr, "reprcrash", None)
        text = str(crash.message if crash is not None else report.longrepr or "")
        outcome = "xfailed" if hasattr(report, "wasxfail") else report.outcome
        tell("result", test=report.nodeid, outcome=outcome, text=text[:LONGEST_TEXT])


def pytest_sessionfinish() -> None:
    """Hook: all tests have been run."""
    tell("finished")
