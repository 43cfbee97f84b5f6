"""Crash reports as Python, loguru and rich print them: the other half of ``read(render(report)) == report``."""

import unicodedata
from collections.abc import Iterator, Sequence

from crashwright.core.report import CrashReport, ReportedException, ReportedFrame, SyntaxPlace

SENTENCES = {
    "cause": "The above exception was the direct cause of the following exception:",
    "context": "During handling of the above exception, another exception occurred:",
}
HEADER = "Traceback (most recent call last):"


def python_text(report: CrashReport) -> str:
    """As ``traceback.print_exception`` prints it."""
    return "\n".join(_chain(report, 0, _python_frame)) + "\n"


def _chain(report: CrashReport, depth: int, frame_lines: "FrameLines", loose: bool = False) -> Iterator[str]:
    margin = "  " * depth + "| " if depth else ""
    for exception in report.exceptions:
        yield from _block(exception, depth, frame_lines, loose)
        if exception.link:
            blank = [margin.rstrip() if loose else margin] * (2 if loose else 1)
            yield from [*blank, margin + SENTENCES[exception.link], *blank]


def _block(exception: ReportedException, depth: int, frame_lines: "FrameLines", loose: bool) -> Iterator[str]:
    own = depth or (1 if exception.group else 0)
    margin = "  " * own + "| " if own else ""
    header = "Exception Group " + HEADER if exception.group else HEADER
    if exception.frames:
        yield ("  + " if own and not depth else margin) + header
    for line in _own_lines(exception, frame_lines, loose):
        yield (margin + line).rstrip() if loose and margin else margin + line
    for number, member in enumerate(exception.group, 1):
        yield "  " * own + ("+-" if number == 1 else "  ") + f"+---------------- {number} ----------------"
        yield from _chain(member, own + 1, frame_lines, loose)
    if exception.group and not _closes_itself(exception.group[-1]):
        yield "  " * (own + 1) + "+------------------------------------"


def _closes_itself(member: CrashReport) -> bool:
    """The line at the end of a group closes those around it that end there, too."""
    return bool(member.crash.group)


FrameLines = type(lambda frame: [])


def _own_lines(exception: ReportedException, frame_lines: "FrameLines", loose: bool) -> Iterator[str]:
    for frame in exception.frames:
        yield from frame_lines(frame)
    if exception.place is not None:
        yield from ([""] if loose else [])
        yield from _python_place(exception.place)
    yield from ([""] if loose and exception.frames else [])
    yield from _message(exception)


def _message(exception: ReportedException) -> list[str]:
    text = f"{exception.type}: {exception.message}" if exception.message else exception.type
    return [*text.split("\n"), *(line for note in exception.notes for line in note.split("\n"))]


def _python_frame(frame: ReportedFrame) -> Iterator[str]:
    yield f'  File "{frame.path}", line {frame.line}, in {frame.function}'
    if frame.source is not None:
        yield f"    {frame.source}"
    if frame.columns is not None:
        yield "    " + carets(frame.columns, frame.anchor)
    for name, value in frame.local_values.items():
        yield f"    {name} = {value}"
    yield from _repetition(frame)


def _repetition(frame: ReportedFrame) -> list[str]:
    return [f"  [Previous line repeated {frame.repeated} more time{'s' if frame.repeated > 1 else ''}]"] if frame.repeated else []


def carets(columns: tuple[int, int], anchor: tuple[int, int] | None = None) -> str:
    start, end = columns
    first, last = anchor or columns
    return " " * start + "~" * (first - start) + "^" * (last - first) + "~" * (end - last)


def _python_place(place: SyntaxPlace) -> Iterator[str]:
    yield f'  File "{place.path}", line {place.line}'
    if place.source is not None:
        yield f"    {place.source}"
    if place.columns is not None:
        yield "    " + carets(place.columns)


def loguru_text(report: CrashReport, pipe: str = "│", cap: str = "└") -> str:
    """As loguru prints it with ``diagnose=True``. Local values have to be of names in the source."""

    def frame_lines(frame: ReportedFrame) -> Iterator[str]:
        yield ""
        yield f'  File "{frame.path}", line {frame.line}, in {frame.function}'
        if frame.source is not None:
            yield f"    {frame.source}"
            starts = sorted((frame.source.index(name), value) for name, value in frame.local_values.items())
            for index in reversed(range(len(starts))):
                column, value = starts[index]
                pipes = {before for before, _ in starts[:index]}
                yield "    " + "".join(pipe if at in pipes else " " for at in range(column)) + f"{cap} {value}"
        yield from _repetition(frame)

    return "\n".join(["2026-01-02 03:04:05.678 | ERROR    | a:b:3 - failed", *_chain(report, 0, frame_lines, loose=True)]) + "\n"


class Box:
    """How rich draws: in Unicode or in ASCII, so many columns wide."""

    def __init__(self, width: int, ascii_only: bool = False) -> None:
        self.width = width
        self.line, self.side, self.mark = ("-", "|", "> ") if ascii_only else ("─", "│", "❱ ")
        self.corners = "++++" if ascii_only else "╭╮╰╯"
        self.guide = "    " if ascii_only else "│   "

    def narrower(self) -> "Box":
        box = Box(self.width - 4)
        box.line, box.side, box.mark, box.corners, box.guide = self.line, self.side, self.mark, self.corners, self.guide
        return box

    def draw(self, rows: Sequence[str], title: str = "") -> list[str]:
        inner = self.width - 2
        top = (f" {title} " if title else "").center(inner, self.line)
        return [
            self.corners[0] + top + self.corners[1],
            *(f"{self.side} {row}{' ' * (self.width - 4 - columns(row))} {self.side}" for row in rows),
            self.corners[2] + self.line * inner + self.corners[3],
        ]


def columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def rich_text(report: CrashReport, box: Box) -> str:
    """As rich prints it. Nothing in the report may be longer than a row, and frames not repeat more than three times."""
    return "\n".join(_rich_chain(report, box)) + "\n"


def _rich_chain(report: CrashReport, box: Box) -> Iterator[str]:
    for exception in report.exceptions:
        if exception.frames:
            rows = [row for number, frame in enumerate(exception.frames) for row in _rich_frame(frame, box, not number)]
            yield from box.draw(rows, "Traceback (most recent call last)")
        if exception.place is not None:
            yield from box.draw(_rich_place(exception.place))
        title = f"{exception.type}: {exception.message}" if exception.message else exception.type
        yield from title.split("\n")
        for note in exception.notes:
            yield from f"[NOTE] {note}".split("\n")
        for number, member in enumerate(exception.group, 1):
            yield ""
            yield from box.draw(list(_rich_chain(member, box.narrower())), f"Sub-exception #{number}")
        if exception.link:
            yield from ["", SENTENCES[exception.link], ""]


def _rich_frame(frame: ReportedFrame, box: Box, first: bool) -> Iterator[str]:
    yield from ([] if first else [""])
    place = f"{frame.path}:{frame.line} in {frame.function}"
    while columns(place) > box.width - 4:
        yield place[: box.width - 4]
        place = place[box.width - 4 :]
    yield place
    if frame.source is not None and frame.line is not None:
        yield ""
        for number, text in ((frame.line - 1, "def around():"), (frame.line, box.guide + frame.source), (frame.line + 1, "")):
            yield (box.mark if number == frame.line else "  ") + f"{number:>4} " + text
    if frame.local_values:
        yield ""
        width = max(map(len, frame.local_values))
        rows = [f"{name:>{width}} = {value}" for name, value in frame.local_values.items()]
        inner = Box(max(max(map(columns, rows)), 10) + 4)
        inner.line, inner.side, inner.corners = box.line, box.side, box.corners
        yield from inner.draw(rows, "locals")


def _rich_place(place: SyntaxPlace) -> list[str]:
    rows = [f" {place.path}:{place.line}", place.source or ""]
    return rows if place.columns is None else [*rows, " " * place.columns[0] + "▲"]
