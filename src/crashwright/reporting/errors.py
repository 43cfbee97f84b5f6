"""Errors in two lines: what happened, and what to do next."""

from __future__ import annotations

import traceback

from crashwright.core.errors import CrashwrightError, ExitCode

_REPORT = "This is a defect of crashwright, not of your report. Please open an issue with these lines and the traceback above them."


def error_lines(error: CrashwrightError) -> list[str]:
    """The lines for ``error``; one where there is no advice."""
    lines = [f"crashwright: {error.message}"]
    if error.advice:
        lines.append(f"             {error.advice}")
    return lines


def internal_error_lines(error: BaseException) -> list[str]:
    """The lines for an error that is our own: the traceback last, for the bug report."""
    trace = "".join(traceback.format_exception(error)).rstrip().splitlines()
    return [*trace, f"crashwright: internal error ({type(error).__name__}: {error})", f"             {_REPORT}"]


INTERNAL_EXIT_CODE = ExitCode.ENVIRONMENT
"""An internal error says nothing about the crash: for a script it is the machine that is not fit."""
