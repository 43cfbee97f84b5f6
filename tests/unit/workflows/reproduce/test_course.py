from __future__ import annotations

from pathlib import Path

from hand_clock import Clock

from crashwright.core.location import CodeKey
from crashwright.core.messages import Found, Progress, Ready
from crashwright.core.target import TargetFrame
from crashwright.workflows.events import BetterTest, EngineStarted, Event, GoingInwards, Searching
from crashwright.workflows.reproduce.course import Course
from crashwright.workflows.reproduce.excerpts import excerpts
from crashwright.workflows.reproduce.result import CoursePoint, Excerpt

READY = EngineStarted(Ready("3.11.7", 0.1, "shop.reserve"))


def progress(evaluations: int, frames: int, distance: float) -> Searching:
    return Searching(Progress(0.0, evaluations, frames, 3, distance, ""), 10.0, None)


def better(evaluations: int, frames: int, distance: float) -> BetterTest:
    return BetterTest(Found({}, 4, frames, distance, evaluations, 0.0))


def course_of(*steps: tuple[float, Event]) -> tuple[CoursePoint, ...]:
    clock, heard = Clock(), list[Event]()
    course = Course(heard.append, clock)
    for clock.now, event in steps:
        course.hear(event)
    assert heard == [event for _, event in steps]
    return course.points


def test_what_comes_nearer_is_kept_and_where_it_ended() -> None:
    points = course_of(
        (5.0, READY),
        (5.5, progress(10, 1, 2.0)),
        (6.0, progress(20, 1, 2.0)),
        (7.0, better(30, 2, 1.0)),
        (9.0, progress(90, 2, 1.5)),
    )
    assert points == (CoursePoint(0.5, 10, 1, 2.0), CoursePoint(2.0, 30, 2, 1.0), CoursePoint(4.0, 90, 2, 1.0))


def test_searches_follow_each_other_with_their_evaluations_counted_on() -> None:
    points = course_of(
        (0.0, READY),
        (1.0, progress(10, 2, 1.0)),
        (2.0, progress(50, 2, 1.0)),
        (3.0, GoingInwards(2, "take", "reserve")),
        (3.0, READY),
        (4.0, progress(5, 1, 3.0)),
    )
    assert points == (CoursePoint(1.0, 10, 2, 1.0), CoursePoint(2.0, 50, 2, 1.0), CoursePoint(4.0, 55, 1, 3.0, frame=2))


def test_a_long_course_is_thinned_out_from_its_first_to_its_last_point() -> None:
    points = course_of((0.0, READY), *((float(step), progress(step, 1, 10_000.0 - step)) for step in range(1, 5000)))
    assert len(points) <= 201
    assert (points[0].evaluations, points[-1].evaluations) == (1, 4999)


def frame(path: Path, line: int, first: int) -> TargetFrame:
    return TargetFrame(CodeKey("shop", "take", first), str(path), line, "", None, True)


def test_excerpts_begin_at_the_head_of_a_function_that_is_near_and_are_made_clean(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_text("".join(f"line {number}\n" for number in range(1, 41)))
    near, far, gone = excerpts((frame(file, 20, 18), frame(file, 38, 2), frame(tmp_path / "none.py", 3, 1)), str.upper)
    assert near == Excerpt(18, tuple(f"LINE {number}" for number in range(18, 25)))
    assert (far.first, far.lines[10]) == (28, "LINE 38")
    assert gone == Excerpt(1)
