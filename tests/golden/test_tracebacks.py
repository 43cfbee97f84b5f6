"""Each ``tracebacks/NAME.txt`` reads as ``tracebacks/NAME.json`` says."""

import json
from pathlib import Path

import pytest

from crashwright.core.codec import from_json, to_json
from crashwright.core.report import CrashReport
from crashwright.crash.readers.registry import read_reports

CASES = sorted((Path(__file__).parent / "tracebacks").glob("*.txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_reads_as_recorded(case: Path) -> None:
    reports = read_reports(case.read_text(encoding="utf-8"))
    recorded = json.loads(case.with_suffix(".json").read_text(encoding="utf-8"))
    assert tuple(from_json(CrashReport, one) for one in recorded) == reports
    assert tuple(from_json(CrashReport, one) for one in to_json(reports)) == reports
