"""Generated suites on a terminal: a live line of progress, or one for each worker; colour, and the rows of ``suite``."""

from __future__ import annotations

import time

from rich.console import Console

from crashwright.reporting.suite import package_rows, subject_rows, suite_rows
from crashwright.reporting.suite_progress import suite_status
from crashwright.reporting.terminal import LiveLine, print_rows
from crashwright.reporting.worker_lines import WorkerLines
from crashwright.workflows.batch.events import BatchTold, Begun, Working
from crashwright.workflows.generate.events import ModuleEnded, SubjectFound
from crashwright.workflows.generate.result import SuiteResult
from crashwright.workflows.modules.story import ModulesEvent


class SuiteTerminalReport:
    """Draws on ``console``."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._line = LiveLine(console)
        self.workers = WorkerLines(console, time.monotonic)

    def event(self, event: ModulesEvent) -> None:
        """Show what happens."""
        match event:
            case SubjectFound():
                print_rows(self._console, subject_rows(event))
                self._line.show(suite_status(event))
            case Begun() | Working():
                self._line.close()
                self.workers.show(event)
            case BatchTold(text):
                self._line.close()
                self.workers.say(text)
            case ModuleEnded(suite, number, total, worker):
                self._line.close()
                print_rows(self._console, package_rows(suite))
                self.workers.ended(worker)
                self.workers.say(f"{number} of {total} modules answered")
            case _:
                self._line.show(suite_status(event))

    def result(self, result: SuiteResult) -> None:
        """Show what came of it."""
        self.close()
        print_rows(self._console, suite_rows(result))

    def close(self) -> None:
        """Take the lines away."""
        self._line.close()
        self.workers.close()
