"""The file behind the tables, and the command that gave it."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.comparison.provenance import Invocation, invocation
from benchmarks.comparison.record_file import Record, load, save
from comparison_rows import row

RUN = Invocation("2026-01-01", "python -m x", "c", "a machine", "3.11", 2)


def test_the_json_file_says_it_all(tmp_path: Path) -> None:
    rows = (row("crash", "random", 1, None), row("crash", "random", 2, 9))
    record = Record(rows, ("random",), 2, 1000, 60.0, "c", {"crash": "drawn"}, {"other": "slow"}, (RUN,))
    save(record, tmp_path / "comparison.json")
    assert load(tmp_path / "comparison.json") == record
    (tmp_path / "other.json").write_text('{"fields": ["crash"], "runs": []}')
    with pytest.raises(ValueError, match="does not have the fields"):
        load(tmp_path / "other.json")


def test_the_command_is_told_without_paths_of_this_machine() -> None:
    one = invocation(["--pack", "/home/me/pack", "--jobs", "2"], {"/home/me/pack": "PACK"}, "c", 2)
    assert one.command == "python -m benchmarks.comparison --pack PACK --jobs 2"
