"""A pytest plugin for the verification of suites: tells which test begins and ends, and ends the process where one hangs.

Copied next to the tests and run in the subject's interpreter, beside ``recorder``: standard library only. The environment names the
file with the tests or test functions to run (``CRASHWRIGHT_ONLY``, one a line, all where it is empty), the seconds that a test may
take, and whether the tests run in reverse order.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
import unittest
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
    places = [place for place, name in enumerate(names) if not only or name in only or name.partition("[")[0] in only]
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


def tell_raised(name: str, error: BaseException) -> None:
    """Tell which class of exception the test function raised: the nearest that a test can import."""
    if not isinstance(error, Exception) or isinstance(error, unittest.SkipTest):
        return
    for cls in type(error).__mro__:
        if _is_importable(cls):
            tell("raised", test=name, module=cls.__module__, qualname=cls.__qualname__)
            return


def _is_importable(cls: type) -> bool:
    found: object = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = None if part.startswith("_") else getattr(found, part, None)
    return found is cls and not any(part.startswith("_") for part in cls.__module__.split("."))


def pytest_runtest_makereport(item: Any, call: Any) -> None:
    """Hook: see what the test function raised."""
    if call.when == "call" and call.excinfo is not None:
        tell_raised(item.nodeid, call.excinfo.value)


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
