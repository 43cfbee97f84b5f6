"""What is asked of every reading of a report: words and advice where it is refused, numbers to choose by where it is not."""

from __future__ import annotations

from crashwright.core.errors import ReportError
from crashwright.core.report import CrashReport, Unknown
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.readers.selection import describe_reports


def read_or_refuse(text: str) -> tuple[CrashReport, ...] | Unknown:
    """The reports in ``text``, or why there are none."""
    refused: ReportError | None = None
    try:
        found = read_reports(text)
    except ReportError as error:
        refused = error
    if refused is not None:
        assert refused.message
        assert refused.advice
        return Unknown(refused.message)
    assert found
    assert all(report.exceptions and report.crash.link is None for report in found)
    assert len({one.index for one in describe_reports(found)}) >= len(found)
    return found
