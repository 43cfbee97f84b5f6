"""kill -9 of a process of each role: the command comes to its end, or leaves nothing; a second of work is the most to lose."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from command import MARK, TIMEOUT, Done, Place
from patience import HANG

from crashwright.core.messages import BestTests, Failed, Finished, Incident, Message, Progress, Start
from crashwright.core.settings import Budget, EngineSettings, SearchSettings
from crashwright.crash.readers.registry import read_reports
from crashwright.crash.resolve import resolve
from crashwright.environment.interpreter import inspect_interpreter
from crashwright.supervision.engine_process import EngineProcess
from crashwright.supervision.islands import Islands
from crashwright.workflows.reproduce.islands import EPOCH, FirstWins

SLOW = """
import time
time.sleep(0.3)

def work(number):
    if number > 3:
        raise ValueError("too many")
    return number
"""
UPHILL = """
def work(a: int, b: int, c: int, d: int):
    if a > 70 + b:
        if b > 90 + c:
            if c > 60 + d:
                if type(a) is type(b) is int and a * 2 == 4421 + b * 2:
                    raise ValueError("too many")
    return a
"""
"""The search comes nearer and nearer, and never there: one side is even, the other is odd."""
LOST = 1.0
"""Seconds of work that may be lost."""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


class Family:
    """The processes of a command, by what they are."""

    def __init__(self, place: Place, host: subprocess.Popen[str]) -> None:
        self._wanted = f"{MARK}={place.root}".encode()
        self._host = host

    def pids(self, role: str) -> list[int]:
        """``engine`` are the zygotes, ``child`` what they forked, ``fresh`` interpreters that judge."""
        return [pid for pid, (parent, command) in self._all().items() if self._role(parent, command) == role]

    def _role(self, parent: int, command: str) -> str:
        if "crashwright-watchdog" in command:
            return "watchdog"
        if "_crashwright_engine" in command:
            return "engine" if parent == self._host.pid else "child"
        return "fresh" if " -m pytest " in command or "crashwright_recorder" in command else "other"

    def _all(self) -> dict[int, tuple[int, str]]:
        found = {}
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and self._wanted in (entry / "environ").read_bytes().split(b"\0"):
                    parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                    found[int(entry.name)] = (parent, (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:
                continue  # it has ended
        return found


def killed(place: Place, role: str, moments: list[float], *arguments: str) -> tuple[Done, int]:
    """Run a command and kill what has ``role`` at these seconds after its first appearance each; how many kills hit."""
    begin = time.monotonic()
    process = place.start(*arguments)
    family = Family(place, process)
    hits = 0
    for moment in moments:
        while not (pids := family.pids(role)) and process.poll() is None:
            assert time.monotonic() - begin < TIMEOUT
            time.sleep(0.005)
        time.sleep(moment)
        pids = family.pids(role) or pids
        for pid in pids[:1]:
            hits += _kill(pid)
    return place.finish(process, begin), hits


def _kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("role", "latest"),
    [
        ("engine", 0.8),
        ("child", 0.2),
        ("fresh", 0.3),
        ("watchdog", 1.0),
    ],
)
def test_the_crash_is_reproduced_all_the_same(place: Place, role: str, latest: float) -> None:
    place.subject(SLOW)
    rng = random.Random(role)
    done, hits = killed(place, role, [rng.uniform(0.0, latest)], "--no-cache")
    assert done.code == 0, (done.out, done.err)
    assert hits
    assert done.left_nothing, (done.processes, done.scratch)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("role", "jobs"),
    [("engine", 1), ("child", 1), ("engine", 2)],
)
def test_a_search_goes_on_to_its_end(place: Place, role: str, jobs: int) -> None:
    place.subject(UPHILL)
    rng = random.Random(f"{role} {jobs}")
    evaluations = 8000  # it is still running then, however fast the machine
    done, hits = killed(
        place, role, [rng.uniform(0.1, 0.6)], "--evaluations", str(evaluations), "--jobs", str(jobs), "--json", "--no-cache"
    )
    assert done.code == 1, (done.out, done.err)
    assert hits == 1
    assert done.left_nothing, (done.processes, done.scratch)
    assert json.loads(done.out)["evaluations"] >= evaluations


@pytest.mark.parametrize(
    "begun", [pytest.param(False, id="before the first test", marks=pytest.mark.nightly), pytest.param(True, id="in the search")]
)
def test_nothing_outlives_the_host_and_the_next_run_goes_on(place: Place, begun: bool) -> None:
    place.subject(UPHILL)
    rng = random.Random(begun)
    process = place.start("--jobs", "2", "--json")
    family = Family(place, process)
    while not family.pids("engine"):
        time.sleep(0.005)
    while begun and not list(place.work.glob(".crashwright/running/*.json")):
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(rng.uniform(0.0, 1.0))
    process.kill()
    process.communicate()
    gone_at = time.monotonic() + HANG
    while (place.processes() or os.listdir(place.temporary)) and time.monotonic() < gone_at:
        time.sleep(0.05)
    assert place.processes() == []
    assert os.listdir(place.temporary) == []
    if begun:
        [state] = place.work.glob(".crashwright/running/*.json")
        evaluations = json.loads(state.read_text())["evaluations"]
        done = place.reproduce("--evaluations", str(evaluations + 2000), "--json")
        result = json.loads(done.out)
        assert "remembered" in result, done.out + done.err
        assert any("continuing a run that was killed" in note for note in result["remembered"])
        assert result["evaluations"] > evaluations
        assert list(place.work.glob(".crashwright/running/*.json")) == []


class Watched:
    """Islands whose messages are noted with the time at which they came."""

    def __init__(self, place: Place) -> None:
        target = resolve(
            read_reports(place.report.read_text())[-1], inspect_interpreter(sys.executable, (str(place.code),)), None, None
        ).target
        settings = EngineSettings(SearchSettings(seed=3), Budget(30.0), path=(str(place.code),))
        self.engines: list[EngineProcess] = []
        self.islands = Islands(lambda one, seeds: self._launch(Start(one, target, seeds=seeds)), settings, FirstWins(), EPOCH)
        self.told: list[tuple[float, Message]] = []

    def _launch(self, start: Start) -> EngineProcess:
        self.engines.append(EngineProcess(sys.executable, start))
        return self.engines[-1]

    def follow(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + HANG
        while not until():
            assert time.monotonic() < end
            message = self.islands.next(0.05)
            assert not isinstance(message, Failed | Finished), message
            if message is not None:
                self.told.append((time.monotonic(), message))

    def distances(self) -> list[tuple[float, float]]:
        return [(moment, message.distance) for moment, message in self.told if isinstance(message, Progress)]

    def fork(self) -> int:
        """The fork that searches: the child of the zygote that used most time."""
        children = Path(f"/proc/{self.engines[-1].pid}/task/{self.engines[-1].pid}/children").read_text().split()
        return max(map(int, children), key=lambda pid: int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11]))


@pytest.mark.nightly
@pytest.mark.parametrize("whom", ["zygote", "fork"])
def test_a_second_of_work_is_the_most_that_is_lost(place: Place, whom: str) -> None:
    place.subject(UPHILL)
    watched = Watched(place)
    try:
        watched.follow(lambda: bool(watched.distances()))
        for moment in (1.7,):
            begin = time.monotonic()
            watched.follow(lambda begin=begin, moment=moment: time.monotonic() - begin > moment)  # type: ignore[misc]
            at = time.monotonic()
            os.kill(watched.engines[-1].pid if whom == "zygote" else watched.fork(), signal.SIGKILL)
            deaths = sum(isinstance(message, Incident) for _, message in watched.told)
            watched.follow(lambda deaths=deaths: sum(isinstance(message, Incident) for _, message in watched.told) > deaths)  # type: ignore[misc]
            again = time.monotonic()
            watched.follow(lambda again=again: watched.distances()[-1][0] > again)  # type: ignore[misc]
            before = [distance for moment, distance in watched.distances() if moment < at - LOST]
            assert watched.distances()[-1][1] <= before[-1]
        survivors = [message for _, message in watched.told if isinstance(message, BestTests)]
        assert [one.evaluations for one in survivors] == sorted(one.evaluations for one in survivors)
    finally:
        watched.islands.stop()
