"""A batch on a terminal: answers as they come, and below them a line for each worker: its crash, what happens now, time left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from crashwright.reporting.batch import answer_rows, batch_rows, batch_status, duration, planned_rows
from crashwright.reporting.terminal import print_rows
from crashwright.workflows.batch.events import Answered, BatchEvent, BatchTold, Begun, Gathered, Planned, Working
from crashwright.workflows.batch.request import BatchResult

_A_SECOND = 4
"""How often the lines are drawn anew: the time left goes down by itself."""


@dataclass(slots=True)
class _Worker:
    title: str
    until: float | None
    text: str = ""


class BatchTerminalReport:
    """Draws on ``console``, which knows how wide it is and whether it has colours; ``clock`` tells the time left."""

    def __init__(self, console: Console, clock: Callable[[], float]) -> None:
        self._console = console
        self._clock = clock
        self._workers: dict[int, _Worker] = {}
        self._line = ""
        self._live = Live(
            console=console, get_renderable=self.lines, refresh_per_second=_A_SECOND, transient=True, redirect_stderr=False
        )

    def event(self, event: BatchEvent) -> None:
        """Show what happens."""
        self._live.start()
        match event:
            case Planned():
                print_rows(self._console, planned_rows(event))
                self._line = ""
            case Begun(worker, entry, seconds):
                until = None if seconds is None else self._clock() + seconds
                self._workers[worker] = _Worker(entry.crash.title, until)
            case Working(worker, text):
                self._workers[worker].text = text
            case Answered():
                print_rows(self._console, answer_rows(event.entry, event.answer, event.file))
                self._workers.pop(event.worker, None)
                self._line = batch_status(event)
            case Gathered(texts=texts, reports=reports):
                self._line = f"reading: {texts:,} texts, {reports:,} reports"
            case BatchTold(text):
                self._line = text

    def result(self, result: BatchResult) -> None:
        """Show what came of all."""
        self.close()
        print_rows(self._console, batch_rows(result))

    def close(self) -> None:
        """Take the lines away."""
        self._live.stop()

    def lines(self) -> RenderableType:
        """A line for each worker, and one for all."""
        table = Table.grid(padding=(0, 2), expand=True)
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True, overflow="ellipsis", ratio=2)
        table.add_column(no_wrap=True, overflow="ellipsis", ratio=3, style="dim")
        table.add_column(no_wrap=True, justify="right")
        for number, worker in sorted(self._workers.copy().items()):
            left = "" if worker.until is None else duration(max(0.0, worker.until - self._clock()))
            table.add_row(str(number), Text(worker.title), Text(worker.text), left)
        return Group(table, Text(self._line, no_wrap=True, overflow="ellipsis"))
