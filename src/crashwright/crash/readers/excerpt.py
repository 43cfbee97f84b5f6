"""What of a long log is worth reading: the surroundings of everything that a report of any format has in it.

Readers look at each line in many ways; a log of 50 MB would take them a minute, for one traceback in it. Finding a fixed text in it
takes milliseconds. Shorter texts, and those that are one document (XML, JSON over many lines), are read as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

LONG = 2_000_000
"""Characters that are read without a thought."""
_MARKS = (
    "Traceback",
    'File "',
    'File \\"',
    "File &quot;",
    "File\xa0",
    "\nE  ",
    '"frames"',
    '"stacktrace"',
    '"exception"',
    '"exc_info"',
    "test session starts",
    "short test summary",
    "= FAILURES =",
    "= ERRORS =",
)
_BEFORE, _BEHIND = 50_000, 200_000
"""Characters around a mark: what leads to a traceback, and the values and messages behind it."""
_HEAD, _TAIL = 20_000, 200_000
"""The ends of the text are always read: they tell what it is."""
_LONGEST_LINE = 1_000_000


def excerpt(text: str, whole_lines: bool) -> str:
    """The parts of ``text`` that may hold reports, one line for each gap. ``whole_lines``: lines are never
    cut, since one may be a document; otherwise enormous ones are."""
    if len(text) <= LONG or _is_one_document(text):
        return text
    parts: list[tuple[int, int]] = []
    for begin, end in sorted(_windows(text)):
        begin, end = _at_lines(text, begin, end, whole_lines)
        if parts and begin <= parts[-1][1]:
            parts[-1] = (parts[-1][0], max(end, parts[-1][1]))
        else:
            parts.append((begin, end))
    return "\n".join(text[begin:end] for begin, end in parts)


def _is_one_document(text: str) -> bool:
    """XML, a notebook, a JSON document over many lines: an excerpt could not be parsed."""
    first, more, _ = text[:_LONGEST_LINE].lstrip().partition("\n")
    if first.startswith(("{", "[")):
        return bool(more) and first.rstrip().endswith(("{", "[", ",", ":"))
    return first.startswith("<")


def _windows(text: str) -> Iterator[tuple[int, int]]:
    yield 0, _HEAD
    yield len(text) - _TAIL, len(text)
    for mark in _MARKS:
        place = text.find(mark)
        while place >= 0:
            yield max(0, place - _BEFORE), min(len(text), place + _BEHIND)
            # What the window holds already need not be found, but for its end.
            place = text.find(mark, max(place + 1, place + _BEHIND - _BEFORE))


def _at_lines(text: str, begin: int, end: int, whole_lines: bool) -> tuple[int, int]:
    """The window from the beginning of its first line to the end of its last one, as far as these are near enough."""
    least = 0 if whole_lines else max(0, begin - _LONGEST_LINE)
    most = len(text) if whole_lines else min(len(text), end + _LONGEST_LINE)
    first, last = text.rfind("\n", least, begin), text.find("\n", end, most)
    nothing_before = 0 if whole_lines or least == 0 else begin
    return first + 1 if first >= 0 else nothing_before, last if last >= 0 else (most if most == len(text) else end)
