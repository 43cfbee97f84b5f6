"""The database of a batch: what counts once, what comes first, what a kill leaves, and what it refuses."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from crashwright.core.errors import EnvironmentProblem, UsageError
from crashwright.core.report import CrashReport, ReportedException
from crashwright.workflows.batch.answer import Answer, Verdict
from crashwright.workflows.batch.ledger import Ledger, ReportedCrash, ReportSighting

REPORT = CrashReport((ReportedException("ValueError", "x", ()),))
FOUND = Answer(Verdict.REPRODUCED, level=4, text="def test(): ...\n", name="test_x.py")


def crash(name: str, title: str = "a title") -> ReportedCrash:
    return ReportedCrash(name, title, REPORT, "", "app.log", "1", "")


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "batch.sqlite")


def enter(ledger: Ledger, name: str, times: int = 1, changed: float = 0.0, number: int = 1, source: str = "app.log") -> None:
    sightings = [ReportSighting(source, f"report of {name}", one, name) for one in range(1, times + 1)]
    ledger.add([(crash(name, f"{name} at {changed:g}"), changed, number)], sightings)


def test_those_reported_most_come_first_and_of_these_the_last_ones(file: str) -> None:
    ledger = Ledger.open(file)
    enter(ledger, "old", changed=1.0)
    enter(ledger, "new", changed=2.0)
    enter(ledger, "later in the same log", changed=2.0, number=7)
    enter(ledger, "often", times=3)
    assert [one.crash.fingerprint for one in ledger.entries()] == ["often", "later in the same log", "new", "old"]
    assert [one.times for one in ledger.entries()] == [3, 1, 1, 1]
    assert ledger.entries()[0].crash.report == REPORT
    ledger.close()


def test_the_same_text_counts_once_however_often_it_is_read_and_the_newest_report_is_kept(file: str) -> None:
    ledger = Ledger.open(file)
    for _ in range(2):
        enter(ledger, "a", times=2)
    enter(ledger, "a", source="other.log", changed=5.0)
    enter(ledger, "a", source="another.log", changed=4.0)
    [entry] = ledger.entries()
    assert (entry.times, entry.crash.title) == (4, "a at 5")
    ledger.answer("a", FOUND, "test_x.py")
    enter(ledger, "a", source="later.log", changed=9.0)
    [entry] = ledger.entries()
    assert (entry.times, entry.crash.title, entry.answer, entry.written) == (5, "a at 5", FOUND, False)
    ledger.wrote("a")
    ledger.close()
    again = Ledger.open(file)
    assert again.entries()[0].written
    again.close()


def test_what_was_not_reproduced_can_be_forgotten(file: str) -> None:
    ledger = Ledger.open(file)
    for name, verdict in (("a", Verdict.REPRODUCED), ("b", Verdict.NOT_FOUND), ("c", Verdict.NOT_POSSIBLE)):
        enter(ledger, name)
        ledger.answer(name, Answer(verdict), "")
    ledger.forget_failures()
    assert [one.crash.fingerprint for one in ledger.entries() if one.answer is None] == ["b", "c"]
    ledger.close()


def test_a_process_that_is_killed_leaves_what_was_answered_and_frees_the_file(file: str) -> None:
    program = f"""
        import os, signal
        from crashwright.workflows.batch.answer import Answer, Verdict
        from crashwright.workflows.batch.ledger import Ledger, ReportSighting
        from tests_of_the_ledger import crash
        ledger = Ledger.open({file!r})
        ledger.add([(crash(name), 0.0, 1) for name in "ab"], [ReportSighting("x", name, 1, name) for name in "ab"])
        ledger.answer("a", Answer(Verdict.NOT_FOUND, "nothing came near"), "")
        with ledger._database.change() as connection:
            connection.execute("UPDATE crashes SET title = 'half'")
            os.kill(os.getpid(), signal.SIGKILL)
    """
    module = Path(file).with_name("tests_of_the_ledger.py")
    module.write_text(Path(__file__).read_text())
    environment = {**os.environ, "PYTHONPATH": str(module.parent)}
    assert subprocess.run([sys.executable, "-c", textwrap.dedent(program)], env=environment, check=False).returncode == -9
    ledger = Ledger.open(file)
    assert [(one.crash.title, one.answer and one.answer.reason) for one in ledger.entries()] == [
        ("a title", "nothing came near"),
        ("a title", None),
    ]
    ledger.close()


def test_two_batches_on_one_database(file: str) -> None:
    ledger = Ledger.open(file)
    with pytest.raises(UsageError, match="Another batch works with"):
        Ledger.open(file)
    ledger.close()
    Ledger.open(file).close()


def test_a_full_disk_loses_nothing(file: str) -> None:
    ledger = Ledger.open(file)
    enter(ledger, "a")
    (pages,) = ledger._database._connection.execute("PRAGMA page_count").fetchone()
    ledger._database._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(EnvironmentProblem, match="full"):
        ledger.answer("a", Answer(Verdict.REPRODUCED, text="x" * 100_000), "test_x.py")
    ledger.close()
    ledger = Ledger.open(file)
    [entry] = ledger.entries()
    assert entry.answer is None
    ledger.close()


def test_what_is_no_database_of_ours_stays_as_it_is(tmp_path: Path) -> None:
    text, other = tmp_path / "notes.txt", tmp_path / "other.sqlite"
    text.write_text("notes of mine, no database at all, and rather long for a header\n" * 20)
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE mine (x)")
    connection.commit()
    connection.close()
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(UsageError, match="database"):
            Ledger.open(str(path))
        assert path.read_bytes() == before
    with pytest.raises(EnvironmentProblem, match="cannot be written to"):
        Ledger.open(str(tmp_path))
