"""The frames of one traceback block: ``File`` lines with what is printed under each (source, carets, local values, repetitions)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from crashwright.core.report import ReportedFrame, SyntaxPlace
from crashwright.crash.readers.loguru import arrow_values

EXCEPTION = re.compile(r"(?P<type>[^\W\d]\w*(?:\.(?:[^\W\d]\w*|<locals>))*)(?::(?P<message> .*)?)?", re.DOTALL)
_FRAME = re.compile(r'(?P<indent>\s*)File "(?P<path>.*)", line (?P<line>\d{1,9}|None|\?)(?:, in (?P<function>\S(?:.*\S)?))?\s*')
_WRAPPED_FRAME = re.compile(r'\s*File "[^"]{20,}(?:", (?:l(?:i(?:n(?:e(?: \d*)?)?)?)?)?)?')
_REPEATED = re.compile(r"\s*\[Previous line repeated (?P<count>\d{1,9}) more times?\]\s*")
_CARETS = re.compile(r"\s*(?P<marks>[~^]+)\s*")
_LEFT_OUT = re.compile(r"\s*\.\.\.<\d+ lines?>\.\.\.\s*")
_LOCAL = re.compile(r"(?P<name>[^\W\d]\w*) = (?P<value>.*)", re.DOTALL)


class Stack(NamedTuple):
    """The frames at the head of a block, outermost first; what a SyntaxError points at; and the index of the line that names the
    exception (the number of lines where the text ends before it)."""

    frames: tuple[ReportedFrame, ...]
    place: SyntaxPlace | None
    end: int


NO_STACK = Stack((), None, 0)


def read_frames(lines: Sequence[str], flat: bool) -> Stack:
    """The stack at the head of ``lines``. ``flat``: all indentation was lost."""
    lines = _joined(lines)
    frames: list[ReportedFrame] = []
    place: SyntaxPlace | None = None
    index = 0
    while index < len(lines):
        line = lines[index]
        match = _FRAME.fullmatch(line)
        repeated = _REPEATED.fullmatch(line)
        if match:
            end = _flat_details_end(lines, index + 1) if flat else _details_end(lines, index + 1, _depth(match["indent"]))
            details = [one for one in lines[index + 1 : end] if one != _JOINED]
            if match["function"] is not None:
                frames.append(_frame(match, details, flat))
            else:
                place = _place(match, details, flat)
            index = end
            continue
        if repeated and frames:
            frames[-1] = replace(frames[-1], repeated=frames[-1].repeated + int(repeated["count"]))
        elif line and (flat or not line[0].isspace()) and not repeated and EXCEPTION.fullmatch(line):
            return Stack(tuple(frames), place, index)
        index += 1
    return Stack(tuple(frames), place, len(lines))


_JOINED = "\0"
"In the place of a line that was joined to the one before, so that indices stay true."


def _joined(lines: Sequence[str]) -> Sequence[str]:
    """Frame lines that a terminal or a mail broke at its width are made whole."""
    broken = [index for index, line in enumerate(lines[:-1]) if 'File "' in line and not _FRAME.fullmatch(line)]
    if not broken:
        return lines
    joined = list(lines)
    for index in broken:
        for glue in ("", " "):
            whole = joined[index] + glue + joined[index + 1].strip()
            if _WRAPPED_FRAME.fullmatch(joined[index].rstrip()) and _FRAME.fullmatch(whole):
                joined[index : index + 2] = [whole, _JOINED]
                break
    return joined


def _depth(line: str) -> int:
    """The columns before the first character; a tab goes to the next fourth."""
    head = line[: len(line) - len(line.lstrip())]
    return len(head.expandtabs(4)) if "\t" in head else len(head)


def _details_end(lines: Sequence[str], start: int, indent: int) -> int:
    """The end of the lines indented deeper than their frame. The repr of a local value may have lines of any indentation."""
    end = start
    in_values = False
    while end < len(lines):
        line = lines[end]
        depth = _depth(line)
        if _FRAME.fullmatch(line) or _REPEATED.fullmatch(line) or (depth == 0 and EXCEPTION.fullmatch(line)):
            break
        if line == _JOINED:
            end += 1
            continue
        if not in_values and (not line.strip() or depth <= indent):
            break
        in_values = in_values or (end > start and depth == indent + 2 and _LOCAL.fullmatch(line.lstrip()) is not None)
        end += 1
    return end


def _flat_details_end(lines: Sequence[str], start: int) -> int:
    """Without indentation the line after a frame is its source, unless it is the exception: after the last frame the source is
    the line that still has an exception line behind it."""
    if start >= len(lines) or not lines[start].strip() or _FRAME.fullmatch(lines[start]) or _REPEATED.fullmatch(lines[start]):
        return start
    end = start + 1
    while end < len(lines) and _CARETS.fullmatch(lines[end]):
        end += 1
    if end > start + 1:
        return end
    following = lines[end] if end < len(lines) else ""
    if _FRAME.fullmatch(following) or _REPEATED.fullmatch(following) or EXCEPTION.fullmatch(following):
        return end
    return start if EXCEPTION.fullmatch(lines[start]) else end


def _frame(match: re.Match[str], details: Sequence[str], flat: bool) -> ReportedFrame:
    number = int(match["line"]) if match["line"].isdecimal() else None
    frame = ReportedFrame(match["path"], number, match["function"].removesuffix(" <Loguru catch point here>"))
    if not details:
        return frame
    source = details[0].strip()
    values = arrow_values(details)
    if values is not None:
        return replace(frame, source=source, local_values=values)
    indent = _depth(details[0])
    frame = replace(frame, source=source, local_values=_local_values(details[_echo_end(details, indent) :], indent))
    if len(details) > 1 and _CARETS.fullmatch(details[1]) and not flat:
        columns, anchor = _carets(details[1], indent)
        return replace(frame, columns=columns, anchor=anchor)
    return frame


def _place(match: re.Match[str], details: Sequence[str], flat: bool) -> SyntaxPlace:
    number = int(match["line"]) if match["line"].isdecimal() else None
    place = SyntaxPlace(match["path"], number)
    if not details:
        return place
    source = details[0].strip()
    columns = None
    if len(details) > 1 and _CARETS.fullmatch(details[1]) and not flat:
        columns, _ = _carets(details[1], _depth(details[0]))
    return replace(place, source=source, columns=columns)


_Range = tuple[int, int]


def _carets(line: str, indent: int) -> tuple[_Range | None, _Range | None]:
    """The marked range relative to the source's indentation, and the part of it that is the anchor."""
    marks = line.strip()
    start = _depth(line) - indent
    if start < 0:
        return None, None
    first, last = marks.find("^"), marks.rfind("^")
    anchored = "~" in marks and first >= 0
    return (start, start + len(marks)), (start + first, start + last + 1) if anchored else None


def _echo_end(details: Sequence[str], indent: int) -> int:
    """The end of the echoed lines: Python 3.13 echoes as many as the failing expression has. Those further in and those with marks
    under them are source, and so is what looks like ``name = value`` but is an argument of a call that is still open."""
    end = 1
    depth = _brackets(details[0])
    while end < len(details):
        line = details[end]
        marked = end + 1 < len(details) and _CARETS.fullmatch(details[end + 1]) is not None
        if not (marked or _CARETS.fullmatch(line) or _LEFT_OUT.fullmatch(line)):
            local = _depth(line) == indent and _LOCAL.fullmatch(line.lstrip()) is not None
            if local and not (depth > 0 and line.rstrip().endswith((",", "("))):
                break
        depth += _brackets(line)
        end += 1
    return end


def _brackets(line: str) -> int:
    return sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))


def _local_values(details: Sequence[str], indent: int) -> dict[str, str]:
    """``name = value`` lines (``capture_locals=True``). They stand at the indentation of the source. A value's own further lines
    belong to it."""
    values: dict[str, str] = {}
    name = ""
    for line in details:
        match = _LOCAL.fullmatch(line[indent:]) if line[:indent].isspace() else None
        if match:
            name = match["name"]
            values[name] = match["value"]
        elif name:
            values[name] += "\n" + line
    return values
