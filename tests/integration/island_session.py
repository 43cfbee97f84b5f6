"""The crash search as in ``crashwright.engine.sessions.crash``: before its last message it sends a digest of every test it made."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any, cast

from crashwright.core.messages import Finished, Incident, IncidentKind, Message
from crashwright.engine.execution.executor import Executor
from crashwright.engine.sessions.crash import CrashSession
from crashwright.engine.worker.channel import Channel
from crashwright.engine.worker.protocol import Resume, Workbench

sys.path.insert(0, str(Path(__file__).parent))
from trail_session import Trail


class Telling:
    """A channel that adds the trail."""

    def __init__(self, channel: Channel, trail: Trail, seed: int) -> None:
        self._channel = channel
        self._trail = trail
        self._seed = seed

    def send(self, message: Message) -> None:
        if isinstance(message, Finished):
            self._channel.send(Incident(IncidentKind.NOTED, f"{self._seed} {self._trail.told()}"))
        self._channel.send(message)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._channel, name)


class IslandSession(CrashSession):
    def run(self, bench: Workbench, resume: Resume) -> None:
        trail = Trail(bench.executor)
        channel = Telling(bench.channel, trail, bench.start.settings.search.seed)
        super().run(dataclasses.replace(bench, executor=cast(Executor, trail), channel=cast(Channel, channel)), resume)


def session() -> IslandSession:
    return IslandSession()
