"""Subjects that take longer at their first call than a test may: they are warmed up, for a crash and for a suite alike."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from command import PROGRAM, TIMEOUT, Place

SUBJECT = '''\
"""Notes in a language of their own."""

_grammar = None
_ready = False


def _compile():
    global _grammar, _ready
    end = 0
    for _ in range(40):  # a third of a second
        end = sum(range(600_000))
    _grammar = {"note": "#", "end": end}
    _ready = True


def work(text: str) -> int:
    """How many notes there are.

    >>> work("one # two")
    1
    """
    if not _ready:
        _compile()
    notes = text.count(_grammar["note"])
    if notes > 2 and text.endswith("#"):
        raise ValueError("too many")
    if text.startswith("-"):
        return 0
    return notes
'''


def test_a_crash_behind_a_slow_first_call_is_found(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.subject(SUBJECT)
    done = place.reproduce("--evaluations", "3000", "--no-cache", "--json")
    assert done.code == 0, done.out + done.err
    result = json.loads(done.out)
    assert result["level"] == 4
    assert done.left_nothing


def test_a_crash_of_the_first_call_alone_is_found_before_the_subject_is_warm(tmp_path: Path) -> None:
    place = Place(tmp_path)
    cold = "    _ready = True\n    if end:\n        raise ValueError('too many')  # cold\n"
    place.subject(SUBJECT.replace("    _ready = True\n", cold), "# cold")
    report = place.report.read_text()
    line = SUBJECT.splitlines().index("        _compile()") + 3
    place.report.write_text(
        report.replace(", in work", ", in _compile").replace(
            '  File "/srv/victim.py"', f'  File "/srv/victim.py", line {line}, in work\n    _compile()\n  File "/srv/victim.py"'
        )
    )
    done = place.reproduce("--evaluations", "3000", "--no-cache", "--json")
    assert done.code == 0, done.out + done.err
    assert json.loads(done.out)["level"] == 4


def test_a_suite_of_a_slow_module_covers_what_runs_once_and_what_runs_after(tmp_path: Path) -> None:
    (tmp_path / "notes.py").write_text(SUBJECT)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "generate", "notes", "--path", str(tmp_path), "--evaluations", "1500", "--json"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [module] = json.loads(done.stdout)["modules"]
    coverage = {one["criterion"]: (one["covered"], one["total"]) for one in module["coverage"]}
    covered, total = coverage["branch"]
    assert covered == total, done.stdout
