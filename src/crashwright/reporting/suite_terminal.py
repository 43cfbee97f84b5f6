"""Generated suites on a terminal: a live line of progress, colour, and the rows of ``suite``."""

from __future__ import annotations

from rich.console import Console
from rich.status import Status
from rich.text import Text

from crashwright.reporting.suite import subject_rows, suite_rows
from crashwright.reporting.suite_progress import suite_status
from crashwright.reporting.terminal import print_rows
from crashwright.workflows.suite_events import SubjectFound, SuiteEvent
from crashwright.workflows.suite_result import SuiteResult


class SuiteTerminalReport:
    """Draws on ``console``."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status: Status | None = None

    def event(self, event: SuiteEvent) -> None:
        """Show what happens."""
        if isinstance(event, SubjectFound):
            print_rows(self._console, subject_rows(event))
        text = suite_status(event)
        if not text:
            return
        if self._status is None:
            self._status = self._console.status("")
            self._status.start()
        self._status.update(Text(text, no_wrap=True, overflow="ellipsis"))

    def result(self, result: SuiteResult) -> None:
        """Show what came of it."""
        self.close()
        print_rows(self._console, suite_rows(result))

    def close(self) -> None:
        """Take the live line away."""
        if self._status is not None:
            self._status.stop()
            self._status = None
