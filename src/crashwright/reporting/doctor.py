"""The diagnosis of ``crashwright doctor`` as lines of text."""

from __future__ import annotations

from crashwright.workflows.inquiries.doctor import Diagnosis

_MARKS = {"ok": "ok  ", "limited": "--  ", "failed": "NO  "}


def doctor_lines(diagnosis: Diagnosis) -> list[str]:
    """One line for each check, and a verdict."""
    lines = [f"{_MARKS[check.verdict]}{check.name:<13}{check.text}" for check in diagnosis.checks]
    failed = [check.name for check in diagnosis.checks if check.verdict == "failed"]
    lines.append(f"Not fit for a search: {', '.join(failed)}." if failed else "Fit for a search.")
    return lines
