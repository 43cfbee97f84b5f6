"""Exceptions of formats that say where a message ends: nothing has to be told apart from other output."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from crashwright.core.report import CrashReport, Link, ReportedException, ReportedFrame, SyntaxPlace
from crashwright.crash.readers.ending import ONE_LINE

_SYNTAX_ERRORS = frozenset({"SyntaxError", "IndentationError", "TabError"})
_SYNTAX_PLACE = re.compile(r"(?P<message>.*) \((?P<path>[^()]*), line (?P<line>\d{1,9})\)", re.DOTALL)
_PRINTED = 3
"How many times Python prints a frame that repeats itself."


def exact_exception(kind: str, text: str, frames: tuple[ReportedFrame, ...], link: Link | None = None) -> ReportedException:
    """The exception ``kind: text``. Further lines are notes where the type's messages have but one, and ``str`` of a SyntaxError
    ends with its place."""
    place = _SYNTAX_PLACE.fullmatch(text) if kind in _SYNTAX_ERRORS else None
    if place:
        return ReportedException(kind, place["message"], frames, link=link, place=SyntaxPlace(place["path"], int(place["line"])))
    first, *further = text.split("\n")
    if kind in ONE_LINE:
        return ReportedException(kind, first, frames, tuple(further), link)
    return ReportedException(kind, text, frames, (), link)


def as_printed(frames: Sequence[ReportedFrame]) -> tuple[ReportedFrame, ...]:
    """Frames of a recursion as Python prints them: three, the last with the number of further repetitions."""
    return tuple(_collapsed(frames))


def _collapsed(frames: Sequence[ReportedFrame]) -> Iterator[ReportedFrame]:
    for _, run in groupby(frames, key=lambda frame: (frame.path, frame.line, frame.function)):
        alike = list(run)
        more = sum(1 + frame.repeated for frame in alike[_PRINTED:])
        yield from alike[: _PRINTED - 1]
        yield from (replace(frame, repeated=frame.repeated + more) for frame in alike[_PRINTED - 1 : _PRINTED])


def with_link(report: CrashReport, link: Link) -> tuple[ReportedException, ...]:
    """The chain of ``report`` as the beginning of a longer one."""
    return (*report.exceptions[:-1], replace(report.crash, link=link))
