"""The frames of one traceback block: ``File`` lines with what is printed under each (source, carets, local values, repetitions)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from crashwright.core.report import ReportedFrame

EXCEPTION = re.compile(r"(?P<type>[^\W\d]\w*(?:\.(?:[^\W\d]\w*|<locals>))*)(?::(?P<message> .*)?)?", re.DOTALL)
_FRAME = re.compile(r'(?P<indent>\s*)File "(?P<path>.*)", line (?P<line>\d+|None|\?)(?:, in (?P<function>.+?))?\s*')
_REPEATED = re.compile(r"\s*\[Previous line repeated (?P<count>\d+) more times?\]\s*")
_CARETS = re.compile(r"\s*(?P<marks>[~^]+)\s*")
_LOCAL = re.compile(r"(?P<name>[^\W\d]\w*) = (?P<value>.*)", re.DOTALL)


def read_frames(lines: Sequence[str], flat: bool) -> tuple[tuple[ReportedFrame, ...], int]:
    """The frames at the head of ``lines``, outermost first, and the index of the line that names the exception (``len(lines)``
    where the text ends before it). ``flat``: all indentation was lost."""
    frames: list[ReportedFrame] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        match = _FRAME.fullmatch(line)
        repeated = _REPEATED.fullmatch(line)
        if match:
            end = _flat_details_end(lines, index + 1) if flat else _details_end(lines, index + 1, len(match["indent"]))
            if match["function"] is not None:  # else the place of a SyntaxError, which is no frame
                frames.append(_frame(match, lines[index + 1 : end], flat))
            index = end
            continue
        if repeated and frames:
            frames[-1] = replace(frames[-1], repeated=frames[-1].repeated + int(repeated["count"]))
        elif line and (flat or not line[0].isspace()) and not repeated and EXCEPTION.fullmatch(line):
            return tuple(frames), index
        index += 1
    return tuple(frames), len(lines)


def _details_end(lines: Sequence[str], start: int, indent: int) -> int:
    """The end of the lines indented deeper than their frame. The repr of a local value may have lines of any indentation."""
    end = start
    in_values = False
    while end < len(lines):
        line = lines[end]
        depth = len(line) - len(line.lstrip())
        if _FRAME.fullmatch(line) or _REPEATED.fullmatch(line) or (depth == 0 and EXCEPTION.fullmatch(line)):
            break
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
    frame = ReportedFrame(match["path"], number, match["function"])
    if not details:
        return frame
    indent = len(details[0]) - len(details[0].lstrip())
    frame = replace(frame, source=details[0].strip(), local_values=_local_values(details[1:], indent))
    if len(details) > 1 and _CARETS.fullmatch(details[1]) and not flat:
        columns, anchor = _carets(details[1], indent)
        return replace(frame, columns=columns, anchor=anchor)
    return frame


_Range = tuple[int, int]


def _carets(line: str, indent: int) -> tuple[_Range | None, _Range | None]:
    """The marked range relative to the source's indentation, and the part of it that is the anchor."""
    marks = line.strip()
    start = line.index(marks) - indent
    if start < 0:
        return None, None
    first, last = marks.find("^"), marks.rfind("^")
    anchored = "~" in marks and first >= 0
    return (start, start + len(marks)), (start + first, start + last + 1) if anchored else None


def _local_values(details: Sequence[str], indent: int) -> dict[str, str]:
    """``name = value`` lines (``capture_locals=True``). They stand at the indentation of the source; further echoed lines of a
    statement stand deeper. A value's own further lines belong to it."""
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
