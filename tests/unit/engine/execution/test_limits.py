"""The clock in this very process: short limits, and the timer is always taken down."""

from __future__ import annotations

import os
import signal
import time

import pytest
from patience import HANG

from crashwright.engine.execution import limits
from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.heartbeat import Heartbeat, HeartbeatCell
from crashwright.engine.execution.limits import TestClock
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Call, Literal
from crashwright.engine.testcase.testcase import TestCase


@pytest.fixture
def executor():
    heartbeat = Heartbeat()
    clock = TestClock(heartbeat, 0.05)
    clock.start()
    yield Executor(heartbeat, clock)
    clock.stop()


def call(function):
    return TestCase((Literal(0, 1), Call(1, Callee("m", "f", CalleeKind.FUNCTION, live=function), NO_ARGUMENTS)))


def spin():
    while True:
        pass


def swallow():
    try:
        spin()
    except BaseException:  # noqa: BLE001 (what is tested)
        return 1


def wrap():
    try:
        spin()
    except BaseException as error:
        raise ValueError from error


@pytest.mark.parametrize("function", [spin, swallow, wrap])
def test_time_runs_out_however_the_subject_takes_it(executor, function):
    cpu, wall = time.process_time(), time.monotonic()
    outcome = executor.run(call(function))
    assert outcome.timed_out
    assert outcome.error is None
    # On a busy machine a test comes to its limit on the wall clock before it has had its time on a processor.
    assert time.process_time() - cpu >= executor._clock.limit or time.monotonic() - wall >= executor._clock.wall_limit
    assert time.process_time() - cpu < HANG
    assert not executor.run(call(int)).timed_out


def test_a_tick_within_a_tick_counts_from_where_the_test_began(monkeypatch):
    heartbeat = Heartbeat()
    clock = TestClock(heartbeat, 0.05)
    heartbeat.cells[HeartbeatCell.RUNNING] = 7
    nested = [True]

    def interrupted():
        if nested and nested.pop():
            clock._tick(signal.SIGALRM, None)
        return 100.0

    monkeypatch.setattr(limits, "process_time", interrupted)
    clock._tick(signal.SIGALRM, None)
    assert clock.struck == 0
    clock._tick(signal.SIGALRM, None)
    assert clock.struck == 0


def test_a_sleeper_has_its_wall_limit(executor):
    begin = time.monotonic()
    assert executor.run(call(lambda: time.sleep(3000))).timed_out
    assert 0.2 < time.monotonic() - begin < HANG


def test_nothing_happens_between_tests(executor):
    executor.run(call(int))
    end = time.monotonic() + HANG
    while executor._cells[HeartbeatCell.TICKS] <= 2 and time.monotonic() < end:
        pass
    assert executor._cells[HeartbeatCell.RUNNING] == 0
    assert executor._cells[HeartbeatCell.TICKS] > 2
    assert executor._cells[HeartbeatCell.TESTS] == 1


def test_reasons_survive_in_shared_memory():
    heartbeat = Heartbeat()
    heartbeat.write_reason("ä" * 5000)
    assert heartbeat.reason().startswith("ää")
    heartbeat.reset()
    assert heartbeat.reason() == ""


def test_a_subject_that_takes_the_handler_away_ends_nothing():
    # In a process of its own: what the next tick does to one without a handler is what is tested.
    pid = os.fork()
    if not pid:
        heartbeat = Heartbeat()
        clock = TestClock(heartbeat, 0.05)
        clock.start()
        executor = Executor(heartbeat, clock)
        executor.run(call(lambda: signal.signal(signal.SIGALRM, signal.SIG_DFL)))
        ticks, end = heartbeat.cells[HeartbeatCell.TICKS], time.monotonic() + HANG
        while heartbeat.cells[HeartbeatCell.TICKS] == ticks and time.monotonic() < end:
            pass
        os._exit(0 if heartbeat.cells[HeartbeatCell.TICKS] > ticks else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
