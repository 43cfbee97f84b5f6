"""What else a report tells of a crash whose frames and message agree: the failing sub-expression, the values that the message
quotes, the frames of other packages, the exceptions before it.

A run that reproduces the crash (level 4) with other evidence is likely to show another bug in the same line: such runs are ranked
by how much speaks against them, and the search goes on for a while (``search.persistence``).
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from crashwright.core.comprehensions import COMPREHENSIONS
from crashwright.core.level import FramePlace
from crashwright.core.location import Position
from crashwright.core.message_rule import messages_agree, printed_message
from crashwright.core.message_values import value_distance
from crashwright.core.target import CrashTarget
from crashwright.engine.execution.outcome import Outcome, RaisedFrame, position_of
from crashwright.engine.subject.introspection import class_name

ANOTHER_PLACE, _VALUES, _VALUE_GAP, _AROUND = 0.5, 0.1, 0.2, 0.15
"""What each kind weighs: another sub-expression the most, then other values (and by how much they are others)."""
_CAUSE, _CONTEXT, _SUPPRESSED = (vars(BaseException)[name] for name in ("__cause__", "__context__", "__suppress_context__"))


class Evidence:
    """Of one target, to be held against many runs."""

    def __init__(self, target: CrashTarget) -> None:
        self._exception = target.exception.rpartition(".")[2]
        self._message = target.message
        self._carets = {
            FramePlace(os.path.realpath(frame.path), frame.line, frame.key.name): frame.caret
            for frame in target.frames
            if frame.caret is not None and frame.key.name not in COMPREHENSIONS
        }
        places = [_place(frame.path, frame.line, frame.key.name) for frame in target.package_frames]
        self._crash = places[-1] if places else None
        self._others = {
            place
            for frame in target.frames
            if not frame.in_package and (place := _place(frame.path, frame.line, frame.key.name)) not in places
        }
        self._before: list[tuple[str, str]] = []
        cause = target.cause
        while cause is not None:
            self._before.append((cause.exception.rpartition(".")[2], cause.message))
            cause = cause.cause

    def distance(self, outcome: Outcome, message: str) -> float:
        """0 where nothing speaks against the run, up to 1; it reproduces the crash, with this message."""
        values = value_distance(self._exception, self._message, message)
        return (
            ANOTHER_PLACE * self._elsewhere(outcome.frames)
            + (_VALUES + _VALUE_GAP * values if values else 0.0)
            + _AROUND * max(self._missing(outcome.frames), self._unlike_before(outcome.error))
        )

    def _elsewhere(self, frames: Sequence[RaisedFrame]) -> float:
        """1 where the crash frame failed in another part of its line, else half the share of the other frames that did."""
        if not self._carets:
            return 0.0
        seen: dict[FramePlace, bool] = {}
        for code, line, instruction in frames:
            place = _place(code.co_filename, line, code.co_name)
            caret = self._carets.get(place)
            if caret is not None:
                found = position_of(code, instruction)
                agrees = _is_of(found, caret) if place == self._crash else _overlap(found, caret)
                seen[place] = seen.get(place, False) or agrees
        if self._crash is not None and not seen.get(self._crash, True):
            return 1.0
        return sum(not agrees for agrees in seen.values()) / len(self._carets) / 2

    def _missing(self, frames: Sequence[RaisedFrame]) -> float:
        """The share of the frames of other packages that the run does not have."""
        if not self._others:
            return 0.0
        got = {_place(code.co_filename, line, code.co_name) for code, line, _ in frames}
        return len(self._others - got) / len(self._others)

    def _unlike_before(self, error: BaseException | None) -> float:
        """The share of the exceptions before the crash that are others, or missing."""
        unlike = 0
        for name, message in self._before:
            error = None if error is None else _exception_before(error)
            if error is None or class_name(type(error)) != name or not messages_agree(name, message, printed_message(error)):
                unlike += 1
        return unlike / len(self._before) if self._before else 0.0


def _exception_before(error: BaseException) -> BaseException | None:
    """By the descriptors of the interpreter: the subject's class may have its own idea of these attributes."""
    cause: BaseException | None = _CAUSE.__get__(error)
    if cause is not None or _SUPPRESSED.__get__(error):
        return cause
    context: BaseException | None = _CONTEXT.__get__(error)
    return context


def _place(path: str, line: int, function: str) -> FramePlace:
    return FramePlace(os.path.realpath(path), line, function)


def _is_of(found: Position | None, caret: Position) -> bool:
    """Whether the failure ``found`` may be what the report marks: what lies within that is another part of it, which failed before
    it could. Of an expression over several lines a report may show the first alone."""
    return found is None or _inside(caret, found) or (caret.line != caret.end_line and _inside(found, caret))


def _overlap(found: Position | None, caret: Position) -> bool:
    """Whether one lies within the other: some Pythons mark a call, others the whole expression around it."""
    return found is None or _inside(found, caret) or _inside(caret, found)


def _inside(inner: Position, outer: Position) -> bool:
    return (inner.line, inner.column) >= (outer.line, outer.column) and (inner.end_line, inner.end_column) <= (
        outer.end_line,
        outer.end_column,
    )
