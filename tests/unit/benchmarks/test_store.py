"""Rows are kept, whatever happens to who made them."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.comparison.provenance import Invocation
from benchmarks.comparison.runs import FORM
from benchmarks.flags import runs as flags
from benchmarks.flags.census import Census
from benchmarks.store import Form, Store
from benchmarks.suites import runs as suites
from benchmarks.wild import runs as wild
from comparison_rows import row
from suite_rows import row as suite_row

ROOT = Path(__file__).parents[3]
KILLED = """
import os, signal, sys
from pathlib import Path
from comparison_rows import row
from benchmarks.comparison.runs import FORM
from benchmarks.store import Store
store = Store(Path(sys.argv[1]), FORM)
for seed in range(1, 6):
    store.add(row("crash", "random", seed, seed))
os.kill(os.getpid(), signal.SIGKILL)
"""
RUN = Invocation("2026-01-01", "python -m x", "c", "a machine", "3.11", 2)


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    rows = [row("crash", "random", 1, None), row("crash", "ordered+bbc", 1, 7), row("crash", "random", 1, 3, commit="d")]
    store = Store(tmp_path / "deep" / "rows.sqlite", FORM)
    for one in rows:
        store.add(one)
    store.note(RUN)
    store.close()
    again = Store(tmp_path / "deep" / "rows.sqlite", FORM)
    assert again.rows() == rows
    assert again.rows(commit="c", evaluations=1000) == rows[:2]
    assert again.rows(commit="c", evaluations=2000) == []
    assert again.get(rows[1].key) == rows[1]
    assert again.get(replace(rows[1].key, seed=2)) is None
    assert again.invocations("c") == [RUN]
    assert again.invocations("d") == []


def test_a_killed_script_loses_no_row(tmp_path: Path) -> None:
    file = tmp_path / "rows.sqlite"
    path = f"{ROOT}:{Path(__file__).parent}"
    done = subprocess.run([sys.executable, "-c", KILLED, str(file)], env={"PYTHONPATH": path}, check=False)
    assert done.returncode == -signal.SIGKILL
    assert [one.success for one in Store(file, FORM).rows()] == [1, 2, 3, 4, 5]


def test_rows_can_be_forgotten(tmp_path: Path) -> None:
    store = Store(tmp_path / "rows.sqlite", FORM)
    failed = row("crash", "random", 1, None, ended="failed")
    for one in (failed, replace(failed, key=replace(failed.key, commit="d")), row("crash", "random", 2, None)):
        store.add(one)
    store.forget(one for one in store.rows(commit="c") if one.ended == "failed")
    assert [one.key.seed for one in store.rows(commit="c")] == [2]
    assert len(Store(tmp_path / "rows.sqlite", FORM).rows()) == 2


FLAGGED = flags.Row(flags.Key("m", "f", True, 1, 1000, "dynamosa", "c"), 3, 4, 900, 1.5, 1.25, "budget")
CENSUS = flags.CensusRow(flags.CensusKey("m", "c"), Census(("f", "g"), ("f",)))
FORMS = [
    (FORM, row("crash", "random", 1, None), ""),
    (suites.FORM, suite_row("m", "a", 1, 10), "coverage curve"),
    (flags.FORM, FLAGGED, ""),
    (flags.CENSUSES, CENSUS, "found"),
    (
        wild.FORM,
        wild.Row(wild.Key("p", "generate", 0.0, 1, "c", None), "p", 0, 1.0, 0.5, 0.0, 1.0, None, "", (), ("x",)),
        "running written",
    ),
]


@pytest.mark.parametrize(("form", "made", "as_json"), FORMS, ids=lambda one: getattr(one, "table", ""))
def test_every_experiment_reads_what_it_wrote(tmp_path: Path, form: Form, made, as_json: str) -> None:
    for _ in range(2):
        store = Store(tmp_path / "rows.sqlite", form)
        store.add(made)
        store.close()
    assert sqlite3.connect(tmp_path / "rows.sqlite").execute(f"SELECT count(*) FROM {form.table}").fetchone() == (1,)
    again = Store(tmp_path / "rows.sqlite", form).get(made.key)
    assert repr(again) == repr(made)
    written = dict(zip(form.fields, form.flat(made), strict=True))
    assert [name for name in as_json.split() if not isinstance(written[name], str)] == []


def test_a_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "rows.sqlite") as file:
        columns = 'module, function, flags, seed, evaluations, algorithm, "commit"'
        rest = "covered, total, used, seconds, cpu, ended, note"
        file.execute(f"CREATE TABLE runs ({columns}, {rest}, PRIMARY KEY ({columns}))")
        file.execute("INSERT INTO runs VALUES ('m', 'f', 1, 1, 1000, 'dynamosa', 'c', 3, 4, 900, 1.5, 1.25, 'budget', '')")
        file.execute("CREATE TABLE censuses (module, program, found, PRIMARY KEY (module, program))")
        file.execute("""INSERT INTO censuses VALUES ('m', 'c', '[["f", "g"], ["f"], ""]')""")
    assert repr(Store(tmp_path / "rows.sqlite", flags.FORM).rows()) == repr([FLAGGED])
    assert Store(tmp_path / "rows.sqlite", flags.CENSUSES).rows() == [CENSUS]
