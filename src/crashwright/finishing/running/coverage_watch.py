"""A pytest plugin that notes which lines of one module are run, and which follow which: what tests that exist cover already.

Copied next to the tests and run in the subject's interpreter: standard library only. The module's own functions alone are traced
line by line. After each test, what is new goes to the record, so that a run that is ended loses one test at most.
"""

from __future__ import annotations

import os
import sys
import threading
from types import FrameType
from typing import Any

_set_trace = sys.settrace
_recorder: Any = sys.modules.get("crashwright_recorder")
"""Imported before this one; not there where this is no copy."""
_MODULE = os.environ.get("CRASHWRIGHT_MODULE", "")


class LineTracer:
    """``arcs`` are pairs of lines that follow each other in a frame; entering comes from, and leaving goes to, the negative first
    line of the code, as coverage.py has it. Leaving by an exception is no step."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._told: set[tuple[str, int, int]] = set()
        self.arcs: set[tuple[str, int, int]] = set()

    def start(self) -> None:
        """Trace this thread and those to come."""
        threading.settrace(self._call)
        _set_trace(self._call)

    def stop(self) -> None:
        """Trace no more."""
        _set_trace(None)
        threading.settrace(None)

    def take_new(self) -> list[tuple[str, int, int]]:
        """What was not taken before, sorted."""
        new = sorted(self.arcs - self._told)
        self._told.update(new)
        return new

    def _call(self, frame: FrameType, _event: str, _argument: object) -> Any:
        if frame.f_globals.get("__name__") != self._module:
            return None
        first = frame.f_code.co_firstlineno
        last = -first
        name = frame.f_code.co_qualname
        raised = False

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal last, raised
            if event == "line":
                self.arcs.add((name, last, frame.f_lineno))
                last = frame.f_lineno
                raised = False
            elif event == "exception":
                raised = argument[0] is not StopIteration  # that is how loops over generators end
            elif event == "return" and not raised:
                self.arcs.add((name, last, -first))
            return line

        return line


_tracer = LineTracer(_MODULE)


def pytest_runtest_setup() -> None:
    """Hook: trace, also where a test before has switched it off."""
    _tracer.start()


def pytest_runtest_logfinish() -> None:
    """Hook: the test is over; tell what is new."""
    _tracer.stop()
    new = _tracer.take_new()
    if new:
        _recorder.tell("arcs", arcs=new)
