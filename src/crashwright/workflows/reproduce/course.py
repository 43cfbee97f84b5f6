"""How near a search came, and when: noted from what happens, while that goes on to whoever shows it."""

from __future__ import annotations

from collections.abc import Callable

from crashwright.workflows.deadline import Clock
from crashwright.workflows.events import BetterTest, EngineStarted, Event, GoingInwards, Searching
from crashwright.workflows.reproduce.result import CoursePoint

_MOST = 200
"""Points that are kept: more than a picture shows."""


class Course:
    """Stands before ``listen``. ``points`` are those at which the search from a frame came nearer, and where it stood last."""

    def __init__(self, listen: Callable[[Event], None], clock: Clock) -> None:
        self._listen = listen
        self._clock = clock
        self._began: float | None = None
        self._frame = 0
        self._before = 0  # evaluations of the engines before this one
        self._nearer: list[CoursePoint] = []
        self._last: CoursePoint | None = None

    @property
    def points(self) -> tuple[CoursePoint, ...]:
        """In the order of time."""
        if self._last is None or (self._nearer and self._nearer[-1] == self._last):
            return tuple(self._nearer)
        return (*self._nearer, self._last)

    def hear(self, event: Event) -> None:
        """Note how far the search is, and pass the event on."""
        match event:
            case EngineStarted():
                self._begin()
            case GoingInwards(frame=frame):
                self._frame = frame
            case Searching(progress=progress):
                self._note(progress.evaluations, progress.frames, progress.distance)
            case BetterTest(found=found):
                self._note(found.evaluations, found.frames, found.distance)
        self._listen(event)

    def _begin(self) -> None:
        if self._began is None:
            self._began = self._clock()
        if self._last is not None:
            self._before = self._last.evaluations

    def _note(self, evaluations: int, frames: int, distance: float) -> None:
        began = self._clock() if self._began is None else self._began
        # Of several engines one may tell late what it saw early.
        counted = max(self._before + evaluations, self._last.evaluations if self._last is not None else 0)
        point = CoursePoint(round(self._clock() - began, 3), counted, frames, distance, self._frame)
        best = self._nearer[-1] if self._nearer and self._nearer[-1].frame == self._frame else None
        if best is None or (frames, -distance) > (best.frames, -best.distance):
            self._keep_last()
            self._nearer.append(point)
            if len(self._nearer) > _MOST:
                self._nearer = [*self._nearer[:1], *self._nearer[2::2]]
            self._last = point
        else:
            self._last = CoursePoint(point.seconds, counted, best.frames, best.distance, self._frame)

    def _keep_last(self) -> None:
        """Where the search from another frame ended is the end of its line."""
        last = self._last
        if last is not None and last.frame != self._frame and self._nearer and self._nearer[-1] != last:
            self._nearer.append(last)
