"""Errors in two lines, what happened and what to do next, or as a JSON document; defects of ours in one line and a file."""

from __future__ import annotations

import json
from collections.abc import Sequence

from crashwright.core.errors import CrashwrightError, EngineFailure, ExitCode
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.reporting.defect import defect
from crashwright.reporting.json_result import error_document


def error_lines(error: Exception, arguments: Sequence[str]) -> tuple[list[str], ExitCode]:
    """The lines for ``error``, one where there is no advice, and the exit code. ``arguments`` are those of the command."""
    if not isinstance(error, CrashwrightError) or isinstance(error, EngineFailure):
        return defect(error, arguments).lines(), ExitCode.INTERNAL
    sift = SecretFilter().text
    advice = [f"             {sift(error.advice)}"] if error.advice else []
    return [f"crashwright: {sift(error.message)}", *advice], error.exit_code


def error_json(error: Exception, arguments: Sequence[str]) -> tuple[str, ExitCode]:
    """The document for ``error``, and the exit code."""
    if not isinstance(error, CrashwrightError) or isinstance(error, EngineFailure):
        ours, code = defect(error, arguments), ExitCode.INTERNAL
        held = "" if ours.file else ours.text
        document = error_document(code, ours.message, f"Please report it with {ours.where}.", ours.file, held)
    else:
        code = error.exit_code
        sift = SecretFilter().text
        document = error_document(code, sift(error.message), sift(error.advice))
    return json.dumps(document, indent=2), code
