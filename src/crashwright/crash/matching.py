"""A reported frame against the source file here: which code object, which line, which sub-expression."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from crashwright.core.location import Position
from crashwright.core.report import ReportedFrame, Unknown
from crashwright.environment.source_index import CodeSpan, SourceIndex, within

NEARBY = 30
"""Lines that a frame is looked for up and down where the version differs, before the whole of the function counts."""


class Match(NamedTuple):
    """``line`` is the line here. ``ambiguous``: the report does not tell which of several namesakes on the line it was."""

    span: CodeSpan
    line: int
    caret: Position | None
    ambiguous: bool = False


def match_frame(index: SourceIndex, frame: ReportedFrame) -> Match | Unknown:
    """Where the frame stands in this file. A line whose text or function differs is looked for by its text, in the functions of
    the same name; Unknown where it is not found, or more than one place would do."""
    line = frame.line
    if line is not None and _same_text(index.line(line), frame.source):
        found = _on_line(index, frame, line)
        if found:
            return found
    if frame.source is not None:
        moved = _relocated(index, frame, frame.source)
        found = _on_line(index, frame, moved) if moved is not None else None
        if found:
            return found
    return Unknown(_difference(index, frame))


def _same_text(here: str | None, echoed: str | None) -> bool:
    return here is not None and (echoed is None or here.split() == echoed.split())


def _on_line(index: SourceIndex, frame: ReportedFrame, line: int) -> Match | None:
    caret = _caret(index, frame, line)
    holding = index.innermost(frame.function, line)
    if caret is not None:
        # Only the caret tells lambdas and generator expressions on one line apart.
        holding = [span for span in holding if within(caret, span.position)] or holding
    if not holding:
        return None
    smallest = min(holding, key=lambda span: _extent(span.position))
    apart = any(not within(smallest.position, span.position) for span in holding)
    return Match(smallest, line, caret, ambiguous=apart and caret is None)


def _extent(place: Position) -> tuple[int, int]:
    return place.end_line - place.line, place.end_column - place.column if place.end_line == place.line else 0


def _relocated(index: SourceIndex, frame: ReportedFrame, source: str) -> int | None:
    """The line with this text in the functions of this name: the nearest within ``NEARBY`` lines, else the only one."""
    wanted = source.split()
    if not wanted:
        return None
    lines = {
        line
        for span in index.named(frame.function)
        for line in range(span.first_line, span.position.end_line + 1)
        if (index.line(line) or "").split() == wanted and span in index.innermost(frame.function, line)[:1]
    }
    if frame.line is not None:
        reported = frame.line
        distances = sorted((abs(line - reported), line) for line in lines)
        if distances and distances[0][0] <= NEARBY:
            return distances[0][1]
    return lines.pop() if len(lines) == 1 else None


def _difference(index: SourceIndex, frame: ReportedFrame) -> str:
    if not index.named(frame.function):
        return f"installed source differs: it has no function {frame.function}"
    if frame.source is not None:
        return f"installed source differs: {frame.function} has no line {frame.source!r}"
    return f"installed source differs: line {frame.line} is not in {frame.function}"


def _caret(index: SourceIndex, frame: ReportedFrame, line: int) -> Position | None:
    """The range under the carets, widened to the true end of the expression where the printed line cuts it off."""
    text = index.line(line)
    if text is None or frame.columns is None or frame.source is None:
        return None
    indent = len(text) - len(text.lstrip())
    plain: Position | None = None
    for start, end in _character_ranges(frame.source.strip(), frame.columns):
        first, last = _bytes(text, indent + start), _bytes(text, indent + end)
        places = index.expressions_at(line, first)
        exact = Position(line, first, line, last)
        if exact in places:
            return exact
        longer = [place for place in places if place.end_line > line]
        if longer and indent + end >= len(text.rstrip()):
            # The smallest: the larger ones around it are calls on its result, which Python reports on their own line.
            return longer[0]
        plain = plain or exact
    return plain


def _character_ranges(source: str, columns: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The range in characters; and, since Python 3.12 prints two carets under a wide character, also counted so."""
    yield columns
    if source.isascii():
        return
    edges = [0]
    for character in source:
        edges.append(edges[-1] + (2 if unicodedata.east_asian_width(character) in "WF" else 1))
    start, end = columns
    if start in edges and end in edges:
        yield edges.index(start), edges.index(end)


def _bytes(text: str, characters: int) -> int:
    return len(text[:characters].encode("utf-8", "surrogatepass"))
