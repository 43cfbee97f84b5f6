"""The text of a report, from a file or from standard input."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from crashwright.core.errors import ReportError, UsageError
from crashwright.crash.readers.cleaning import decoded


def check_no_option(name: str) -> None:
    """Raise UsageError where what should be a file begins like an option, and is no file: ``-`` alone is standard input."""
    if name.startswith("-") and name != "-" and not os.path.lexists(name):
        raise UsageError(f"Unknown option: {name}.", "crashwright --help lists commands and options.")


def report_text(report: str) -> str:
    """The report's text; bytes that are not UTF-8 are kept visible rather than refused. Raises ReportError, and UsageError for what
    is a misspelt option."""
    check_no_option(report)
    try:
        data = sys.stdin.buffer.read() if report == "-" else Path(report).read_bytes()
    except OSError as error:
        raise ReportError(
            f"{report} cannot be read: {error.strerror}.", "Give a file with a traceback, or - for standard input."
        ) from None
    return decoded(data)
