"""The frames in a box of rich: a line ``path:number in function``, source with a mark at the failing line, a box of locals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from crashwright.core.report import ReportedFrame
from crashwright.crash.readers.exact import as_printed

UNKNOWN_PATH = "<unknown>"
"rich leaves the path out where there is no such file."
_PLACE = re.compile(r"(?:(?P<path>\S.{0,4000}):(?P<line>\d{1,9}) in (?P<function>\S+)|in (?P<named>\S+):(?P<at>\d{1,9}))")
_CODE = re.compile(r"(?P<mark>[❱>?] |  ) *(?P<number>\d{1,9})(?: (?P<code>.*))?")
_LOCALS = re.compile(r"[╭┌┏+][─━-]+ locals [─━-]+[╮┐┓+]")
_HIDDEN = re.compile(r"\s*\.\.\. (?P<count>\d{1,9}) frames hidden \.\.\.\s*")
_VALUE = re.compile(r"(?P<name> *[^\W\d]\w*) = (?P<value>.*)")
_CORNERS = ("╰", "└", "┗", "+")
_CODE_WIDTH = 88
"rich cuts source lines off here, unless told otherwise."
_WRAPPED_PLACE = 40
"Rows that one path may take: 4,096 characters in a narrow window."


def read_boxed_frames(rows: Sequence[str]) -> tuple[ReportedFrame, ...]:
    """The frames, outermost first, repetitions folded as Python does. ``rows`` are the box without its sides."""
    reader = _Reader()
    for row, values in _without_locals(rows):
        reader.read(row)
        if values is not None:
            reader.values(values)
    return reader.result()


@dataclass(slots=True)
class _Reader:
    frames: list[ReportedFrame] = field(default_factory=list)
    place: list[str] = field(default_factory=list)
    hidden: list[tuple[int, int]] = field(default_factory=list)
    "Where frames are hidden, and how many."

    def read(self, row: str) -> None:
        code = _CODE.fullmatch(row)
        hidden = _HIDDEN.fullmatch(row)
        if hidden is not None:
            self.hidden.append((len(self.frames), int(hidden["count"])))
        elif code is not None:
            self.place.clear()
            if code["mark"] != "  " and self.frames and self.frames[-1].line == int(code["number"]):
                self.frames[-1] = replace(self.frames[-1], source=_source(code["code"] or "", row))
        elif row.strip() and not row.startswith("  "):
            self._read_place(row)

    def _read_place(self, row: str) -> None:
        self.place.append(row)
        for text in _joined(self.place):
            match = _PLACE.fullmatch(text)
            if match is not None:
                line = int(match["line"] or match["at"])
                self.frames.append(ReportedFrame(match["path"] or UNKNOWN_PATH, line, match["function"] or match["named"]))
                self.place.clear()
                return
        if len(self.place) > _WRAPPED_PLACE:
            self.place.clear()

    def values(self, values: dict[str, str]) -> None:
        if self.frames:
            self.frames[-1] = replace(self.frames[-1], local_values=values)

    def result(self) -> tuple[ReportedFrame, ...]:
        frames = list(self.frames)
        for index, count in self.hidden:
            if 0 < index < len(frames) and _same(frames[index - 1], frames[index]):
                frames[index - 1] = replace(frames[index - 1], repeated=frames[index - 1].repeated + count)
        return as_printed(frames)


def _same(one: ReportedFrame, other: ReportedFrame) -> bool:
    return (one.path, one.line, one.function) == (other.path, other.line, other.function)


def _joined(rows: Sequence[str]) -> tuple[str, str]:
    """A text broken at the width: within a word where a row is full, else between words. (A full row may also end with a word.)"""
    glued, spaced = "", ""
    full = True
    for row in rows:
        text = row.strip()
        glued += text if full else " " + text
        spaced += " " + text
        full = not row.endswith(" ")
    return squeezed(glued), squeezed(spaced[1:])


def _source(code: str, row: str) -> str | None:
    """The failing line without the guides of its indentation; None where it is cut off."""
    code = squeezed(code)
    if not row.endswith(" ") or len(code.rstrip()) >= _CODE_WIDTH - 1:
        return None
    return code.lstrip("│ ").strip() or None


def _without_locals(rows: Sequence[str]) -> list[tuple[str, dict[str, str] | None]]:
    """The rows, each with the local values in a box that begins there, below the source or beside it; the boxes blanked out."""
    wide = [spread(row) for row in rows]
    found: list[tuple[str, dict[str, str] | None]] = []
    end = 0
    for index, row in enumerate(wide):
        top = _LOCALS.search(row)
        values = None
        if top is not None:
            left, right = top.span()
            end = index + 1
            while end < len(wide) and not wide[end][left : left + 1].startswith(_CORNERS):
                end += 1
            values = _values([squeezed(line[left + 2 : right - 2]) for line in wide[index + 1 : end]])
            for number in range(index, min(end + 1, len(wide))):
                wide[number] = wide[number][:left] + " " * (right - left) + wide[number][right:]
        found.append((wide[index], values))
    return found


def _values(rows: Sequence[str]) -> dict[str, str]:
    """``name = value`` lines, names aligned on the right; a value goes on in the lines without a name."""
    values: dict[str, list[str]] = {}
    name, width = "", -1
    for row in rows:
        match = _VALUE.fullmatch(row.rstrip())
        if match is not None and width in (-1, match.end("name")):
            name, width = match["name"].strip(), match.end("name")
            values[name] = [match["value"]]
        elif name:
            values[name].append(row[width + 3 :].strip().lstrip("│ "))
    return {name: _one_line(lines) for name, lines in values.items()}


def _one_line(lines: Sequence[str]) -> str:
    text = ""
    for line in lines:
        near = text.endswith(("(", "[", "{")) or line.startswith((")", "]", "}")) or not text
        text += line if near else " " + line
    return text


def spread(text: str) -> str:
    """``text`` with one character a column: the second column of a wide one holds a zero character."""
    if text.isascii():
        return text
    return "".join(one + "\0" if unicodedata.east_asian_width(one) in "WF" else one for one in text)


def squeezed(text: str) -> str:
    """Undoes :func:`spread`."""
    return text.replace("\0", "")
