"""Runs beside each other: their results come in order, whoever was first."""

from __future__ import annotations

import threading

import pytest

from crashwright.finishing.running.at_once import in_order


def test_results_come_in_order_though_the_first_waits_for_the_second() -> None:
    second = threading.Event()

    def run(place: int) -> int:
        if place == 0:
            assert second.wait(20.0)
        elif place == 1:
            second.set()
        return 10 * place

    assert list(in_order(run, 4, 2)) == [0, 10, 20, 30]


def test_no_more_work_at_a_time_than_may() -> None:
    working, most = [0], [0]
    lock = threading.Lock()

    def run(place: int) -> int:
        with lock:
            working[0] += 1
            most[0] = max(most[0], working[0])
        with lock:
            working[0] -= 1
        return place

    assert list(in_order(run, 9, 3)) == list(range(9))
    assert most[0] <= 3


def test_one_at_a_time_is_begun_when_it_is_asked_for() -> None:
    begun: list[int] = []
    runs = in_order(lambda place: begun.append(place) or place, 3, 1)
    assert (next(runs), begun) == (0, [0])
    assert (next(runs), begun) == (1, [0, 1])


def test_whoever_stops_asking_waits_for_those_that_have_begun() -> None:
    ended: list[int] = []
    go = threading.Event()

    def run(place: int) -> int:
        assert place == 0 or go.wait(20.0)
        ended.append(place)
        return place

    runs = in_order(run, 3, 2)
    assert next(runs) == 0
    threading.Timer(0.05, go.set).start()
    runs.close()
    assert sorted(ended) == [0, 1]


def test_an_error_is_raised_in_its_turn() -> None:
    def run(place: int) -> int:
        if place == 1:
            raise OSError("no such program")
        return place

    runs = in_order(run, 3, 3)
    assert next(runs) == 0
    with pytest.raises(OSError, match="no such program"):
        next(runs)
