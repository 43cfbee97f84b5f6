"""Which exception of a report is the crash: every member of a group, and every exception before another, is a candidate.

Taken is the deepest one of the user's own code, for there the bug is: the member and not the group that asyncio raises around it,
what happened in a worker and not what its pool raised again, the cause and not what it was wrapped in. Without any code of the
user's it is the last exception, as a caller sees it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from crashwright.core.report import CrashReport, ReportedException
from crashwright.core.target import belongs
from crashwright.crash.matched_frames import FrameMatcher, MatchedFrame
from crashwright.crash.ownership import is_own, is_test
from crashwright.crash.readers.selection import ITSELF, before, choose_report, describe_reports, members
from crashwright.environment.interpreter import Interpreter

_BY_PYTHON = re.compile(r"(?:async )?generator raised Stop(?:Async)?Iteration|coroutine raised StopIteration")
"""What Python makes of an exception itself: nobody handled that, and the frames of the caller are those of the second one alone."""
_WAYS = {"member": "a member of the group", "cause": "the cause of the", "context": "handled when the next was raised:"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """``report`` is what is to be reproduced, ``index`` chooses it again. ``note`` says that it is not the last exception of the
    report and what is, in words; "" where it is."""

    report: CrashReport
    index: str
    note: str = ""


def choose_crash(
    reports: tuple[CrashReport, ...], index: str | None, interpreter: Interpreter, package: str | None = None
) -> Chosen:
    """The crash of the report that ``index`` names (by default the last one). ``package``: the user's code is this one. Raises
    UsageError where there is no such report."""
    report = choose_report(reports, index)
    described = describe_reports(reports)
    outside = next(one.index for one in described if one.report is report or one.report == report)
    if index is not None and index.strip().endswith(ITSELF):
        return Chosen(report, f"{outside}{ITSELF}")
    found = _deepest(report, _Looker(interpreter, package).is_mine)
    if found is None or found == report:
        return Chosen(report, outside)
    inside = next(one for one in described if one.report == found)
    crash, link = found.crash, found.outer[0].link
    what = f"{crash.type}, {_WAYS[link]} {found.outer[0].type}" if link != "member" else f"{crash.type}, {_WAYS[link]}"
    note = (
        f"taken: {what} (--report-number {inside.index}), the deepest of your own code; "
        f"--report-number {outside}{ITSELF} takes the "
        f"{report.crash.type} itself, explain lists all {len(described)}"
    )
    return Chosen(found, inside.index, note)


class _Looker:
    """Looks for the user's own code in the frames of exceptions."""

    def __init__(self, interpreter: Interpreter, package: str | None) -> None:
        self._matcher = FrameMatcher(interpreter)
        self._package = package

    def is_mine(self, one: ReportedException) -> bool:
        """Whether code of the user's is among its frames."""
        return any(map(self._mine, self._matcher.match_all(one.frames)))

    def _mine(self, one: MatchedFrame) -> bool:
        if self._package is not None:
            return one.frame is not None and belongs(one.module, self._package)
        return one.frame is not None and is_own(one) and not is_test(one)


def _deepest(report: CrashReport, is_mine: Callable[[ReportedException], bool]) -> CrashReport | None:
    """The deepest crash in ``report`` with the user's code in it; None where there is none."""
    last = len(report.exceptions) - 1
    group = len(report.crash.group)
    for member in list(members(report))[-group:] if group else ():
        if (found := _deepest(member, is_mine)) is not None:
            return found
    if last and not _BY_PYTHON.fullmatch(report.crash.message) and _was_wrapped(report.exceptions[-2], report.crash):
        found = _deepest(before(report, 1), is_mine)
        if found is not None:
            return found
    return report if is_mine(report.crash) else None


def _was_wrapped(earlier: ReportedException, later: ReportedException) -> bool:
    """Whether ``later`` was raised because of ``earlier``, on purpose: what goes wrong while an exception is handled is a crash of
    its own."""
    if earlier.link == "cause":
        return True
    return bool(later.frames) and (later.frames[-1].source or "").startswith("raise ")
