"""Work in threads: order, errors, interrupts; and how a budget is shared."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from crashwright.core.settings import Budget
from crashwright.environment.package_modules import SourceModule
from crashwright.workflows.generate.shares import Shares
from crashwright.workflows.generate.side_by_side import Interruption, work_off

MODULES = [SourceModule("a", "a.py", 60), SourceModule("b", "b.py", 30), SourceModule("c", "c.py", 10)]


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


def test_budget_is_shared_by_size_and_what_is_left_goes_on() -> None:
    shares = Shares(Budget(10.0), MODULES, 1)
    first = shares.take("a")
    assert first == Budget(6.0, None)
    shares.give_back(first, 2.0)
    assert shares.take("b") == Budget(6.0, None)
    assert shares.take("c") == Budget(2.0, None)


def test_no_module_gets_more_than_the_whole_budget() -> None:
    shares = Shares(Budget(10.0), MODULES, 2)
    assert [shares.take(name).seconds for name in "abc"] == [10.0, 7.5, 2.5]
    tiny = Shares(Budget(0.1), MODULES, 1)
    assert all((tiny.take(name).seconds or 0.0) > 0 for name in "abc")


def test_evaluations_do_not_depend_on_who_comes_first() -> None:
    one, other = Shares(Budget(None, 1000), MODULES, 1), Shares(Budget(None, 1000), MODULES, 3)
    assert [one.take(name) for name in "abc"] == [other.take(name) for name in "cba"][::-1]
    assert Shares(Budget(None, 1000), MODULES, 1).take("a") == Budget(None, 600)


def test_where_there_are_too_many_modules_the_largest_share_the_time() -> None:
    shares = Shares(Budget(10.0), MODULES, 1, most=2)
    first, second = shares.take("a"), shares.take("b")
    assert (first.seconds, second.seconds) == pytest.approx((6.6667, 3.3333), abs=0.001)
    shares.give_back(first, 2.6667)
    assert shares.take("c").seconds == pytest.approx(4.0, abs=0.001)
