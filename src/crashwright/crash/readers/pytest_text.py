"""Reads what pytest prints: every failure and error of a run that shows frames, in whatever ``--tb`` style."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from crashwright.core.report import CrashReport, Link, ReportedException, ReportedFrame, Unknown
from crashwright.crash.readers.ending import SENTENCES
from crashwright.crash.readers.exact import exact_exception
from crashwright.crash.readers.frames import EXCEPTION
from crashwright.crash.readers.groups import HEADER
from crashwright.crash.readers.plain import PlainReader
from crashwright.crash.readers.pytest_margin import without_margin
from crashwright.crash.readers.pytest_run import environment, is_run, without_runner
from crashwright.crash.readers.pytest_short import read_entries

_TITLE = re.compile(r"(?!_ _)(?:_{2,} \S.* _{2,}|_ \S.{40,} _)")
_RULE = re.compile(r"=+ \S.* =+|={10,}|-{2,} (?:Captured|live) \S.* -{2,}|- generated \S.* -")
_UNITTEST_PLACE = re.compile(r"\S.*:\d+: \w+")
_GAP = re.compile(r"\s*Displaying first and last (?P<each>\d{1,9}) stack frames out of (?P<all>\d{1,9})\.")

LAST_LINES_ONLY = "this shows only the last line of each failure; run pytest again with --tb=short (or --tb=long)"
BROKEN_OFF = "the pytest output breaks off before the line that names the exception (it begins with E)"


class PytestReader:
    """The TraceReader for pytest's own output."""

    name = "pytest"

    def __init__(self, from_pytest: bool = False) -> None:
        """``from_pytest``: what is read is known to be pytest's, so that Python's own tracebacks in it are too."""
        self._from_pytest = from_pytest

    def read(self, text: str) -> tuple[CrashReport, ...] | Unknown:
        """Every failure of the run with frames, in the order of printing. Where the last of them breaks off, what the user meant
        is not there: Unknown."""
        lines = without_margin(text)
        found: list[CrashReport] = []
        broken_off = Unknown("")
        known = self._from_pytest or any(_TITLE.fullmatch(line.rstrip()) for line in lines)
        for failure in _failures(lines):
            reports = _read_failure(failure, known)
            broken_off = reports if isinstance(reports, Unknown) else Unknown("")
            found += () if isinstance(reports, Unknown) else reports
        if broken_off.reason:
            return broken_off
        if found:
            where = environment(lines)
            return tuple(replace(report, environment=where) for report in found)
        return Unknown(LAST_LINES_ONLY if is_run(lines) and HEADER not in text else "")


def _failures(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines of each failure: from its title on, up to captured output or the next rule. What comes before all of these may be
    a failure pasted without its title."""
    current: list[str] | None = []
    for line in lines:
        title = _TITLE.fullmatch(line.rstrip())
        if title or _RULE.fullmatch(line.rstrip()):
            if current:
                yield current
            current = [] if title else None
        elif current is not None:
            current.append(line)
    if current:
        yield current


def _read_failure(lines: Sequence[str], from_pytest: bool) -> Sequence[CrashReport] | Unknown:
    """The reports of one failure: none where it shows no frames, Unknown where it breaks off. A text with nothing but Python's own
    tracebacks is left to other readers unless it is known to be ``from_pytest``."""
    own = _own_lines(lines)
    parts = [(_Part(part), link) for part, link in _chain(lines[:own])]
    if not any(part.entries for part, _ in parts):
        return _native(lines) if from_pytest else ()
    chain: list[ReportedException] = []
    for part, link in parts:
        exception = part.exception(link)
        if exception:
            chain.append(exception)
        elif link is None:
            return Unknown(BROKEN_OFF)
    behind = _native(lines[own:])
    return behind if isinstance(behind, Unknown) else [CrashReport(tuple(chain)), *behind]


def _own_lines(lines: Sequence[str]) -> int:
    """How many lines there are before a traceback of Python's own that does not go on with a chain: what was pasted behind."""
    before = ""
    for index, line in enumerate(lines):
        if line.startswith(HEADER) and before not in SENTENCES:
            return index
        before = line.rstrip() or before
    return len(lines)


def _chain(lines: Sequence[str]) -> list[tuple[list[str], Link | None]]:
    """``lines`` cut at the sentences that join a chain, with the link to the next part. The same words in source are indented."""
    parts: list[tuple[list[str], Link | None]] = []
    part: list[str] = []
    for line in lines:
        link = SENTENCES.get(line.rstrip())
        if link:
            parts.append((part, link))
            part = []
        else:
            part.append(line)
    return [*parts, (part, None)]


def _native(lines: Sequence[str]) -> Sequence[CrashReport] | Unknown:
    """What ``--tb=native`` prints, and all styles for exception groups: Python's own traceback, with pytest's frames in it. None
    where there is none, Unknown where it breaks off."""
    if not any(line.rstrip().endswith(HEADER) for line in lines):
        return ()
    end = len(lines)
    while end and (not lines[end - 1].strip() or _UNITTEST_PLACE.fullmatch(lines[end - 1])):
        end -= 1
    found = PlainReader().read("\n".join(lines[:end]))
    if isinstance(found, Unknown):
        return found
    return [CrashReport(tuple(map(_without_runner, report.exceptions))) for report in found]


def _without_runner(exception: ReportedException) -> ReportedException:
    return replace(exception, frames=without_runner(exception.frames))


class _Part:
    """What is printed of one exception of a chain."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.entries, self.kind = read_entries(lines)

    def exception(self, link: Link | None) -> ReportedException | None:
        """The exception with its frames; None where no line names it."""
        if not self.entries:
            native = _native(self.lines)
            return replace(native[-1].crash, link=link) if native and not isinstance(native, Unknown) else None
        frames = without_runner(_with_gap(tuple(entry.frame for entry in self.entries), self.lines))
        return _ending(self.entries[-1].error, self.kind, frames, link)


def _ending(error: Sequence[str], kind: str, frames: tuple[ReportedFrame, ...], link: Link | None) -> ReportedException | None:
    """The exception that the ``E`` lines name. ``kind`` is the name of its class where the place below told it."""
    if not error:
        return None
    if error[0].lstrip().startswith('File "'):
        place = PlainReader().read("\n".join((HEADER, *error)))
        return None if isinstance(place, Unknown) else replace(place[-1].crash, frames=frames, link=link)
    if error[0].startswith("assert ") and kind in ("", "AssertionError"):
        # pytest leaves out the name of the class where its own words are the message.
        return ReportedException("AssertionError", "\n".join(error), frames, (), link)
    named = EXCEPTION.fullmatch(error[0])
    if named and kind in ("", named["type"].rpartition(".")[2]):
        return exact_exception(named["type"], "\n".join(((named["message"] or " ")[1:], *error[1:])), frames, link)
    return ReportedException(kind, "\n".join(error), frames, (), link) if kind else None


def _with_gap(frames: tuple[ReportedFrame, ...], lines: Sequence[str]) -> tuple[ReportedFrame, ...]:
    """Of a deep recursion pytest prints the first and the last frames: those left out are repetitions where both sides agree."""
    gap = next(filter(None, map(_GAP.fullmatch, lines)), None)
    if gap is None:
        return frames
    index = int(gap["each"]) - 1
    missing = int(gap["all"]) - len(frames)
    if not 0 <= index < len(frames) - 1 or missing <= 0:
        return frames
    last, following = frames[index], frames[index + 1]
    if (last.path, last.line, last.function) != (following.path, following.line, following.function):
        return frames
    return (*frames[:index], replace(last, repeated=missing), *frames[index + 1 :])
