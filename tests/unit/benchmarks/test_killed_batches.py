"""A batch that is killed on purpose: when it is, what is told of it, what counts as wrong. The batch is a script of a few lines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks.batches.killed import Told, faults, run_killed
from benchmarks.batches.prepared import Form, prepared
from benchmarks.batches.report import report
from benchmarks.comparison.crashes import Crash

from crashwright.crash.readers.registry import read_reports
from crashwright.workflows.batch.environments import environments

BATCH = """
import json, pathlib, sys, time
done = pathlib.Path("done")
before = done.read_text().split() if done.exists() else []
def crash(name):
    return {"fingerprint": name, "verdict": "reproduced", "title": name, "file": f"test_{name}.py"}
for name in "abcd"[len(before):]:
    print(json.dumps({"event": "Begun"}), file=sys.stderr, flush=True)
    print(json.dumps({"event": "Working"}), file=sys.stderr, flush=True)
    time.sleep(0.05)
    before.append(name)
    done.write_text(" ".join(before))
    print(json.dumps({"event": "Answered", "crash": crash(name)}), file=sys.stderr, flush=True)
print(json.dumps({"crashes": list(map(crash, before))}))
"""
NAMES = {f"crash-{name}": name for name in "abcd"}


def ended(folder: Path) -> tuple[list[Told], dict[str, Any], Path]:
    tests = folder / "tests"
    tests.mkdir()
    for name in "abcd":
        (tests / f"test_{name}.py").write_text("")
    return *run_killed([sys.executable, "-c", BATCH], folder, [1, 3]), tests


def test_a_batch_is_killed_while_it_works_and_goes_on(tmp_path: Path) -> None:
    runs, document, tests = ended(tmp_path)
    assert [(run.killed, len(run.answered), run.left_behind) for run in runs] == [(True, 1, 0), (True, 2, 0), (False, 1, 0)]
    assert sum(run.begun for run in runs) == 6
    assert faults(runs, document, NAMES, tests, 1) == []


def test_what_is_lost_or_done_twice_is_told(tmp_path: Path) -> None:
    runs, document, tests = ended(tmp_path)
    runs[1].answered.append(runs[0].answered[0])
    runs[2].begun += 1
    document["crashes"].pop()
    (tests / "test_b.py").unlink()
    assert faults(runs, document, NAMES, tests, 1) == [
        "crash-d has no answer",
        "3 answers for 4 crashes",
        "a was answered 2 times",
        "d has another answer now",
        "3 were begun again, and only 2 can have been under way",
        "test_b.py is not there",
        "nobody knows test_d.py",
    ]


@pytest.mark.parametrize("form", Form)
def test_reports_and_their_interpreters_belong_together(tmp_path: Path, form: Form) -> None:
    crashes = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "traceback.txt").write_text(
            f'Traceback (most recent call last):\n  File "/srv/{name}.py", line 2, in work\n    go()\nKeyError: 1\n'
        )
        crashes.append(Crash(name, folder, tmp_path / name / "bin" / "python"))
    ready = prepared(form, crashes, tmp_path / "work")
    known = environments((), str(ready.table))
    assert [one.python for one in known] == [str(crash.python) for crash in crashes]
    if form is Form.LOG:
        assert len(read_reports(ready.reports.read_text())) == 2
    assert set(ready.fingerprints) == {"one", "two"}


def test_the_page_compares_the_parts() -> None:
    answers = {"a": {"verdict": "reproduced", "score": 4}, "b": {"verdict": "not found", "score": 0}}
    part = {"answers": answers, "each": 10.0, "jobs": 2, "seed": 1, "commit": "c", "seconds": 20.0, "load": 1.0}
    runs = [{"begun": 2, "answered": 1, "killed": True}, {"begun": 1, "answered": 1, "killed": False}]
    alone = {**part, "answers": {**answers, "b": {"verdict": "reproduced", "score": 4}}}
    figures = {"sets": {"a": "x", "b": "x"}, "folder": {**part, "runs": runs, "faults": []}, "alone": alone}
    text = "\n".join(report(figures, "today", "a machine", "3.11"))
    assert "| batch, one folder | x | 2 | 1 | 0 | 1 | 0 | 0 | 1 |" in text
    assert "each run of the command: 1 and killed, 1; 3 begun in all, for 2 crashes" in text
    assert "agree on whether it is reproduced in 1 of 2 crashes;\n  0 only by the first, 1 only by the second" in text
