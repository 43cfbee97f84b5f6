"""Plain lines for a pipe or a log: progress once a second at most, then the story."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO

from crashwright.reporting.progress import status
from crashwright.reporting.story import StoryRow, crash_rows, result_rows, subject_rows
from crashwright.workflows.events import Event, Searching, SubjectResolved
from crashwright.workflows.reproduce.result import Result

LABEL = 11
"""Width of the column of labels, with the space behind them."""


def row_line(row: StoryRow) -> str:
    """``row`` as a line of text."""
    return f"{labelled(row.label)}{row.text}".rstrip()


def labelled(label: str) -> str:
    """``label`` in its column; one that fills it has its space all the same."""
    column = f"{label:<{LABEL}}"
    return column if column.endswith(" ") else f"{column} "


class PlainReport:
    """Writes the story to ``out``, the ``whole`` of it or shortened, and progress to ``log``, no more than once in ``interval``
    seconds of ``clock``."""

    def __init__(self, out: TextIO, log: TextIO, clock: Callable[[], float], interval: float = 1.0, whole: bool = False) -> None:
        self._out = out
        self._log = log
        self._clock = clock
        self._interval = interval
        self._whole = whole
        self._next = clock() + interval

    def event(self, event: Event) -> None:
        """Show what happens."""
        if isinstance(event, SubjectResolved):
            self._rows(crash_rows(event.target))
            self._rows(subject_rows(event.subject, event.python, event.notes))
        if isinstance(event, Searching):
            if self._clock() < self._next:
                return
            self._next = self._clock() + self._interval
        text = status(event)
        if text:
            print(f"{'...':<{LABEL}}{text}", file=self._log, flush=True)

    def result(self, result: Result) -> None:
        """Show what came of it."""
        self._rows(result_rows(result, self._whole))

    def close(self) -> None:
        """Nothing is held."""

    def _rows(self, rows: Iterable[StoryRow]) -> None:
        for row in rows:
            print(row_line(row), file=self._out, flush=True)
