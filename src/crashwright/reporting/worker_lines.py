"""Those who work on many things at a time, on a terminal: a line for each, with what it does now and the time it has left, and one
for all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from crashwright.reporting.workers import duration
from crashwright.workflows.batch.events import Begun, Working

_A_SECOND = 4
"""How often the lines are drawn anew: the time left goes down by itself."""


@dataclass(slots=True)
class _Worker:
    title: str
    until: float | None
    text: str = ""


class WorkerLines:
    """At the bottom of ``console``; ``clock`` tells the time left."""

    def __init__(self, console: Console, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._workers: dict[int, _Worker] = {}
        self._line = ""
        self._live = Live(
            console=console, get_renderable=self.lines, refresh_per_second=_A_SECOND, transient=True, redirect_stderr=False
        )

    def show(self, event: Begun | Working) -> None:
        """What a worker does now."""
        self._live.start()
        match event:
            case Begun(worker, title, seconds):
                self._workers[worker] = _Worker(title, None if seconds is None else self._clock() + seconds)
            case Working(worker, text):
                self._workers[worker].text = text

    def ended(self, worker: int) -> None:
        """It has nothing to do."""
        self._workers.pop(worker, None)

    def say(self, text: str) -> None:
        """What there is to say of all of them."""
        self._live.start()
        self._line = text

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
