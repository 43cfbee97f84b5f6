"""A batch on a terminal: answers as they come, and below them a line for each worker."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

from crashwright.reporting.batch import answer_rows, batch_rows, batch_status, planned_rows
from crashwright.reporting.terminal import print_rows
from crashwright.reporting.worker_lines import WorkerLines
from crashwright.workflows.batch.events import Answered, BatchEvent, BatchTold, Begun, Gathered, Planned, Working
from crashwright.workflows.batch.request import BatchResult


class BatchTerminalReport:
    """Draws on ``console``, which knows how wide it is and whether it has colours; ``clock`` tells the time left."""

    def __init__(self, console: Console, clock: Callable[[], float]) -> None:
        self._console = console
        self.workers = WorkerLines(console, clock)

    def event(self, event: BatchEvent) -> None:
        """Show what happens."""
        match event:
            case Planned():
                print_rows(self._console, planned_rows(event))
                self.workers.say("")
            case Begun() | Working():
                self.workers.show(event)
            case Answered():
                print_rows(self._console, answer_rows(event.entry, event.answer, event.file))
                self.workers.ended(event.worker)
                self.workers.say(batch_status(event))
            case Gathered(texts=texts, reports=reports):
                self.workers.say(f"reading: {texts:,} texts, {reports:,} reports")
            case BatchTold(text):
                self.workers.say(text)

    def result(self, result: BatchResult) -> None:
        """Show what came of all."""
        self.close()
        print_rows(self._console, batch_rows(result))

    def close(self) -> None:
        """Take the lines away."""
        self.workers.close()
