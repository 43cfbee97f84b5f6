"""Where a search stands is told in the same words whichever fitness measured it."""

from __future__ import annotations

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.goals.crash.frame_goal import Standing
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.diagnosis import furthest_point, hints
from crashwright.engine.testcase.testcase import TestCase

FRAMES = tuple(TargetFrame(CodeKey("shelf", name, 1), "/lib/shelf.py", 7, "", None, True) for name in ("take", "locate"))
TARGET = CrashTarget("shelf", "KeyError", "3", FRAMES)


@pytest.mark.parametrize("fitness", [0.1, 3.4, 5.9])
@pytest.mark.parametrize(
    ("frames", "standing", "told"),
    [
        (1, Standing.WRONG_SIDE, "shelf.py:7 take was entered, but a condition on the way to this line was never met"),
        (2, Standing.STOPPED, "shelf.py:7 locate was entered, but no test got as far as this line"),
        (1, Standing.REACHED, "shelf.py:7 take reached this line, but did not call the next frame"),
        (2, Standing.REACHED, "shelf.py:7 locate reached this line, but it did not raise the exception"),
    ],
)
def test_the_deepest_frame_and_what_is_missing(fitness: float, frames: int, standing: Standing, told: str) -> None:
    score = CrashScore(fitness, 0, frames, 0, None, standing)
    assert furthest_point(TARGET, score) == told
    [hint] = hints(TARGET, Evaluation(TestCase(()), score))
    assert hint == told.replace("the next frame", "locate")


def test_nothing_entered() -> None:
    assert furthest_point(TARGET, CrashScore(2.0, 0, 0, 0)) == "shelf.py:7 take was not entered"
    assert "never entered" in next(hints(TARGET, Evaluation(TestCase(()), CrashScore(2.0, 0, 0, 0))))


def test_a_partial_result_names_what_is_missing() -> None:
    score = CrashScore(0.08, 2, 2, 1, None, Standing.REACHED)
    assert list(hints(TARGET, Evaluation(TestCase(()), score))) == [
        "KeyError was raised at the right line, but on another path (1 of 2 frames match)"
    ]
