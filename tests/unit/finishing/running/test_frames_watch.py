"""How far a test comes along the frames of a crash, and what passes through the last of them."""

from __future__ import annotations

import sys
from collections.abc import Callable

from crashwright.finishing.running.frames_watch import PASSING, FramesWatch


def _inner(number: int) -> int:
    if number > 1:
        raise ValueError(number)
    return number


def _outer(number: int) -> int:
    try:
        return _inner(number)
    except ValueError:
        return -1


def _watched(act: Callable[[], object]) -> tuple[tuple[int, bool, int], list[tuple[object, ...]]]:
    told: list[tuple[object, ...]] = []
    places = [(__file__, one.__code__.co_firstlineno, one.__name__) for one in (_outer, _inner)]
    places[1] = (__file__, places[1][1] + 2, "_inner")
    watch = FramesWatch(places, lambda *facts: told.append(facts))
    before = sys.gettrace()
    sys.settrace(watch.trace)
    try:
        act()
    finally:
        sys.settrace(before)
    return watch.furthest, told


def test_the_line_of_the_crash_is_further_than_its_function() -> None:
    entered, _ = _watched(lambda: _outer(1))
    reached, _ = _watched(lambda: _outer(2))
    assert entered == (1, False, 2)
    assert reached == (1, True, 2)
    assert reached > entered


def test_frames_count_that_led_there_in_turn() -> None:
    assert _watched(lambda: _inner(1))[0] == (1, False, 1)


def test_an_exception_that_is_caught_is_seen_with_all_that_is_around_it() -> None:
    _, told = _watched(lambda: _outer(2))
    error, kept, outside = told[0]
    assert isinstance(error, ValueError)
    assert kept == PASSING
    assert isinstance(outside, tuple)
    assert [function for _, _, function in outside[-2:]] == ["_outer", "_inner"]


def test_nothing_of_it_is_entered() -> None:
    assert _watched(lambda: None) == ((-1, False, 0), [])
