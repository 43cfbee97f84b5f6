"""Sleeping tests take no time, clocks go on as if they had, and nothing is left of it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.virtual_time import MANY, PATIENCE, VirtualTime
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Await, Call
from crashwright.engine.testcase.testcase import TestCase

Run = Callable[..., float]


@pytest.fixture
def run() -> Iterator[Run]:
    """Run a function as a test; the virtual seconds that it slept."""
    virtual = VirtualTime()
    virtual.install()
    executor = Executor()
    executor.use(virtual)

    def once(function: Callable[[], object], *, awaited: bool = False) -> float:
        call = Call(0, Callee("m", "f", CalleeKind.FUNCTION, live=function), NO_ARGUMENTS)
        outcome = executor.run(TestCase((call, Await(1, 0)) if awaited else (call,)))
        if outcome.error is not None:
            raise outcome.error
        return outcome.slept

    yield once
    virtual.remove()


def test_a_sleep_returns_at_once_and_clocks_have_gone_on(run: Run) -> None:
    seen = []

    def test() -> None:
        before = time.time(), time.monotonic(), time.perf_counter(), time.time_ns(), time.monotonic_ns()
        time.sleep(3600)
        time.sleep(0.5)
        after = time.time(), time.monotonic(), time.perf_counter(), time.time_ns(), time.monotonic_ns()
        seen.extend(b - a for a, b in zip(before, after, strict=True))

    begun = time.monotonic()
    assert run(test) == 3600.5
    assert time.monotonic() - begun < 60, "and outside of the test nothing has"
    assert [pytest.approx(3600.5, abs=30)] * 3 + [pytest.approx(3600.5e9, abs=30e9)] * 2 == seen
    assert run(lambda: None) == 0.0


def test_a_loop_that_waits_for_its_deadline_ends(run: Run) -> None:
    def test() -> None:
        deadline = time.monotonic() + 100
        while time.monotonic() < deadline:
            time.sleep(1)

    assert 99 <= run(test) <= 101


def test_a_sleep_that_fails_fails_as_ever(run: Run) -> None:
    with pytest.raises(ValueError, match="sleep length must be non-negative"):
        run(lambda: time.sleep(-1))
    with pytest.raises(TypeError):
        run(lambda: time.sleep("a"))  # type: ignore[arg-type]

    class Retry:
        wait = time.sleep

    assert run(lambda: Retry().wait(5)) == 5.0  # type: ignore[arg-type,call-arg]


def test_who_waits_for_a_thread_really_waits(run: Run) -> None:
    done = []

    def test() -> None:
        thread = threading.Thread(target=lambda: done.append(threading.Event().wait(0.05)))
        thread.start()
        while not done:
            time.sleep(0.02)
        thread.join()

    assert run(test) == 0.0
    assert done == [False]


def test_an_event_loop_waits_in_virtual_time(run: Run) -> None:
    async def test() -> None:
        begun = asyncio.get_running_loop().time()
        await asyncio.gather(asyncio.sleep(3600), asyncio.sleep(5))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.get_running_loop().create_future(), 10)
        assert asyncio.get_running_loop().time() - begun >= 3610

    assert 3609 <= run(test, awaited=True) <= 3611


@pytest.mark.parametrize("seconds", [5e9, float("inf")])
def test_what_sleeps_for_ever_has_used_up_its_time_at_once(seconds: float) -> None:
    virtual = VirtualTime()
    virtual.install()
    try:
        executor = Executor()
        executor.use(virtual)
        sleeper = Callee("m", "f", CalleeKind.FUNCTION, live=lambda: asyncio.sleep(seconds))
        begun = time.monotonic()
        outcome = executor.run(TestCase((Call(0, sleeper, NO_ARGUMENTS), Await(1, 0))))
        assert outcome.timed_out
        if seconds < float("inf"):
            plain = Callee("m", "g", CalleeKind.FUNCTION, live=lambda: time.sleep(seconds))
            assert executor.run(TestCase((Call(0, plain, NO_ARGUMENTS),))).timed_out
        assert time.monotonic() - begun < 60
    finally:
        virtual.remove()


def test_who_tries_again_and_again_has_used_up_his_time(run: Run) -> None:
    tries: list[int] = []

    def test() -> None:
        while True:
            tries.append(1)
            time.sleep(30)

    assert run(test) == 30 * MANY
    assert len(tries) == MANY + 1


def test_a_loop_of_short_waits_is_no_such(run: Run) -> None:
    def test() -> None:
        for _ in range(4 * MANY):
            time.sleep(PATIENCE / (4 * MANY))

    assert run(test) == pytest.approx(PATIENCE)
