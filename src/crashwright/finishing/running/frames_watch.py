"""A plugin of pytest that tells how far each test comes along the frames of a crash, and of exceptions on their way through the
last of these, whoever catches them further out.

It is copied beside the recorder and run in the subject's interpreter: standard library only. ``CRASHWRIGHT_FRAMES`` has the frames,
the outermost first, as a JSON list of file, line and function; ``CRASHWRIGHT_CHOSEN`` the tests that are run, in their order, as a
list of file and name without parameters, all of them if there is none.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType, TracebackType
from typing import Any

_Trace = Callable[[FrameType, str, Any], Any]
_recorder: Any = sys.modules.get("crashwright_recorder")
PASSING = "passing"
"""What is recorded of an exception that was seen on its way (``RecordedException.kept``)."""


class FramesWatch:
    """``frames`` are file, line and function of each, outermost first; ``record`` is told of exceptions. ``furthest`` is where the
    test that runs came nearest to the crash: the place of the frame that it entered, whether its line was reached (the last one
    alone), and how many frames in turn led there."""

    def __init__(self, frames: list[tuple[str, int, str]], record: Callable[..., None]) -> None:
        self._record = record
        self._frames = [(os.path.realpath(file), line, function) for file, line, function in frames]
        self._names = frozenset(function for _, _, function in frames)
        self._places: dict[CodeType, tuple[int, ...]] = {}
        self.furthest = (-1, False, 0)

    def trace(self, frame: FrameType, event: str, _argument: object) -> _Trace | None:
        """For ``sys.settrace``."""
        if event != "call" or frame.f_code.co_name not in self._names:
            return None
        places = self._places_of(frame.f_code)
        for place in places:
            self.furthest = max(self.furthest, (place, False, self._in_turn(frame, place)))
        return self._in_crash_function if places and places[-1] == len(self._frames) - 1 else None

    def _in_crash_function(self, frame: FrameType, event: str, argument: Any) -> _Trace:
        last = len(self._frames) - 1
        if event == "line" and frame.f_lineno == self._frames[last][1]:
            self.furthest = max(self.furthest, (last, True, self._in_turn(frame, last)))
        elif event == "exception" and isinstance(argument[1], BaseException):
            self._record(argument[1], PASSING, (*_outside(frame), *_inside(argument[2])))
        return self._in_crash_function

    def _places_of(self, code: CodeType) -> tuple[int, ...]:
        if code not in self._places:
            file = os.path.realpath(code.co_filename)
            self._places[code] = tuple(
                at for at, (name, _, function) in enumerate(self._frames) if function == code.co_name and name == file
            )
        return self._places[code]

    def _in_turn(self, frame: FrameType, place: int) -> int:
        """How many of the frames further out called it, one the other, itself included."""
        count, wanted, step = 1, place - 1, frame.f_back
        while step is not None and wanted >= 0:
            if step.f_code.co_name in self._names and wanted in self._places_of(step.f_code):
                count, wanted = count + 1, wanted - 1
            step = step.f_back
        return count


def _outside(frame: FrameType) -> tuple[tuple[str, int, str], ...]:
    found = []
    step = frame.f_back
    while step is not None:
        found.append((step.f_code.co_filename, step.f_lineno, step.f_code.co_name))
        step = step.f_back
    return tuple(reversed(found))


_chosen = {(file, name): at for at, (file, name) in enumerate(json.loads(os.environ.get("CRASHWRIGHT_CHOSEN", "[]")))}


def _inside(trace: TracebackType | None) -> tuple[tuple[str, int, str], ...]:
    found = []
    while trace is not None:
        found.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno, trace.tb_frame.f_code.co_name))
        trace = trace.tb_next
    return tuple(found)


_frames = [(file, line, function) for file, line, function in json.loads(os.environ.get("CRASHWRIGHT_FRAMES", "[]"))]
_watch = FramesWatch(_frames, lambda *facts: _recorder.record(*facts))


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Hook: run no others than those that are chosen."""
    if _chosen:
        places = [(_chosen.get((str(item.path), item.nodeid.partition("::")[2].partition("[")[0])), item) for item in items]
        items[:] = [item for _, item in sorted(((at, item) for at, item in places if at is not None), key=lambda pair: pair[0])]


def pytest_runtest_logstart() -> None:
    """Hook: what the tests before it reached does not count."""
    _watch.furthest = (-1, False, 0)
    threading.settrace(_watch.trace)
    sys.settrace(_watch.trace)


def pytest_runtest_logfinish(nodeid: str) -> None:
    """Hook: tell how far the test came."""
    sys.settrace(None)
    threading.settrace(None)
    place, line, frames = _watch.furthest
    if place >= 0:
        _recorder.tell("reached", test=nodeid, place=place, line=line, frames=frames)
