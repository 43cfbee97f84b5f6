"""The table of the crash pack: halves apart, and nothing counted that was not compared."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import asdict
from pathlib import Path

from benchmarks.pack.__main__ import main
from benchmarks.pack.board import Row, markdown, standings

ROW = Row("tool", "1.0", 60.0, "shelves-empty", "look", 1, 4, 2, 2, True, 3.0)
ROWS = [
    ROW,
    dataclasses.replace(ROW, seed=2, agrees=False, seconds=5.0),
    dataclasses.replace(ROW, case="bolts-none", agrees=None),
    dataclasses.replace(ROW, case="nuts-zero", score=3, agrees=None, seconds=70.0, problem="late"),
    dataclasses.replace(ROW, case="hidden", half="judge", score=0, agrees=None),
]


def test_halves_stand_apart_and_partial_is_not_reproduced() -> None:
    look, judge = standings(ROWS)
    assert (look.half, look.cases, look.seeds, look.runs, look.reproduced, look.failed) == ("look", 3, 2, 4, 3, 1)
    assert (judge.half, judge.runs, judge.reproduced) == ("judge", 1, 0)


def test_only_what_has_a_fix_is_compared_with_it() -> None:
    look, judge = standings(ROWS)
    assert (look.fixable, look.agree) == (2, 1)
    assert "none to compare" in markdown(ROWS).splitlines()[-1]
    assert judge.fixable == 0


def test_versions_and_budgets_of_a_tool_are_lines_of_their_own() -> None:
    assert len(standings([ROW, dataclasses.replace(ROW, version="1.1"), dataclasses.replace(ROW, budget=30.0)])) == 3


def test_the_command_writes_both_forms(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(asdict(row)) + "\n" for row in ROWS))
    assert main(["table", str(rows), "--output", str(tmp_path)]) == 0
    assert json.loads((tmp_path / "leaderboard.json").read_text())["standings"][0]["reproduced"] == 3
    assert "3 of 4 (75 %)" in (tmp_path / "leaderboard.md").read_text()
