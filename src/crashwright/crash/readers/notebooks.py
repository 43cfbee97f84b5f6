"""Tracebacks as IPython and Jupyter show them, rewritten as Python prints them: frames without quotes, numbered lines of source."""

from __future__ import annotations

import re

from crashwright.crash.readers.groups import HEADER

_AT_ALL = re.compile(
    r"^[ \t]*(?:[\w.]+ {2,}Traceback \(most recent call last\)|(?:Cell|Input) In ?\[|File [^\"\s].{0,4000}:\d)", re.M
)
_HEADER = re.compile(r"(?P<margin>\s*)[\w.]+ {2,}Traceback \(most recent call last\)\s*")
_FILE = re.compile(r"\s*File (?P<path>[^\"\s].{0,4000}?):(?P<line>\d{1,9})(?:,? in (?P<function>.*))?")
_CELL = re.compile(
    r"\s*(?:Cell|Input) In ?\[(?P<cell>\d{1,9})\],? (?:line (?P<line>\d{1,9})(?:, in (?P<function>.*))?|in <cell line.*)"
)
_OLD_FILE = re.compile(r"\s*(?P<path>[~/]?\S*\.py|[A-Z]:\\.*\.py|<ipython-input-[^>]*>) in (?P<function>[\w<>.]+(?:\(.*\))?)")
_FAILING = re.compile(r"\s*-+> ?(?P<line>\d{1,9})(?: (?P<source>.*))?")
_OTHER = re.compile(r"\s*\d{1,9}(?: .*)?")
_SKIPPED = re.compile(r"\s*\[\.\.\. skipping similar frames: .* \((?P<count>\d{1,9}) times\)\]")


def from_notebook(text: str) -> str:
    """``text`` with such tracebacks rewritten."""
    if not _AT_ALL.search(text):
        return text
    writer = _Writer()
    for line in text.split("\n"):
        writer.read(line)
    writer.flush()
    return "\n".join(writer.lines)


class _Writer:
    """Rewrites line by line; the frame being read waits for its source."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._inside = False
        self._margin = ""
        self._frame: tuple[str, str | None, str | None, str] | None = None

    def read(self, line: str) -> None:
        header = _HEADER.fullmatch(line)
        if header is not None or line.strip() == HEADER:
            self.flush()
            self._inside = True
            self._margin = line[: len(line) - len(line.lstrip())]
            self.lines.append(self._margin + HEADER)
        elif not self._inside:
            self.lines.append(line)
        elif (frame := _frame(line)) is not None:
            self.flush()
            self._frame = frame
        elif self._frame is None or not self._source(line):
            self._other(line)

    def _source(self, line: str) -> bool:
        """Whether the line shows source of the frame being read."""
        failing = _FAILING.fullmatch(line)
        if failing is not None and self._frame is not None:
            path, number, function, _ = self._frame
            self._frame = (path, number or failing["line"], function, failing["source"] or "")
        return failing is not None or not line.strip() or _OTHER.fullmatch(line) is not None

    def _other(self, line: str) -> None:
        self.flush()
        skipped = _SKIPPED.fullmatch(line)
        if skipped is not None:
            line = f"{self._margin}  [Previous line repeated {skipped['count']} more times]"
        self.lines.append(line)

    def flush(self) -> None:
        if self._frame is None:
            return
        path, number, function, source = self._frame
        self.lines.append(f'{self._margin}  File "{path}", line {number or "?"}' + (f", in {function}" if function else ""))
        if source.strip():
            self.lines.append(f"{self._margin}    {source.strip()}")
        self._frame = None


def _frame(line: str) -> tuple[str, str | None, str | None, str] | None:
    """Path, line number, function and source of a frame whose first line this is."""
    for pattern in (_FILE, _OLD_FILE):
        match = pattern.fullmatch(line)
        if match is not None:
            return match["path"], match.groupdict().get("line"), _name(match["function"]), ""
    cell = _CELL.fullmatch(line)
    if cell is None:
        return None
    return f"<ipython-input-{cell['cell']}>", cell["line"], _name(cell["function"]) or "<module>", ""


def _name(function: str | None) -> str | None:
    """The name alone: IPython shows the qualified one, with arguments."""
    if not function:
        return None
    return re.sub(r"\(.*", "", function).rpartition(".")[2].strip() or None
