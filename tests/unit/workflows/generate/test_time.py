"""The time of a suite: half of the budget again for all that is not search, imports included."""

from __future__ import annotations

import math

import pytest
from hand_clock import Clock

from crashwright.workflows.generate.time import AFTERWARDS, LEAST_AFTERWARDS, LEAST_VERIFICATION, LONGEST_FAREWELL, SuiteTime


@pytest.mark.parametrize("seconds", [1.0, 3.0, 30.0, 600.0])
@pytest.mark.parametrize("imported", [0.05, 1.0, 5.0, 20.0])
def test_parts_stay_within_the_whole(seconds: float, imported: float) -> None:
    clock = Clock()
    time = SuiteTime(clock, 0.0, seconds)
    search = time.search_allowed(imported)
    assert seconds / 2 <= search <= seconds
    clock.now = min(imported, seconds / 4) + search
    examination = time.examination(imported)
    assert 0 < examination < time.left()
    assert time.left() + clock.now == pytest.approx(seconds + max(AFTERWARDS * seconds, LEAST_AFTERWARDS))
    assert AFTERWARDS < 0.5, "half of the budget is promised, the end of processes included"


def test_quick_import_leaves_the_search_its_whole_budget() -> None:
    assert SuiteTime(Clock(), 0.0, 30.0).search_allowed(0.3) == 30.0
    assert SuiteTime(Clock(), 0.0, 3.0).search_allowed(0.3) == 3.0


def test_without_seconds_no_clock_decides() -> None:
    clock = Clock(1e9)
    time = SuiteTime(clock, 0.0, None)
    assert {time.left(), time.search_allowed(99.0), time.examination(99.0), time.minimising()} == {math.inf}


def test_examination_that_comes_too_late_gets_nothing() -> None:
    assert SuiteTime(Clock(50.0), 0.0, 30.0).examination(0.1) <= 0


def test_search_that_ends_early_gives_nothing_away_and_one_that_ends_late_leaves_some() -> None:
    clock = Clock(5.0)
    assert SuiteTime(clock, 0.0, 30.0).after_search(False).left() == 30.0 * AFTERWARDS
    clock.now = 36.0
    assert SuiteTime(clock, 0.0, 30.0).after_search(False).left() == pytest.approx(30.0 * (1 + AFTERWARDS) - 36.0)
    clock.now = 50.0
    assert SuiteTime(clock, 0.0, 30.0).after_search(False).left() == pytest.approx(30.0 * AFTERWARDS / 2)


def test_who_interrupts_does_not_wait_long() -> None:
    assert SuiteTime(Clock(5.0), 0.0, 600.0).after_search(True).left() == LONGEST_FAREWELL
    assert SuiteTime(Clock(5.0), 0.0, None).after_search(True).left() == LONGEST_FAREWELL
    assert SuiteTime(Clock(5.0), 0.0, None).after_search(False).left() == math.inf


def test_verification_always_gets_a_moment() -> None:
    clock = Clock(100.0)
    left = SuiteTime(clock, 0.0, 30.0, end=99.0).verification()
    assert left() == LEAST_VERIFICATION
    clock.now = 104.0
    assert left() < 0


def test_the_turns_of_several_modules_stay_within_the_whole() -> None:
    clock = Clock()
    whole = SuiteTime(clock, 0.0, 20.0)
    first = whole.turn(5.0)
    assert first is not None
    assert (first.search, first.left()) == (5.0, 5.0 * (1 + AFTERWARDS))
    clock.now = 24.0
    late = whole.turn(5.0)
    assert late is not None
    assert late.search == 20.0 * (1 + AFTERWARDS) - 24.0 - LEAST_AFTERWARDS
    assert late.left() == 20.0 * (1 + AFTERWARDS) - 24.0
    clock.now = 27.0
    assert whole.turn(5.0) is None
    assert (whole.turns(1), whole.turns(2), SuiteTime(clock, 0.0, None).turns(1)) == (9, 18, None)


@pytest.mark.parametrize("seconds", [5.0, 10.0, 30.0])
def test_on_a_busy_machine_the_search_is_cut_so_that_all_is_over_in_time(seconds: float) -> None:
    clock = Clock(2.0)  # so long until there was an engine
    busy = SuiteTime(clock, 0.0, seconds, engine_start=0.9)
    calm = SuiteTime(clock, 0.0, seconds, engine_start=0.3)
    clock.now = 2.9
    allowed = busy.search_allowed(0.1, 2.9)
    assert allowed >= 0.3 * seconds
    assert allowed <= calm.search_allowed(0.1, 2.9)
    clock.now += allowed
    examination = busy.examination(0.1)
    clock.now += max(0.0, examination)
    if seconds > 5:
        assert 1.5 * seconds - clock.now >= 2 * busy.fresh(0.1), "two fresh runs"


@pytest.mark.parametrize(("seconds", "imported", "engine_start"), [(30.0, 0.1, 1.5), (30.0, 4.0, 4.3), (60.0, 3.0, 3.3)])
def test_a_search_that_is_cut_leaves_time_to_make_its_tests_plain(seconds: float, imported: float, engine_start: float) -> None:
    clock = Clock(engine_start)
    time = SuiteTime(clock, 0.0, seconds, engine_start=engine_start)
    allowed = time.search_allowed(imported, engine_start)
    clock.now += allowed
    granted = time.still_minimising(imported)
    assert granted >= time.minimising() / 2
    clock.now += granted
    assert time.left() >= min(2 * time.fresh(imported), 0.75 * time.afterwards)


def test_who_counts_tests_is_granted_no_seconds() -> None:
    assert SuiteTime(Clock(), 0.0, None).still_minimising(1.0) == 0.0
