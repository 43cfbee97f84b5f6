"""Choosing among the reports of one text: each has an index, from 1; members of exception groups have one too (``2.1``), and so has
an exception that came before the last of a chain: ``2-1`` the one right before it, ``2-2`` the one before that. ``2-0`` is the last
one itself, and nothing within it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from crashwright.core.chains import spliced
from crashwright.core.errors import UsageError
from crashwright.core.report import CrashReport, OuterException, ReportedException, ReportedFrame

ITSELF = "-0"
"""The end of an index: that exception, and nothing within it."""
_LONGEST_TEXT = 60
_MOST_LISTED = 40


@dataclass(frozen=True, slots=True)
class Described:
    """A report that can be chosen by ``index``; ``text`` is one short line about it."""

    index: str
    text: str
    report: CrashReport


def describe_reports(reports: Sequence[CrashReport], sift: Callable[[str], str] = str) -> tuple[Described, ...]:
    """Every report of ``reports``, each followed by what is within it: exceptions before the last one, members of groups. Messages
    pass ``sift`` before they are cut."""
    return tuple(one for number, report in enumerate(reports, 1) for one in _within(str(number), report, sift))


def choose_report(reports: Sequence[CrashReport], index: str | None, sift: Callable[[str], str] = str) -> CrashReport:
    """The report with that index; without one the last, for it is the crash that the user saw. Raises UsageError."""
    if index is None:
        return reports[-1]
    found = describe_reports(reports, sift)
    wanted = ".".join(part.strip().lstrip("0") for part in index.removesuffix(ITSELF).split("."))
    for one in found:
        if one.index == wanted:
            return one.report
    lines = [f"  {one.index:<5} {one.text}" for one in found[:_MOST_LISTED]]
    if len(found) > _MOST_LISTED:
        lines.append(f"  ... and {len(found) - _MOST_LISTED} more, to {found[-1].index}")
    count = "one report" if len(reports) == 1 else f"{len(reports)} reports"
    raise UsageError(f"There is no report {index!r}: the text holds {count}.", "\n".join(["Choose one of:", *lines]))


def _within(index: str, report: CrashReport, sift: Callable[[str], str]) -> Iterator[Described]:
    """``report`` and all that is within it."""
    yield Described(index, _text(report, sift), report)
    for back in range(1, len(report.exceptions)):
        earlier = before(report, back)
        yield Described(f"{index}-{back}", _text(earlier, sift), earlier)
    for number, member in enumerate(members(report), 1):
        yield from _within(f"{index}.{number}", member, sift)


def before(report: CrashReport, back: int) -> CrashReport:
    """The chain without its last ``back`` exceptions, which are then around it."""
    for _ in range(back):
        *kept, inner, last = report.exceptions
        whole, rest = _with_callers(inner, last)
        outer = OuterException(last.type, inner.link or "context", rest)
        report = replace(report, exceptions=(*kept, whole), outer=(outer, *report.outer))
    return report


def _with_callers(inner: ReportedException, outer: ReportedException) -> tuple[ReportedException, tuple[ReportedFrame, ...]]:
    """``inner`` with the frames that called the one that caught it; and the frames of ``outer`` where they tell nothing of that."""
    frames = spliced(outer.frames, inner.frames, lambda one, other: (one.path, one.function) == (other.path, other.function))
    return (inner, outer.frames) if frames == inner.frames else (replace(inner, frames=frames), ())


def members(report: CrashReport) -> Iterator[CrashReport]:
    """The members of the groups in a chain, in order."""
    for number, exception in enumerate(report.exceptions):
        back = len(report.exceptions) - 1 - number
        around = before(report, back).outer if back else report.outer
        for member in exception.group:
            whole, rest = _with_callers(member.crash, exception)
            group = OuterException(exception.type, "member", rest)
            yield CrashReport((*member.exceptions[:-1], whole), member.environment or report.environment, (group, *around))


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
