"""Where requests are worked on, crashes to reproduce and modules to test: a Protocol, and this machine."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Protocol

from crashwright.core.codec import TaggedUnion
from crashwright.core.errors import EnvironmentProblem
from crashwright.supervision.command_process import run_command
from crashwright.supervision.scratch import Scratch
from crashwright.supervision.watchdog import Watchdog
from crashwright.workflows.generate.request import SuiteRequest
from crashwright.workflows.generate.time import LONGEST_FAREWELL
from crashwright.workflows.reproduce.request import Request

Told = Callable[[str], Awaitable[None]]
Asked = Request | SuiteRequest
ASKED: TaggedUnion[Asked] = TaggedUnion("asked", (Request, SuiteRequest))
_LEAVING = 30.0
"""Seconds that a process which was interrupted has to end, beside those for its file: on a busy machine what has begun takes long,
and whoever does not want to wait for it interrupts once more."""


class PlaceGone(EnvironmentProblem):
    """Nothing can be run at the place any more."""


class Place(Protocol):
    """Runs requests, each in a process of its own and as often as it is asked: a request that is run twice does no harm, for its
    test comes back as text."""

    async def open(self, told: Told, /) -> None:
        """Make it ready. ``told`` hears what the user should know of the place, until it is closed. Raises EnvironmentProblem."""

    def width(self) -> int:
        """How many requests can run at the same time, as it is now."""

    async def run(self, request: Asked, told: Told) -> dict[str, Any]:
        """The document of ``crashwright reproduce --json``, or ``generate``; ``told`` hears of the progress. Without a verdict: it
        was killed. Raises EnvironmentProblem where the place is not fit for it, so that there is no answer."""

    async def close(self) -> None:
        """Leave nothing running."""


class LocalProcesses:
    """This machine, ``width`` processes at a time, which end with this one."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._watchdog = Watchdog()

    async def open(self, _told: Told, /) -> None:
        """It is ready."""

    def width(self) -> int:
        """As wide as it was made."""
        return self._width

    async def run(self, request: Asked, told: Told) -> dict[str, Any]:
        """In a process with a scratch folder for its test. A suite that is interrupted is still what was found for it."""
        with Scratch(self._watchdog) as scratch:
            if isinstance(request, SuiteRequest):
                request, farewell = replace(request, output=str(scratch)), LONGEST_FAREWELL + _LEAVING
            else:
                request, farewell = replace(request, output=str(scratch / "test_crash.py")), 0.0
            return await run_command(["task"], json.dumps(ASKED.to_json(request)), told, self._watchdog, farewell)

    async def close(self) -> None:
        """Each process has ended with the request that it was started for; so does the one that watched them."""
        self._watchdog.dismiss()
