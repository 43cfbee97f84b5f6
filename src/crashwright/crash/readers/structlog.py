"""Reads structlog's ``dict_tracebacks``: lines of JSON with the newest exception first, frames oldest first and without source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from crashwright.core.report import CrashReport, Link, ReportedException, ReportedFrame, SyntaxPlace, Unknown
from crashwright.crash.readers.exact import as_printed, exact_exception
from crashwright.crash.readers.json_text import Json, Object, documents, field, line_number, objects, text_field, walk

_LEVELS = 3
"How deep a log service wraps the exception."
_CUT = re.compile(r"['\"]\+\d+|\.\.\. \+\d+")
"Behind a string or container that is shown in part stands how much is missing."
_SKIPPED = re.compile(r"Skipped frames: (?P<count>\d{1,9})")
_DEEPEST = 20
"Groups within groups that are kept."


class StructlogReader:
    """The TraceReader for structlog's structured tracebacks."""

    name = "structlog"

    def read(self, text: str) -> tuple[CrashReport, ...] | Unknown:
        """A report for each log entry with an exception."""
        if "exc_type" not in text:
            return Unknown("")
        values, broken = documents(text)
        reports = tuple(report for value in values for stacks in _exceptions(value) for report in _report(stacks, _DEEPEST))
        return reports or Unknown(broken or "no exception in the structlog entries has a type")


def _exceptions(value: Json) -> Iterator[list[Object]]:
    """The lists of exceptions in a log entry. Those of a group lie within another one, out of reach from here."""
    for entry in walk(value, _LEVELS):
        if "exc_type" in entry:
            continue
        for inner in entry.values():
            stacks = objects(inner)
            if stacks and "exc_type" in stacks[0]:
                yield stacks


def _report(stacks: Sequence[Object], depth: int) -> Iterator[CrashReport]:
    """The report of a chain, none where its newest exception has no type."""
    if not stacks or not text_field(stacks[0], "exc_type"):
        return
    chain = [_exception(stack, depth) for stack in reversed(stacks) if text_field(stack, "exc_type")]
    yield CrashReport((*chain[:-1], replace(chain[-1], link=None)))


def _exception(stack: Object, depth: int) -> ReportedException:
    link: Link = "cause" if field(stack, "is_cause") is True else "context"
    frames = _frames(objects(field(stack, "frames")))
    exception = exact_exception(text_field(stack, "exc_type"), text_field(stack, "exc_value"), frames, link)
    notes, members, wrong = field(stack, "exc_notes"), field(stack, "exceptions"), field(stack, "syntax_error")
    if isinstance(notes, list):
        exception = replace(exception, notes=(*exception.notes, *(note for note in notes if isinstance(note, str))))
    if isinstance(members, list) and depth:
        group = (report for member in members for report in _report(objects(member), depth - 1))
        exception = replace(exception, group=tuple(group))
    if isinstance(wrong, dict):
        exception = replace(exception, place=_place(wrong), message=text_field(wrong, "msg") or exception.message)
    return exception


def _place(error: Object) -> SyntaxPlace:
    shown = text_field(error, "line").rstrip("\n")
    offset = line_number(field(error, "offset"))
    start = offset - 1 - (len(shown) - len(shown.lstrip())) if offset else -1
    source = shown.strip() or None
    columns = (start, start + 1) if source and 0 <= start <= len(source) else None
    return SyntaxPlace(text_field(error, "filename") or "<unknown>", line_number(field(error, "lineno")), source, columns)


def _frames(listed: Sequence[Object]) -> tuple[ReportedFrame, ...]:
    """The frames. In place of those in the middle of a deep recursion stands one with their number: they repeat the one before
    where the one behind does so too."""
    frames: list[ReportedFrame] = []
    gap = 0
    for one in listed:
        skipped = _SKIPPED.fullmatch(text_field(one, "name"))
        if skipped and not text_field(one, "filename"):
            gap = int(skipped["count"])
            continue
        frame = _frame(one)
        if gap and frames and (frames[-1].path, frames[-1].line, frames[-1].function) == (frame.path, frame.line, frame.function):
            frames[-1] = replace(frames[-1], repeated=gap)
        gap = 0
        frames.append(frame)
    return as_printed(frames)


def _frame(one: Object) -> ReportedFrame:
    values = field(one, "locals")
    return ReportedFrame(
        text_field(one, "filename") or "<unknown>",
        line_number(field(one, "lineno")),
        text_field(one, "name") or "<unknown>",
        text_field(one, "line").strip() or None,
        local_values={
            name: value
            for name, value in (values.items() if isinstance(values, dict) else ())
            if isinstance(value, str) and name.isidentifier() and not _CUT.search(value)
        },
    )
