"""Which frames further in are searched from, and with how much of the budget."""

import pytest

from crashwright.core.messages import Found
from crashwright.engine.subject.api.inner_frames import MOST_FRAMES, in_turn
from crashwright.workflows.reproduce.inwards import found_inside, next_frame


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 16])
def test_each_frame_that_is_searched_from_has_the_same_share(count: int) -> None:
    frames = in_turn(tuple(range(count, 0, -1)))
    assert (frames[0], frames[-1]) == (count, 1)
    assert len(frames) == min(count, MOST_FRAMES)
    left, shares, waiting = 0.3, [], frames
    while waiting:
        number, rest = next_frame(waiting, 1.0 - left)
        shares.append(left * (1.0 - rest))
        left *= rest
        waiting = tuple(one for one in waiting if one < number)
    assert shares == pytest.approx([0.3 / len(frames)] * len(frames))


def test_what_little_is_left_goes_to_the_innermost() -> None:
    assert next_frame((3, 2, 1), 0.97) == (1, 0.0)


def test_what_makes_the_crash_from_further_in_is_known_by_its_frames() -> None:
    found = [
        Found({"n": number}, level, frames, 0.0, 1, 0.1) for number, (level, frames) in enumerate([(2, 1), (1, 0), (2, 3), (2, 1)])
    ]
    assert [(frame, one.test) for frame, one in found_inside(found, (4, 2, 1))] == [(2, {"n": 2}), (1, {"n": 3})]
    assert found_inside(found, (4,)) == []
