"""What an engine of these tests is told, and what it said."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crashwright.core.messages import Failed, Finished, Found, Incident, Message, Ready, Start
from crashwright.core.settings import Budget, EngineSettings, LimitSettings
from crashwright.core.target import CrashTarget

HERE = Path(__file__).parent
SESSION = str(HERE / "toy_session.py")


@dataclass
class Story:
    """What an engine said. ``results`` are the outcomes by function."""

    messages: list[Message] = field(default_factory=list)
    seconds: float = 0.0

    def of(self, kind: type) -> list[Any]:
        return [message for message in self.messages if isinstance(message, kind)]

    @property
    def steps(self) -> list[tuple[str, str | None]]:
        """Each function that was run, in this order, and the class of what it raised."""
        return [(message.test["function"], message.test["error"]) for message in self.of(Found)]

    @property
    def results(self) -> dict[str, dict[str, Any]]:
        return {message.test["function"]: message.test for message in self.of(Found)}

    @property
    def incidents(self) -> str:
        return "\n".join(f"{message.kind}: {message.text}" for message in self.of(Incident))

    @property
    def finished(self) -> bool:
        return bool(self.of(Finished))

    @property
    def ready(self) -> bool:
        return bool(self.of(Ready))

    @property
    def failure(self) -> Failed:
        return self.of(Failed)[0]


def make_start(
    module: str, plan: list[Any], limits: LimitSettings | None = None, path: Path = HERE, allow: tuple[str, ...] = ()
) -> Start:
    settings = EngineSettings(
        budget=Budget(30.0), limits=limits or LimitSettings(import_seconds=15.0, memory_mib=512), path=(str(path),), allow=allow
    )
    steps = [step if isinstance(step, tuple | list) else (step, None) for step in plan]
    return Start(settings, CrashTarget(module, "ValueError", json.dumps(steps), ()))
