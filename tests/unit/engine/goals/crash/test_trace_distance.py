"""The two distances of stack traces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from crashwright.core.level import FramePlace
from crashwright.engine.goals.crash.trace_distance import TRACE_DISTANCES, closest, difference, prefix

OUTER, MIDDLE, CRASH = FramePlace("a", 1, "f"), FramePlace("a", 5, "g"), FramePlace("b", 9, "h")
WANTED = [OUTER, MIDDLE, CRASH]
PLACES = some.builds(FramePlace, some.sampled_from("ab"), some.integers(1, 4), some.sampled_from("fg"))
TRACES = some.lists(PLACES, max_size=5)


def test_the_difference_of_two_frames() -> None:
    assert difference(OUTER, OUTER) == 0
    assert difference(OUTER, FramePlace("a", 4, "f")) == 3 / 4
    assert difference(OUTER, FramePlace("a", 1, "g")) == 2
    assert difference(OUTER, FramePlace("b", 1, "f")) == 3


def test_closest_finds_each_wanted_frame_wherever_it_is() -> None:
    assert closest(WANTED, [CRASH, OUTER, FramePlace("x", 1, "y"), MIDDLE]) == 0
    assert closest(WANTED, [MIDDLE, CRASH]) == pytest.approx(2 / 3)
    assert closest(WANTED, []) == pytest.approx(9 / 10)


def test_prefix_counts_from_the_crash_outwards() -> None:
    assert prefix(WANTED, [MIDDLE, CRASH]) == pytest.approx(1 / 2)
    assert prefix(WANTED, [FramePlace("a", 2, "f"), MIDDLE, CRASH]) == pytest.approx(1 / 4)  # phi(phi(phi(1)))
    assert prefix(WANTED, [OUTER, MIDDLE, CRASH, FramePlace("b", 8, "h")]) > prefix(WANTED, [MIDDLE, CRASH])
    assert prefix(WANTED, []) == pytest.approx(3 / 4)


@pytest.mark.parametrize("name", sorted(TRACE_DISTANCES))
@given(wanted=TRACES, got=TRACES)
def test_every_distance_is_below_1_and_0_for_the_same_trace(name: str, wanted: list[FramePlace], got: list[FramePlace]) -> None:
    distance = TRACE_DISTANCES[name]
    assert 0 <= distance(wanted, got) < 1
    assert distance(wanted, wanted) == 0


@given(TRACES, TRACES)
def test_prefix_is_0_only_for_the_same_trace(wanted: list[FramePlace], got: list[FramePlace]) -> None:
    assert (prefix(wanted, got) == 0) == (wanted == got)
