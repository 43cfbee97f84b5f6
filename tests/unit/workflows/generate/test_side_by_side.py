"""Work in threads: order, errors, interrupts."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from crashwright.workflows.generate.side_by_side import Interruption, work_off


def quiet() -> Interruption:
    return Interruption(lambda: None)


def test_outcomes_come_in_the_order_of_the_works() -> None:
    def slow_first(number: int) -> int:
        time.sleep(0.05 if number == 0 else 0.0)
        return number * number

    assert work_off(range(5), slow_first, 3, quiet()) == [0, 1, 4, 9, 16]
    assert work_off([], slow_first, 3, quiet()) == []


def test_no_more_than_so_many_at_a_time() -> None:
    now, most, lock = [0], [0], threading.Lock()

    def work(_: int) -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.01)
        with lock:
            now[0] -= 1

    work_off(range(8), work, 2, quiet())
    assert most == [2]


def test_first_error_is_raised_after_all_have_ended() -> None:
    ended: list[int] = []

    def work(number: int) -> None:
        if number < 2:
            raise ValueError(number)
        ended.append(number)

    with pytest.raises(ValueError, match="0"):
        work_off(range(4), work, 2, quiet())
    assert sorted(ended) == [2, 3]


def test_interrupt_asks_for_an_end_and_the_second_leaves() -> None:
    told: list[str] = []
    interruption = Interruption(lambda: told.append("once"))
    begun = threading.Event()

    def work(_: int) -> str:
        begun.set()
        while not interruption.stopping():
            time.sleep(0.005)
        return "kept"

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Thread(target=lambda: begun.wait(5) and signal.raise_signal(signal.SIGINT)).start()
        assert work_off([1], work, 1, interruption) == ["kept"]
    finally:
        signal.signal(signal.SIGINT, before)
    assert told == ["once"]
    with pytest.raises(KeyboardInterrupt):
        interruption.interrupt()
    assert interruption.leaving()
