"""Generated suites on a terminal: a live line of progress, colour, and the rows of ``suite``."""

from __future__ import annotations

from crashwright.reporting.suite import subject_rows, suite_rows
from crashwright.reporting.suite_progress import suite_status
from crashwright.reporting.terminal import LiveLine, print_rows
from crashwright.workflows.generate.events import SubjectFound, SuiteEvent
from crashwright.workflows.generate.result import SuiteResult


class SuiteTerminalReport(LiveLine):
    """Draws on ``console``."""

    def event(self, event: SuiteEvent) -> None:
        """Show what happens."""
        if isinstance(event, SubjectFound):
            print_rows(self._console, subject_rows(event))
        self.show(suite_status(event))

    def result(self, result: SuiteResult) -> None:
        """Show what came of it."""
        self.close()
        print_rows(self._console, suite_rows(result))
