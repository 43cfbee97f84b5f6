"""The columns of paper 002."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.usefulness import (
    Run,
    buggy_frame,
    main,
    package_frames,
    read_runs,
    run_of_document,
    run_of_line,
    totals,
    usefulness,
)

from crashwright.core.report import ReportedFrame

TRACEBACK = """\
Traceback (most recent call last):
  File "/home/app/run.py", line 3, in <module>
    reserve("bolt")
  File "/home/app/venv/lib/python3.11/site-packages/shop/stock.py", line 30, in reserve
    return take(name)
  File "/home/app/venv/lib/python3.11/site-packages/shop/shelf.py", line 12, in take
    return slots[find(name)]
IndexError: list index out of range
"""
FACTS = {
    "id": "shop-empty",
    "import_name": "shop",
    "buggy_frame": {"file": "shop/stock.py", "function": "Stock.reserve", "line": 30},
}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack" / "shop-empty"
    folder.mkdir(parents=True)
    (folder / "traceback.txt").write_text(TRACEBACK)
    (folder / "crash.json").write_text(json.dumps(FACTS))
    return folder.parent


def run(level: int, frames: int, legality: str = "legal", seconds: float = 4.0, target: int = 3) -> Run:
    return Run("shop-empty", 1, level, frames, target, legality, seconds)


@pytest.mark.parametrize(
    ("runs", "buggy", "useful", "reached", "full"),
    [
        ([run(4, 3)], 2, True, True, True),
        ([run(1, 2)], 2, True, True, False),
        ([run(2, 1)], 2, False, False, False),
        ([run(4, 3, "private name _x")], 1, False, True, True),
        ([run(4, 3, "")], 1, None, True, True),  # nobody said whether it is legal
        ([run(4, 3)], None, None, None, True),
        ([run(4, 3, "not legal")], None, False, None, True),
        ([run(0, 0)], 1, False, False, False),
        ([run(0, 3)], None, False, None, False),
        ([run(0, 0), run(4, 3)], 3, True, True, True),
        ([run(3, 1)], 2, True, True, True),  # a recursion of another depth
    ],
)
def test_usefulness(runs: list[Run], buggy: int | None, useful: bool | None, reached: bool | None, full: bool) -> None:
    row = usefulness(runs, 3, buggy)
    assert (row.useful, row.reached, row.full) == (useful, reached, full)


def test_best_run_and_mean_time_of_those_that_exploit() -> None:
    row = usefulness([run(1, 1, seconds=2), run(2, 2, seconds=4), run(0, 0, seconds=60)], 3, 1)
    assert (row.reproduced, row.level, row.runs, row.exploited, row.seconds) == (2, 2, 3, 2, 3.0)


def test_target_below_the_outermost_frame_is_not_the_whole_report() -> None:
    row = usefulness([run(4, 2, target=2)], 3, 1)
    assert (row.reproduced, row.target, row.total, row.full) == (2, 2, 3, False)


def test_frames_of_the_package_innermost_first(pack: Path) -> None:
    frames = package_frames(pack / "shop-empty")
    assert [(frame.function, frame.line) for frame in frames] == [("take", 12), ("reserve", 30)]


@pytest.mark.parametrize(
    ("buggy", "number"),
    [
        (None, None),
        ({"file": "shop/stock.py", "function": "Stock.reserve", "line": 30}, 3),
        ({"file": "shop/stock.py", "function": "reserve", "line": 41}, 2),  # another line: the innermost of that function
        ({"file": "shop/stock.py", "function": "reserve", "line": None}, 2),
        ({"file": "shop/stock.py", "function": "reserve", "line": 30, "in_trace": False}, None),
        ({"file": "shop/other.py", "function": "reserve", "line": 30}, None),
    ],
)
def test_number_of_the_buggy_frame(buggy: dict[str, Any] | None, number: int | None) -> None:
    places = [("shelf.py", 12, "take"), ("stock.py", 31, "reserve"), ("stock.py", 30, "reserve")]
    frames = [ReportedFrame(f"/lib/site-packages/shop/{file}", line, function) for file, line, function in places]
    assert buggy_frame(frames, buggy) == number


def test_runs_of_a_judge_and_of_the_command_itself() -> None:
    said = "minimised  3 statements      verified 3 of 3 fresh runs      arguments: legal\n"
    line = {"id": "shop-empty", "seed": 2, "score": 4, "frames": 2, "total": 2, "wall": 3.5, "stdout": said}
    assert run_of_line(line) == Run("shop-empty", 2, 4, 2, 2, "legal", 3.5)
    assert run_of_line({"id": "shop-empty", "error": "venv"}) == Run("shop-empty", 1, 0, 0, 0, "", 0.0)
    test = {"level": 2, "frames": 1, "legality": "private name _x"}
    document = {"test": test, "frames_total": 2, "timing": {"total": 1.5}}
    assert run_of_document("shop-empty", 3, document) == Run("shop-empty", 3, 2, 1, 2, "private name _x", 1.5)
    error = {"verdict": "environment", "error": {"message": "not installed"}}
    assert run_of_document("shop-empty", 1, error) == Run("shop-empty", 1, 0, 0, 0, "", 0.0)


def test_documents_by_the_names_of_their_files(pack: Path, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name in ("shop-empty", "shop-empty-7", "other-1"):
        (folder / f"{name}.json").write_text(json.dumps({"test": None}))
    assert [(one.crash, one.seed) for one in read_runs(folder, ["shop-empty"])] == [("shop-empty", 7), ("shop-empty", 1)]


def test_table_and_totals(pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        {"id": "shop-empty", "seed": 1, "score": 4, "frames": 2, "total": 2, "wall": 3.0, "stdout": "x  arguments: legal\n"},
        {"id": "shop-empty", "seed": 2, "score": 0, "frames": 0, "total": 2, "wall": 60.0, "stdout": ""},
        {"id": "elsewhere", "seed": 1, "score": 4},
    ]
    (tmp_path / "runs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    main(["--pack", str(pack), "--output", str(tmp_path), str(tmp_path / "runs.jsonl")])
    printed = capsys.readouterr().out
    assert (tmp_path / "usefulness.md").read_text() == printed
    assert "| shop-empty | 2 / 2 / 2 | 2: reached | legal | useful | 4 | 1 of 2 | 3.0 |" in printed
    assert "Of 1 crashes 1 (100.0%) are exploited, 1 (100.0%) usefully" in printed
    saved = json.loads((tmp_path / "usefulness.json").read_text())
    assert saved["totals"] == totals([usefulness([run(4, 2, seconds=3.0, target=2), run(0, 0)], 2, 2)])
    assert saved["crashes"][0]["useful"] is True
