"""The story on a terminal: a live line of progress while the search runs, colour, and the rows of ``story``."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.status import Status
from rich.text import Text

from crashwright.reporting.plain import labelled
from crashwright.reporting.progress import status
from crashwright.reporting.story import StoryRow, crash_rows, result_rows, subject_rows
from crashwright.workflows.events import Event, SubjectResolved
from crashwright.workflows.reproduce.result import Result

_STYLES = {"good": "green", "bad": "yellow", "dim": "dim", "plain": ""}


class LiveLine:
    """A line at the bottom of ``console`` that says what is happening now."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status: Status | None = None

    def show(self, text: str) -> None:
        """Replace what it says; nothing to say leaves it as it is."""
        if not text:
            return
        if self._status is None:
            self._status = self._console.status("")
            self._status.start()
        self._status.update(Text(text, no_wrap=True, overflow="ellipsis"))

    def close(self) -> None:
        """Take the line away."""
        if self._status is not None:
            self._status.stop()
            self._status = None


class TerminalReport(LiveLine):
    """Draws on ``console``."""

    def event(self, event: Event) -> None:
        """Show what happens."""
        if isinstance(event, SubjectResolved):
            self._rows(crash_rows(event.target))
            self._rows(subject_rows(event.subject, event.python, event.notes))
        self.show(status(event))

    def result(self, result: Result) -> None:
        """Show what came of it."""
        self.close()
        self._rows(result_rows(result))

    def _rows(self, rows: Iterable[StoryRow]) -> None:
        print_rows(self._console, rows)


def print_rows(console: Console, rows: Iterable[StoryRow]) -> None:
    """Print labelled rows in colour."""
    for row in rows:
        line = Text.assemble((labelled(row.label), "bold"), (row.text, _STYLES[row.mood]))
        console.print(line, soft_wrap=True, highlight=False)
