"""The crash search as in ``crashwright.engine.sessions.crash``, run twice in one fork: it sends a digest of every test that each
run made."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable
from typing import Any, cast

from crashwright.core.messages import EndReason, Finished, Incident, IncidentKind, Message
from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.sessions.crash import CrashSession
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.channel import Channel
from crashwright.engine.worker.protocol import Resume, Workbench


class Trail:
    """An executor that remembers, in a digest, which tests it ran in which order."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._digest = hashlib.sha256()
        self.tests = 0

    def run(self, test: TestCase) -> Outcome:
        self.tests += 1
        self._digest.update(json.dumps(encode(test)).encode())
        return self._executor.run(test)

    def told(self) -> str:
        return f"{self.tests} {self._digest.hexdigest()}"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._executor, name)


class Mute:
    """A channel that keeps what the search says to itself."""

    def send(self, message: Message) -> None:
        pass

    def checkpoint(self, data: bytes) -> None:
        pass

    def hear_again(self, messages: Iterable[Message]) -> None:
        pass

    def asked_to_stop(self) -> bool:
        return False


class TrailSession(CrashSession):
    def run(self, bench: Workbench, resume: Resume) -> None:
        for _ in range(2):
            trail = Trail(bench.executor)
            bench.executor.observed.clear()
            quiet = dataclasses.replace(bench, executor=cast(Executor, trail), channel=cast(Channel, Mute()))
            super().run(quiet, resume)
            bench.channel.send(Incident(IncidentKind.NOTED, trail.told()))
        bench.channel.send(Finished(EndReason.BUDGET, 0, 0.0))


def session() -> TrailSession:
    return TrailSession()
