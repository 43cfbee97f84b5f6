"""The host's side: engines end when they are told to, when the host dies, and leave nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from engine_story import HERE, SESSION, make_start
from patience import HANG

from crashwright.core.messages import Failed, FailureKind, Found, Ready
from crashwright.engine.worker.fork_server import MOST_DEFECTS
from crashwright.supervision.engine_process import EngineProcess

DEFECTIVE = str(HERE / "defective_session.py")
OTHERS = [path for path in (Path.home() / ".pyenv/versions").glob("3.1[23]*/bin/python") if path.exists()]


def alive(group: int) -> bool:
    """Whether a process of the group still runs (zombies do not)."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, pgrp = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            except OSError:
                continue
            if int(pgrp) == group and state != "Z":
                return True
    return False


def wait_until(condition, seconds=HANG):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_stop_ends_a_busy_engine_and_removes_its_scratch_folder():
    process = EngineProcess(sys.executable, make_start("hostile", ["sums"] * 5), SESSION)
    scratch = process._start.settings.scratch
    assert isinstance(process.next(HANG), Ready)
    process.stop()
    process.stop()
    assert not process.running
    assert not alive(process.pid)
    assert not os.path.exists(scratch)


def test_messages_return_at_the_deadline():
    with EngineProcess(sys.executable, make_start("hostile", ["sleeps"] * 50), SESSION) as process:
        assert isinstance(process.next(HANG), Ready)
        begin = time.monotonic()
        list(process.messages(begin + 0.5))
        assert 0.4 < time.monotonic() - begin < HANG
        assert process.running


def test_the_engine_dies_with_its_host():
    code = f"""
import sys, time
sys.path.insert(0, {str(HERE)!r})
from engine_story import SESSION, make_start
from crashwright.supervision.engine_process import EngineProcess
process = EngineProcess(sys.executable, make_start("hostile", ["sleeps"] * 100), SESSION)
process.next({HANG})
print(process.pid, process._start.settings.scratch, flush=True)
time.sleep(3000)
"""
    host = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    pid, scratch = host.stdout.readline().split()
    group = int(pid)
    assert alive(group)
    host.kill()
    host.communicate()
    assert wait_until(lambda: not alive(group))
    shutil.rmtree(scratch)  # which a killed host cannot do itself


def test_the_fork_dies_with_its_zygote():
    with EngineProcess(sys.executable, make_start("hostile", ["sleeps"] * 100), SESSION) as process:
        assert isinstance(process.next(HANG), Ready)
        time.sleep(0.1)
        os.kill(process.pid, signal.SIGKILL)
        assert wait_until(lambda: not alive(process.pid))
        assert [type(message) for message in process.messages(time.monotonic() + HANG)][-1] is Failed


def test_an_interpreter_that_is_none():
    with pytest.raises(OSError, match="no-such-python"):
        EngineProcess("/no-such-python", make_start("hostile", []), SESSION)


def test_killers_without_end_end_the_search(engine):
    story = engine("killers", [("die", number) for number in range(40)])
    assert story.failure.kind is FailureKind.TARGET
    assert "25 engines in a row" in story.failure.text
    assert story.seconds < HANG


def test_killers_among_others_do_not_end_it(engine):
    story = engine("killers", [("live" if number % 12 else "die", number) for number in range(340)])
    assert story.finished
    assert story.incidents.count("will not be run again") == 3, "and then no more of it"
    assert len(story.of(Found)) == 340 - 29


def test_a_defect_of_our_own_is_told_and_the_search_goes_on(engine):
    story = engine("hostile", ["fine"] * 12, session=DEFECTIVE)
    assert story.finished
    assert story.incidents.count("a defect of crashwright (LookupError in defective_session.py:") == 2
    assert len(story.of(Found)) == 12


def test_a_defect_that_comes_again_and_again_ends_it(engine):
    story = engine("hostile", ["fine"] * 60, session=DEFECTIVE)
    assert story.failure.kind is FailureKind.INTERNAL
    assert story.failure.text == "the engine failed: LookupError: mislaid"
    assert len(story.of(Found)) == 3 * (1 + MOST_DEFECTS)


def test_start_up_is_fast():
    begin = time.monotonic()
    with EngineProcess(sys.executable, make_start("hostile", ["fine"]), SESSION) as process:
        list(process.messages(begin + HANG))
        # 0.2 s on an idle machine (benchmarks/): this is against waiting for something that does not come.
        assert time.monotonic() - begin < HANG


@pytest.mark.parametrize("python", OTHERS, ids=lambda path: path.parent.parent.name)
def test_other_interpreters(engine, python):
    story = engine("hostile", ["fine", "fails", "loops", "sums", "replaces_streams", "state_is_clean"], python=str(python))
    assert story.finished
    assert story.results["fails"]["error"] == "ValueError"
    assert story.results["loops"]["timed_out"]
    assert story.results["state_is_clean"]["error"] is None
    assert story.results["state_is_clean"]["generation"] == 1
