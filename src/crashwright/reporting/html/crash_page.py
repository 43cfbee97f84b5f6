"""The page of a crash: its frames with their source as a ladder, how far the search got, the test, and all that was tried.

It is made from the JSON document of ``reproduce``, also from one that was saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from crashwright.core.codec import from_json
from crashwright.core.errors import ExitCode
from crashwright.core.target import TargetFrame
from crashwright.finishing.naming import function_name, module_file
from crashwright.reporting.html.page import page
from crashwright.reporting.html.plot import Plot, Series, plot
from crashwright.reporting.html.source import SourceLine, source_lines
from crashwright.reporting.progress import came_to
from crashwright.reporting.story import StoryRow, result_rows, try_command
from crashwright.workflows.reproduce.result import CoursePoint, Excerpt, Result

_MOODS = {ExitCode.SUCCESS: "good", ExitCode.PARTIAL: "partial"}
_TOLD_ELSEWHERE = frozenset({"candidates", "earlier", "inwards", "rejected", "confined"})
"""Rows of the story that have a section of the page."""


class Rung(NamedTuple):
    """A frame. ``level`` counts from the crash, 0 where the frame does not decide; ``reached`` says when a test entered it."""

    level: int
    name: str
    place: str
    entered: bool
    reached: str
    lines: list[SourceLine]
    line: int
    local_values: Mapping[str, str]
    repeated: int


def crash_page(document: Mapping[str, Any]) -> str:
    """The page of a JSON document of ``reproduce``. Raises Undecodable where it is none."""
    result = from_json(Result, dict(document))
    return page(
        "crash.html.j2",
        verdict=str(document.get("verdict", "")),
        mood=_MOODS.get(result.exit_code, "bad"),
        result=result,
        place=_place(result.target.crash_frame),
        rungs=ladder(result),
        story=[(label, list(rows)) for label, rows in _labelled(result_rows(result))],
        plots=list(filter(None, course_plots(result))),
        test=source_lines(result.test.text) if result.test is not None else [],
        try_command=try_command(result) if result.test is not None and result.test.file else "",
        candidates=[(one.name, came_to(one)) for one in result.candidates],
    )


def ladder(result: Result) -> list[Rung]:
    """The frames, outermost first."""
    rungs: list[Rung] = []
    level = len(result.target.package_frames) + 1
    excerpts = (*result.excerpts, *(Excerpt(frame.line) for frame in result.target.frames[len(result.excerpts) :]))
    for frame, excerpt in zip(result.target.frames, excerpts, strict=False):
        level -= frame.in_package
        entered, reached = _reached(result, len(result.target.package_frames) + 1 - level) if frame.in_package else (False, "")
        rungs.append(
            Rung(
                level=level if frame.in_package else 0,
                name=function_name(frame),
                place=_place(frame),
                entered=entered,
                reached=reached,
                lines=_shown(frame, excerpt),
                line=frame.line,
                local_values=frame.local_values,
                repeated=frame.repeated,
            )
        )
    return rungs


def course_plots(result: Result) -> list[Plot | None]:
    """How the search came nearer: frames, and distance."""
    frames = [_series(name, points, lambda one: float(one.frames)) for name, points in _searches(result)]
    distances = [_series(name, points, lambda one: one.distance) for name, points in _searches(result)]
    total, nearest = result.frames_total, _number(result.distance)
    reached = f"At the end, the best test entered {result.frames_reached} of {total} frames."
    return [
        plot("Frames entered by the best test, over seconds", reached, frames, "s", float(total)),
        plot("Distance of the best test to the crash, over seconds", f"The nearest distance was {nearest}.", distances, "s"),
    ]


def _number(value: float) -> str:
    return f"{value:.3g}"


def _place(frame: TargetFrame) -> str:
    return f"{module_file(frame)}:{frame.line}"


def _shown(frame: TargetFrame, excerpt: Excerpt) -> list[SourceLine]:
    if excerpt.lines:
        return source_lines("\n".join(excerpt.lines), excerpt.first)
    return source_lines(frame.source, frame.line) if frame.source else []


def _reached(result: Result, number: int) -> tuple[bool, str]:
    """Whether a test entered frame ``number``, counted from the outermost one, and when the first did."""
    point = next((one for one in result.course if not one.frame and one.frames >= number), None)
    if point is not None:
        return True, f"entered after {point.seconds:.1f} s and {point.evaluations:,} tests"
    entered = number <= result.frames_reached
    return entered, "entered" if entered else "not entered"


def _searches(result: Result) -> Iterable[tuple[str, list[CoursePoint]]]:
    for frame, points in groupby(result.course, key=lambda one: one.frame):
        yield f"from frame {frame}" if frame else "from the chosen frame", list(points)


def _series(name: str, points: list[CoursePoint], value: Callable[[CoursePoint], float]) -> Series:
    return Series(name, [(one.seconds, value(one)) for one in points])


def _labelled(rows: Iterable[StoryRow]) -> Iterable[tuple[str, list[StoryRow]]]:
    """Rows together with those that go on after them."""
    kept: list[tuple[str, list[StoryRow]]] = []
    for row in rows:
        if row.label or not kept:
            kept.append((row.label, []))
        kept[-1][1].append(row)
    return [(label, group) for label, group in kept if label not in _TOLD_ELSEWHERE]
