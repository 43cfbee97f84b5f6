"""Collecting feeds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from feeds.entries import Entry, parse_entry


class Collector:
    """Reads feeds side by side; ``delay`` is the pause between two entries, in seconds."""

    def __init__(self, delay: float = 0.0) -> None:
        self.delay = delay
        self.entries: list[Entry] = []

    async def read(self, feed: Iterable[dict[str, str]]) -> int:
        count = 0
        for raw in feed:
            await asyncio.sleep(self.delay)
            self.entries.append(parse_entry(raw))
            count += 1
        return count

    async def collect(self, feeds: list[list[dict[str, str]]]) -> int:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self.read(feed)) for feed in feeds]
        return sum(task.result() for task in tasks)
