"""The diagnosis of ``crashwright doctor`` as lines of text, and as a JSON document."""

from __future__ import annotations

from typing import Any

from crashwright.core.codec import to_json
from crashwright.core.errors import ExitCode
from crashwright.reporting.json_result import SCHEMA_VERSION
from crashwright.workflows.inquiries.doctor import Diagnosis

DOCTOR_VERDICTS = {ExitCode.SUCCESS: "fit", ExitCode.ENVIRONMENT: "not fit"}
_MARKS = {"ok": "ok  ", "limited": "--  ", "failed": "NO  "}


def doctor_lines(diagnosis: Diagnosis) -> list[str]:
    """One line for each check, and a verdict."""
    lines = [f"{_MARKS[check.verdict]}{check.name:<13}{check.text}" for check in diagnosis.checks]
    failed = [check.name for check in diagnosis.checks if check.verdict == "failed"]
    lines.append(f"Not fit for a search: {', '.join(failed)}." if failed else "Fit for a search.")
    return lines


def doctor_document(diagnosis: Diagnosis) -> dict[str, Any]:
    """The diagnosis as JSON values."""
    code = diagnosis.exit_code
    return {"schema": SCHEMA_VERSION, "verdict": DOCTOR_VERDICTS[code], "exit_code": int(code), **to_json(diagnosis)}
