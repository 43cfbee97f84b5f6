"""What the workers of a cluster run for a batch: they import this module, so that they need crashwright."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

from distributed import get_worker

from crashwright.core.errors import CrashwrightError
from crashwright.environment.interpreter import inspect_interpreter
from crashwright.environment.source_digests import source_digests
from crashwright.workflows.places.place import ASKED, LocalProcesses

LOOK_SECONDS = 1.0
"""How often a worker looks whether what it does is still wanted."""


class WorkerProblem(Exception):
    """A worker cannot run anything, for a ``reason`` of its machine."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(address, reason)
        self.address = address
        self.reason = reason


async def digests_there(python: str, path: tuple[str, ...]) -> dict[str, str] | str:
    """What ``python`` imports on this machine, as digests; or why it does not run. The worker is heard of meanwhile."""
    try:
        return await asyncio.to_thread(lambda: source_digests(inspect_interpreter(python, path)))
    except CrashwrightError as error:
        return error.message


async def while_wanted(work: Coroutine[Any, Any, dict[str, Any]], wanted: Callable[[], bool]) -> dict[str, Any]:
    """What comes of ``work``. It is cancelled where nobody waits for it any more."""
    task = asyncio.create_task(work)
    while not (await asyncio.wait({task}, timeout=LOOK_SECONDS))[0]:
        if not wanted():
            task.cancel()
            break
    try:
        return await task
    except asyncio.CancelledError:
        return {}


def run_there(request: str, topic: str, key: str) -> dict[str, Any]:
    """Run a request, as JSON, on the worker that this is called on; its progress goes to the ``topic``, as that of ``key``. Raises
    WorkerProblem."""
    worker = get_worker()

    async def told(line: str) -> None:
        worker.log_event(topic, [key, line])

    def wanted() -> bool:
        # Whoever waited is gone, with or without a word: the scheduler has taken the task back.
        return getattr(worker.state.tasks.get(key), "state", "") != "cancelled"

    async def worked() -> dict[str, Any]:
        place = LocalProcesses(1)
        try:
            return await while_wanted(place.run(ASKED.from_json(json.loads(request)), told), wanted)
        finally:
            await place.close()

    try:
        return asyncio.run(worked())
    except OSError as error:  # no room for its scratch folder, no process to be had
        raise WorkerProblem(worker.address, str(error)) from None
