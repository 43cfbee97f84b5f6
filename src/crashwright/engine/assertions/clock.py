"""Notices that a test asks for the date or the time of day: what it makes of them is the same in each run of today, and another
thing tomorrow. Calls from C are not seen, nor are those of other threads."""

from __future__ import annotations

import sys
import time
from datetime import date
from types import BuiltinFunctionType, FrameType
from typing import Any

from crashwright.engine.subject.introspection import derives, is_class

_ASKING = frozenset(
    map(id, (time.time, time.time_ns, time.localtime, time.gmtime, time.ctime, time.asctime, time.strftime, time.clock_gettime))
)
_NOW = frozenset({"now", "today", "utcnow"})
_HARMLESS = frozenset(
    "crashwright logging random threading asyncio tempfile uuid concurrent queue subprocess selectors warnings sched".split()
)
"""Modules that ask for reasons of their own; uuids show in two runs of the same day."""


class ClockWatch:
    """``asked`` turns true once the clock is asked while the watch is on."""

    __slots__ = ("asked",)

    def __init__(self) -> None:
        self.asked = False

    def on(self) -> None:
        """From now on, in this thread."""
        sys.setprofile(self._see)

    def off(self) -> None:
        """No longer."""
        sys.setprofile(None)

    def take(self) -> bool:
        """Whether it was asked since the last look."""
        asked, self.asked = self.asked, False
        return asked

    def _see(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "c_call" and type(argument) is BuiltinFunctionType and not self.asked and _asks(argument):
            name = frame.f_globals.get("__name__")
            self.asked = type(name) is not str or name.partition(".")[0] not in _HARMLESS


def _asks(function: BuiltinFunctionType) -> bool:
    if id(function) in _ASKING:
        return True
    owner = function.__self__
    return function.__name__ in _NOW and is_class(owner) and derives(owner, date)
