"""The text of a report, from a file or from standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from crashwright.core.errors import ReportError
from crashwright.crash.readers.cleaning import decoded


def report_text(report: str) -> str:
    """The report's text; bytes that are not UTF-8 are kept visible rather than refused. Raises ReportError."""
    try:
        data = sys.stdin.buffer.read() if report == "-" else Path(report).read_bytes()
    except OSError as error:
        raise ReportError(
            f"{report} cannot be read: {error.strerror}.", "Give a file with a traceback, or - for standard input."
        ) from None
    return decoded(data)
