"""Generated suites of small modules hold what somebody would keep, counted from the printed files."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.suites.upkeep import upkeep
from patience import HANG
from warm_program import run_program

SUBJECTS = Path(__file__).parent / "suite_subjects"
MODULES = (
    "order_states",
    *(pytest.param(name, marks=pytest.mark.nightly) for name in ("parcel_prices", "settings_text", "feed_pages")),
)
EVALUATIONS = 1500
MOST_TESTS = 0.7
"""A branch."""


@pytest.mark.parametrize("module", MODULES)
def test_suites_hold_what_somebody_would_keep(module: str, tmp_path: Path) -> None:
    command = ["generate", module, "--path", str(SUBJECTS), "--output", str(tmp_path), "--evaluations", str(EVALUATIONS)]
    run = run_program(command, tmp_path, HANG)
    assert run.returncode == 0, run.stdout + run.stderr
    tests = (tmp_path / f"test_{module}.py").read_text(encoding="utf-8")
    found = upkeep((SUBJECTS / f"{module}.py").read_text(encoding="utf-8"), tests)
    assert found.cases >= 8, found.text
    assert (found.accidents, found.silent, found.numbered, found.garbled, found.duplicates) == (0, 0, 0, 0, 0), found.text
    assert found.tests <= MOST_TESTS * found.branches, found.text
