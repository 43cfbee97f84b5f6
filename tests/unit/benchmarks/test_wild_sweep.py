"""The sweep without a network: what is drawn, what is listed, what counts as not as asked, and what is kept."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.wild import listing
from benchmarks.wild.__main__ import kept
from benchmarks.wild.homes import Home
from benchmarks.wild.judging import complaints, deadline, outcome
from benchmarks.wild.leftovers import MARK, left_running, snapshot
from benchmarks.wild.packages import drawn, names
from benchmarks.wild.report import Sweep, report, save
from benchmarks.wild.runs import Key, Row, command_line, latest
from benchmarks.wild.wrong_calls import Ware, drawn_call

KEY = Key("shelves", "reproduce", 5.0, 1, "c")
ROW = Row(KEY, "shelves.take(None)", 0, 4.2, 3.0, 0.5, 1.2, 510.0, "wrote test_it.py")


def of(command: str, **changes: object) -> Row:
    """A run of the other command, or one that came out otherwise."""
    return dataclasses.replace(ROW, key=dataclasses.replace(KEY, command=command), **changes)  # type: ignore[arg-type]


def test_the_draw_is_the_whole_list_in_an_order_that_the_seed_decides() -> None:
    assert sorted(drawn(1)) == sorted(names())
    assert drawn(1) == drawn(1) != drawn(2)
    assert len(names()) == len({name.lower().replace("_", "-") for name in names()}) >= 220


MODULE = '''
"""A module with a bit of everything."""
import asyncio
from os.path import join

def take(shelf, /, count, *, strict): ...
def _hidden(one): ...
async def later(one): ...

class Shelf:
    def add(self, bolt, where=None): ...
    def _find(self): ...

class Box:
    def __init__(self, size): ...
    def open(self): ...
'''


def test_only_what_a_user_may_call_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "listed_shelves.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    assert listing.callables("listed_shelves") == [
        ("Box", 1, []),
        ("Shelf", 0, []),
        ("Shelf().add", 2, []),
        ("take", 2, ["strict"]),
    ]


def test_modules_are_found_without_an_import() -> None:
    found = listing.modules("pytest")
    assert "pytest" in found
    assert not [name for name in found if name.startswith("_") or ".test" in name]


def test_a_call_names_the_function_and_what_it_must_have() -> None:
    calls = [drawn_call("shelves", [["take", 2, ["strict"]]], random.Random(seed)) for seed in range(20)]
    assert all(call.startswith("shelves.take(") and "strict=" in call for call in calls)
    assert len(set(calls)) > 15
    for call in calls:
        compile(call, "<call>", "eval")


def test_outcomes_are_those_of_the_exit_codes() -> None:
    assert outcome(ROW) == "reproduced"
    assert outcome(dataclasses.replace(ROW, code=4)) == "partial"
    assert outcome(of("generate", code=0)) == "written"
    assert outcome(of("generate", code=3)) == "refused"
    assert outcome(dataclasses.replace(ROW, code=None)) == "hung"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"code": 70}, "internal"),
        ({"code": 3, "output": "crashwright: the engine failed: KeyError: 3"}, "internal"),
        ({"code": 1, "output": "search\nTraceback (most recent call last):\n  File"}, "internal"),
        ({"code": 139}, "exit 139"),
        ({"running": ("sleep 60",)}, "left running: sleep 60"),
        ({"written": ("/home/me/.cache/x",)}, "written: /home/me/.cache/x"),
        ({"seconds": 6.1}, "late: 6.1 s of 6.0 s allowed"),
    ],
)
def test_what_is_not_as_asked_is_said(changes: dict[str, object], words: str) -> None:
    assert complaints(ROW) == ()
    assert complaints(dataclasses.replace(ROW, **changes)) == (words,)  # type: ignore[arg-type]


def test_a_suite_may_take_half_as_long_again_and_its_start() -> None:
    assert deadline(of("generate")) == 8.0


def test_where_tests_are_counted_there_is_no_deadline(tmp_path: Path) -> None:
    counted = dataclasses.replace(ROW, key=dataclasses.replace(KEY, evaluations=100), seconds=500.0)
    assert complaints(counted) == ()
    words = command_line(counted.key, Ware("shelves"), Home("shelves", tmp_path), tmp_path)
    assert words[words.index("--evaluations") + 1] == "100"
    assert "--budget" not in words


def test_a_process_with_the_mark_is_found_and_ended() -> None:
    token = f"test-{os.getpid()}"
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], env={**os.environ, MARK: token})
    try:
        assert "time.sleep(60)" in " ".join(left_running(token))
        assert child.wait(5) == -9
        assert left_running(token) == ()
    finally:
        child.kill()


def test_files_made_changed_and_removed_are_seen(tmp_path: Path) -> None:
    for name in ("kept", "changed", "removed"):
        (tmp_path / name).write_text("1")
    (tmp_path / "__pycache__").mkdir()
    before = snapshot(tmp_path)
    (tmp_path / "__pycache__" / "x.pyc").write_text("")
    (tmp_path / "changed").write_text("22")
    (tmp_path / "removed").unlink()
    (tmp_path / "made").mkdir()
    changes = before.changes(snapshot(tmp_path))
    assert changes == tuple(str(tmp_path / name) for name in ("changed", "made", "removed"))


def test_commands_are_those_that_a_user_types(tmp_path: Path) -> None:
    home = Home("shelves", tmp_path)
    ware = Ware("shelves", "shelves.api", "shelves.take(None)", "Traceback ...")
    words = command_line(KEY, ware, home, tmp_path)
    assert words[:2] == ["reproduce", str(tmp_path / "report.txt")]
    assert "--no-cache" in words
    assert (tmp_path / "report.txt").read_text() == "Traceback ..."
    assert command_line(of("generate").key, ware, home, tmp_path)[:2] == ["generate", "shelves.api"]


def test_rows_outlive_the_script_and_the_latest_counts(tmp_path: Path) -> None:
    store = kept(tmp_path)
    later = dataclasses.replace(ROW, key=dataclasses.replace(KEY, commit="d"), code=4, written=("x",))
    store.add(ROW)
    store.add(later)
    again = kept(tmp_path)
    assert again.get(KEY) == ROW
    assert latest(again.rows()) == [later]
    again.add(ROW)  # made again, its key without evaluations: in place of the first
    assert kept(tmp_path).rows() == [later, ROW]
    assert [row.code for row in again.rows(package="shelves", command="reproduce")] == [4, 0]
    assert again.rows(package="shelves", command="generate") == []


def test_rows_of_earlier_sweeps_are_still_read(tmp_path: Path) -> None:
    line = json.dumps(dataclasses.asdict(ROW))
    (tmp_path / "rows.jsonl").write_text(line.replace('"cpu": 3.0, ', ""))
    for _ in range(2):
        store = kept(tmp_path)
        assert store.rows() == [dataclasses.replace(ROW, cpu=0.0)]
    store.add(ROW)
    assert kept(tmp_path).rows() == [ROW]


def test_the_report_names_what_is_not_as_asked(tmp_path: Path) -> None:
    wrong = of("generate", code=70, output="first\ncrashwright: an internal error")
    before = dataclasses.replace(ROW, code=None)
    late = dataclasses.replace(ROW, key=dataclasses.replace(KEY, package="boxes"), seconds=6.5)
    sweep = Sweep((ROW, wrong, late), {"elsewhere": "does not install"}, 1, (before,))
    text = report(sweep)
    assert "| reproduce | 2 | reproduced 2 | 0 | 1 | 0 |" in text
    assert "| generate | 1 | internal 1 | 1 | 0 | 0 |" in text
    assert "- shelves generate `shelves.take(None)` (c): internal;" in text
    assert "- shelves reproduce `shelves.take(None)` (c): hung;" in text
    assert "- boxes reproduce 6.5 of 6.0, 3.0 (c)" in text
    assert "last line: `crashwright: an internal error`" in text
    assert "1 (does not install)" in text
    save(tmp_path / "wild.json", sweep)
    assert len(json.loads((tmp_path / "wild.json").read_text())["runs"]) == 4
