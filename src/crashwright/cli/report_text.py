"""The text of a report, from a file, from standard input, or from an address where that is allowed."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from crashwright.core.errors import ReportError, UsageError
from crashwright.crash.readers.cleaning import decoded
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.workflows.hunting.choices import FETCH


def check_no_option(name: str) -> None:
    """Raise UsageError where what should be a file begins like an option, and is no file: ``-`` alone is standard input."""
    if name.startswith("-") and name != "-" and not os.path.lexists(name):
        raise UsageError(f"Unknown option: {name}.", "crashwright --help lists commands and options.")


def report_text(report: str, allow: Sequence[str] = ()) -> str:
    """The report's text; bytes that are not UTF-8 are kept visible rather than refused. An address is asked where ``allow`` has
    fetch. Raises ReportError, UsageError for what is a misspelt option, and EnvironmentProblem."""
    check_no_option(report)
    if _is_address(report):
        return _fetched(report, allow)
    try:
        data = sys.stdin.buffer.read() if report == "-" else Path(report).read_bytes()
    except OSError as error:
        raise ReportError(
            f"{report} cannot be read: {error.strerror}.", "Give a file with a traceback, or - for standard input."
        ) from None
    return decoded(data)


def report_name(report: str) -> str:
    """What it is called in files and in what is shown: an address may have a token in it."""
    return SecretFilter().text(report) if _is_address(report) else report


def _is_address(report: str) -> bool:
    return re.match(r"(?i)https?://", report) is not None


def _fetched(address: str, allow: Sequence[str]) -> str:
    if FETCH not in allow:
        raise UsageError(
            "The report is at an address, and fetching it is not allowed.",
            "Add --allow fetch: crashwright fetches it with one request, and the package still has no network.",
        )
    # Files do not need what speaks to servers.
    from crashwright.workflows.web.report_page import fetched_report

    return fetched_report(address, os.environ, time.monotonic)
