"""Rows are kept, whatever happens to who made them."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.comparison.provenance import Invocation, invocation
from benchmarks.comparison.record_file import Record, load, save
from benchmarks.comparison.store import Store
from comparison_rows import row

ROOT = Path(__file__).parents[3]
KILLED = """
import os, signal, sys
from pathlib import Path
from comparison_rows import row
from benchmarks.comparison.store import Store
store = Store(Path(sys.argv[1]))
for seed in range(1, 6):
    store.add(row("crash", "random", seed, seed))
os.kill(os.getpid(), signal.SIGKILL)
"""
RUN = Invocation("2026-01-01", "python -m x", "c", "a machine", "3.11", 2)


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    rows = [row("crash", "random", 1, None), row("crash", "ordered+bbc", 1, 7), row("crash", "random", 1, 3, commit="d")]
    store = Store(tmp_path / "deep" / "rows.sqlite")
    for one in rows:
        store.add(one)
    store.note(RUN)
    store.close()
    again = Store(tmp_path / "deep" / "rows.sqlite")
    assert again.rows() == rows
    assert again.rows("c", 1000) == rows[:2]
    assert again.rows("c", 2000) == []
    assert again.get(rows[1].key) == rows[1]
    assert again.get(replace(rows[1].key, seed=2)) is None
    assert again.invocations("c") == [RUN]
    assert again.invocations("d") == []


def test_a_killed_script_loses_no_row(tmp_path: Path) -> None:
    file = tmp_path / "rows.sqlite"
    path = f"{ROOT}:{Path(__file__).parent}"
    done = subprocess.run([sys.executable, "-c", KILLED, str(file)], env={"PYTHONPATH": path}, check=False)
    assert done.returncode == -signal.SIGKILL
    assert [one.success for one in Store(file).rows()] == [1, 2, 3, 4, 5]


def test_failed_runs_can_be_forgotten(tmp_path: Path) -> None:
    store = Store(tmp_path / "rows.sqlite")
    failed = row("crash", "random", 1, None, ended="failed")
    for one in (failed, replace(failed, key=replace(failed.key, commit="d")), row("crash", "random", 2, None)):
        store.add(one)
    store.forget_failed("c")
    assert [one.key.seed for one in store.rows("c")] == [2]
    assert len(Store(tmp_path / "rows.sqlite").rows()) == 2


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
