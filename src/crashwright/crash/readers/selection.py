"""Choosing among the reports of one text: each has an index, from 1; members of exception groups have one too (``2.1``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from crashwright.core.errors import UsageError
from crashwright.core.report import CrashReport, ReportedFrame

_LONGEST_TEXT = 60
_MOST_LISTED = 40


@dataclass(frozen=True, slots=True)
class Described:
    """A report that can be chosen by ``index``; ``text`` is one short line about it."""

    index: str
    text: str
    report: CrashReport


def describe_reports(reports: Sequence[CrashReport], sift: Callable[[str], str] = str) -> tuple[Described, ...]:
    """Every report of ``reports``, each followed by the members of the groups in it. Messages pass ``sift`` before they are cut."""
    return tuple(one for number, report in enumerate(reports, 1) for one in _with_members(str(number), report, sift))


def choose_report(reports: Sequence[CrashReport], index: str | None, sift: Callable[[str], str] = str) -> CrashReport:
    """The report with that index; without one the last, for it is the crash that the user saw. Raises UsageError."""
    if index is None:
        return reports[-1]
    found = describe_reports(reports, sift)
    wanted = ".".join(part.strip().lstrip("0") for part in index.split("."))
    for one in found:
        if one.index == wanted:
            return one.report
    lines = [f"  {one.index:<5} {one.text}" for one in found[:_MOST_LISTED]]
    if len(found) > _MOST_LISTED:
        lines.append(f"  ... and {len(found) - _MOST_LISTED} more, to {found[-1].index}")
    count = "one report" if len(reports) == 1 else f"{len(reports)} reports"
    raise UsageError(f"There is no report {index!r}: the text holds {count}.", "\n".join(["Choose one of:", *lines]))


def _with_members(index: str, report: CrashReport, sift: Callable[[str], str]) -> Iterator[Described]:
    yield Described(index, _text(report, sift), report)
    members = [member for exception in report.exceptions for member in exception.group]
    for number, member in enumerate(members, 1):
        yield from _with_members(f"{index}.{number}", member, sift)


def _text(report: CrashReport, sift: Callable[[str], str]) -> str:
    crash = report.crash
    first = sift(crash.message.partition("\n")[0])
    title = f"{crash.type}: {first}" if first else crash.type
    if len(title) > _LONGEST_TEXT:
        title = title[: _LONGEST_TEXT - 3] + "..."
    if not crash.frames:
        return f"{title} (no frames)"
    frames = sum(1 + frame.repeated for frame in crash.frames)
    return f"{title} ({frames} frame{'s' if frames > 1 else ''}, innermost {_place(crash.frames[-1])})"


def _place(frame: ReportedFrame) -> str:
    name = frame.path.replace("\\", "/").rpartition("/")[2]
    return f"{name}:{'?' if frame.line is None else frame.line} in {frame.function}"
