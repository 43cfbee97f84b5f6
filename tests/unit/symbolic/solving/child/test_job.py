"""A job in a child process costs its limit at most, whatever it does, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from patience import HANG

from crashwright.symbolic.solving.child.job import End, Job

HERE = os.path.dirname(__file__)


@pytest.fixture(autouse=True)
def jobs(monkeypatch):
    monkeypatch.syspath_prepend(HERE)


def run(name, request=None, seconds=20.0, **more):
    with Job(f"jobs:{name}", request, seconds, **more) as job:
        return list(job.told()), job.ending


def is_gone(pid):
    for _ in range(100):
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def test_a_job_tells_and_returns():
    told, ending = run("doubled", [1, "a", 2.5])
    assert told == [1, "a", 2.5]
    assert ending.end is End.FINISHED
    assert ending.result == [2, "aa", 5.0]


def test_a_long_request_and_long_answers_pass():
    request = ["x" * 1000] * 500
    told, ending = run("doubled", request)
    assert told == request
    assert len(ending.result) == 500


class Clock:
    """A clock that can be put forward: limits are reached when the child is where the test wants it."""

    def __init__(self):
        self.ahead = 0.0

    def __call__(self):
        return time.monotonic() + self.ahead


def test_a_job_that_hangs_costs_its_limit_and_what_it_told_is_kept():
    clock = Clock()
    with Job("jobs:hangs_in_c", None, 60.0, clock=clock) as job:
        told = [job.next(None)[0]]
        clock.ahead = 59.7
        began = time.monotonic()
        told += job.told()
        took = time.monotonic() - began
        pid = job.pid
    assert told == ["hangs"]
    assert job.ending.end is End.LATE
    assert took < HANG
    assert is_gone(pid)


def test_nothing_is_waited_for_that_is_not_asked():
    with Job("jobs:hangs_in_c", None, 2 * HANG) as job:
        began = time.monotonic()
        while job.next(0.05) is None:
            assert time.monotonic() - began < HANG
        assert job.next(0.05) is None
        job.stop()
        job.stop()
    ending = job.ending
    assert ending.end is End.STOPPED
    assert is_gone(job.pid)


def test_memory_is_limited():
    told, ending = run("eats_memory", memory=200 << 20)
    assert told == ["eats"]
    assert (ending.end, ending.reason) == (End.FAILED, "out of memory")
    assert run("memory")[1].result == [str(1 << 30)]


def test_a_solver_that_eats_memory_ends():
    told, ending = run("eats_memory_in_the_solver", memory=200 << 20)
    assert told == ["eats"]
    assert ending.end in (End.FAILED, End.DIED, End.FINISHED)


def test_a_job_that_dies_or_raises_says_so():
    told, ending = run("dies")
    assert told == ["dies"]
    assert (ending.end, ending.reason) == (End.DIED, "SIGSEGV")
    assert run("raises", 3)[1].reason.rstrip().endswith("ValueError: not 3")
    assert "no_such" in run("no_such")[1].reason


def test_what_the_job_started_goes_with_it():
    clock = Clock()
    with Job("jobs:leaves_processes", None, 60.0, clock=clock) as job:
        (pid,) = job.next(None)
        clock.ahead = 60.0
        assert list(job.told()) == []
    assert job.ending.end is End.LATE
    assert is_gone(pid)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_no_child_outlives_its_host(end):
    script = (
        f"import signal, sys; sys.path.insert(0, {HERE!r})\n"
        "from crashwright.symbolic.solving.child.job import Job\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # where the tests run in the background, it is ignored
        "with Job('jobs:hangs_in_c', None, 60.0) as job:\n"
        "    job.next(30.0)\n"
        "    print(job.pid, flush=True)\n"
        "    list(job.told())\n"
    )
    host = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert host.stdout is not None
    pid = int(host.stdout.readline())
    host.send_signal(end)
    host.communicate(timeout=HANG)
    assert is_gone(pid)
