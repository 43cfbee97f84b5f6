"""Where the crashes of a batch are reproduced: a Protocol, and this machine."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Protocol

from crashwright.core.codec import to_json
from crashwright.core.errors import EnvironmentProblem
from crashwright.supervision.command_process import run_command
from crashwright.supervision.scratch import Scratch
from crashwright.supervision.watchdog import Watchdog
from crashwright.workflows.reproduce.request import Request

Told = Callable[[str], Awaitable[None]]


class PlaceGone(EnvironmentProblem):
    """Nothing can be run at the place any more."""


class Place(Protocol):
    """Runs requests, each in a process of its own and as often as it is asked: a request that is run twice does no harm, for its
    test comes back as text."""

    async def open(self, told: Told, /) -> int:
        """Make it ready; how many requests can run at the same time. ``told`` hears what the user should know of the place, until
        it is closed. Raises EnvironmentProblem."""

    async def run(self, request: Request, told: Told) -> dict[str, Any]:
        """The document of ``crashwright reproduce --json``; ``told`` hears of the progress. Without a verdict: it was killed.
        Raises EnvironmentProblem where the place is not fit for it, so that there is no answer."""

    async def close(self) -> None:
        """Leave nothing running."""


class LocalProcesses:
    """This machine, ``width`` processes at a time, which end with this one."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._watchdog = Watchdog()

    async def open(self, _told: Told, /) -> int:
        """As wide as it was made."""
        return self._width

    async def run(self, request: Request, told: Told) -> dict[str, Any]:
        """In a process with a scratch folder for its test."""
        with Scratch(self._watchdog) as scratch:
            request = replace(request, output=str(scratch / "test_crash.py"))
            return await run_command(["task"], json.dumps(to_json(request)), told, self._watchdog)

    async def close(self) -> None:
        """Each process has ended with the request that it was started for."""
