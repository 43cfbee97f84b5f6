"""pytest's entries in order, short (``path:line: in function``) and long, as ``--tb=auto`` mixes them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crashwright.core.report import ReportedFrame
from crashwright.crash.readers.pytest_long import PrintedFrame, error_text, long_entry
from crashwright.crash.readers.pytest_values import local_values

_PLACE = re.compile(
    r"(?!E {3}|>|[^\W\d]\w* += )(?P<path>\S.*):(?P<line>\d{1,9}):(?: in (?P<function>[\w.<>]+)| (?P<type>[^\W\d][\w.]*))?"
)
_SEPARATOR = re.compile(r"(?:_ ){3,}_?\s*")
_CARETS = re.compile(r"\s+\^+\s*")


def read_entries(lines: Sequence[str]) -> tuple[list[PrintedFrame], str]:
    """The entries of one exception, outermost first, and the type's name from the place below the last long one (else empty)."""
    entries: list[PrintedFrame] = []
    kind = ""
    pending: list[str] = []
    marked = False  # is there a ``>`` line among them?
    place: re.Match[str] | None = None  # of the short entry that the pending lines belong to
    for line in lines:
        match = _PLACE.fullmatch(line.rstrip())
        if _SEPARATOR.fullmatch(line) or (match and match["function"]):
            _close_short(entries, place, pending)
            place, pending, marked = match, [], False
            continue
        entry = long_entry(pending, match["path"], int(match["line"])) if match and marked and place is None else None
        if match and entry:
            entries.append(entry)
            kind, pending, marked = match["type"] or "", [], False
        else:
            pending.append(line)
            marked = marked or line.startswith(">")
    _close_short(entries, place, pending)
    return entries, kind


def _close_short(entries: list[PrintedFrame], place: re.Match[str] | None, lines: Sequence[str]) -> None:
    if place is not None:
        entries.append(_short_entry(place, lines))


def _short_entry(place: re.Match[str], lines: Sequence[str]) -> PrintedFrame:
    frame = ReportedFrame(place["path"], int(place["line"]), place["function"])
    if not lines or not lines[0].startswith("    "):
        return PrintedFrame(frame, error_text(lines))
    text = lines[0].strip()
    columns = None
    if len(lines) > 1 and _CARETS.fullmatch(lines[1]):
        marks = lines[1].rstrip()
        start = marks.index("^") - (len(lines[0]) - len(lines[0].lstrip()))
        columns = (start, start + marks.count("^")) if start >= 0 else None
    values = local_values(lines[1:], " " * 8)
    source = None if text in ("", "???") else text
    return PrintedFrame(ReportedFrame(frame.path, frame.line, frame.function, source, columns, None, values), error_text(lines[1:]))
