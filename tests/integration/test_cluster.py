"""`crashwright batch --cluster` with a real scheduler and workers in processes of their own: one has different source code, one is
killed at work, then the batch, then the scheduler."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pytest
from cluster_processes import Processes, cluster
from command import MARK, PROGRAM, Place, marked

from crashwright.workflows.batch.ledger import Ledger

pytestmark = [pytest.mark.nightly, pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is in the test extra")]

SUBJECT = """
import os, time

while os.path.exists({gate!r}):
    time.sleep(0.05)

def work(text):
    if text == "word {number}":
        raise ValueError("too many")
    return text
"""
MANY = 2
TIMEOUT = 60.0


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    one = Place(tmp_path_factory.mktemp("cluster"))
    (one.root / "reports").mkdir()
    for number in range(MANY):
        one.subject(SUBJECT.format(gate=str(one.root / "gate"), number=number), name=f"victim{number}")
        (one.root / "reports" / f"{number}.txt").write_text(one.report.read_text())
    return one


@pytest.fixture(scope="module")
def processes(place: Place) -> Iterator[Processes]:
    other = place.root / "other"
    other.mkdir()
    (other / "victim1.py").write_text("# of another version\n")
    with cluster(place.root, 0, TMPDIR=str(place.temporary)) as started:
        started.add_worker(PYTHONPATH=str(other))
        yield started


def bare(place: Place) -> str:
    """An interpreter without packages, which is soon compared."""
    python = place.root / "bare" / "bin" / "python"
    if not python.exists():
        python.parent.mkdir(parents=True)
        (place.root / "bare" / "pyvenv.cfg").write_text(f"home = {os.path.dirname(os.path.realpath(sys.executable))}\n")
        python.symlink_to(os.path.realpath(sys.executable))
    return str(python)


class Batch:
    """The command, running."""

    def __init__(self, place: Place, address: str, database: str = "batch.sqlite") -> None:
        self.database = str(place.work / database)
        words = [
            "batch",
            str(place.root / "reports"),
            "--path",
            str(place.code),
            "--budget-each",
            "40",
            "--json",
            "--python",
            bare(place),
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *words, "--database", self.database, "--cluster", address],
            cwd=place.work,
            env={**os.environ, "TMPDIR": str(place.temporary)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def until(self, event: str, times: int = 1) -> list[dict[str, Any]]:
        """What it tells until it has told ``event`` so often; a line that is none of its own fails."""
        assert self.process.stderr is not None
        told: list[dict[str, Any]] = []
        while sum(one["event"] == event for one in told) < times and (line := self.process.stderr.readline()):
            told.append(json.loads(line))
        return told

    def finished(self) -> tuple[dict[str, Any], str]:
        """Its document, and what it has said meanwhile."""
        out, err = self.process.communicate(timeout=TIMEOUT)
        assert out, err
        document: dict[str, Any] = json.loads(out)
        assert self.process.returncode == document["exit_code"]
        return document, err

    def answered(self) -> list[bool]:
        """Whether each crash has an answer, in its database."""
        ledger = Ledger.open(self.database)
        try:
            return sorted(one.answer is not None for one in ledger.entries())
        finally:
            ledger.close()


def test_a_worker_with_other_sources_gets_no_work(place: Place, processes: Processes) -> None:
    batch = Batch(place, processes.address)
    result, err = batch.finished()
    assert (result["exit_code"], result["counts"]["not tried"]) == (3, MANY), err
    [told] = [line["text"] for line in map(json.loads, err.splitlines()) if line["event"] == "BatchTold"]
    [note] = result["notes"]
    for text in (told, note):
        assert text.startswith("Worker tcp://127.0.0.1:")
        assert f" gets no work for {bare(place)}: victim1 has different source code" in text
    assert not (place.work / "crashwright-tests" / "test_work.py").exists()
    assert batch.answered() == [False] * MANY


def test_what_a_dead_worker_had_is_done_by_another_one(place: Place, processes: Processes) -> None:
    gate, marks = place.root / "gate", (place.root / "first", place.root / "second")
    gate.touch()
    processes.add_worker(**{MARK: str(marks[0])})
    processes.wait_for_workers(2)
    batch = Batch(place, processes.address)
    for mark in marks:  # the second one comes later, and gets work
        until(lambda mark=mark: any(" task" in one for one in marked(mark)))
        if len(processes.workers) == 2:
            processes.add_worker(**{MARK: str(marks[1])})
    processes.workers[1].send_signal(signal.SIGKILL)
    gate.unlink()
    told = batch.until("Answered", MANY)
    result, err = batch.finished()
    assert (result["exit_code"], result["counts"]["reproduced"]) == (0, MANY), err
    answered = [one["crash"]["fingerprint"] for one in told if one["event"] == "Answered"]
    assert len(set(answered)) == len(answered) == MANY
    assert len(list((place.work / "crashwright-tests").glob("test_*.py"))) == MANY
    until(lambda: not marked(marks[0]))
    until(lambda: len(marked(marks[1])) == 1)  # the worker itself


def test_workers_stop_when_the_batch_is_killed(place: Place, processes: Processes) -> None:
    gate, mark = place.root / "gate", place.root / "second"
    gate.touch()
    batch = Batch(place, processes.address, "another.sqlite")
    until(lambda: any(" task" in one for one in marked(mark)))
    batch.process.kill()
    batch.process.communicate()
    until(lambda: len(marked(mark)) == 1)
    gate.unlink()


def test_a_scheduler_that_goes_away_ends_the_batch_and_nothing_found_is_lost(place: Place, processes: Processes) -> None:
    first = place.root / "reports" / "first.log"
    first.write_text(2 * place.report.read_text().replace("victim1", "nowhere"))  # reported most, and soon answered
    batch = Batch(place, processes.address, "another.sqlite")
    batch.until("Answered")
    processes.scheduler.send_signal(signal.SIGKILL)
    result, err = batch.finished()
    assert result["exit_code"] == 3, err
    assert result["notes"] == [
        f"The scheduler at {processes.address} is gone. The results so far are stored: run the same command again when it is back."
    ]
    assert all(json.loads(line) for line in err.splitlines())
    assert batch.answered() == [False, False, True]


def until(so: Callable[[], bool]) -> None:
    """Wait for it."""
    end = time.monotonic() + TIMEOUT
    while not so():
        assert time.monotonic() < end
        time.sleep(0.05)
