"""What the user is told of an engine that cannot go on, or takes long to begin."""

from __future__ import annotations

from typing import Final

from crashwright.core.errors import EngineFailure, EnvironmentProblem, NoWayIn, PreparationProblem, SettingsMissing
from crashwright.core.messages import Failed, FailureKind

SLOW: Final = 1.0
"""Seconds after which an import that goes on is told again."""
WAITING_ADVICE: Final = "Find out what it waits for: import it by hand in that interpreter."
"""For an import that never ends."""


def failure(message: Failed) -> EnvironmentProblem | EngineFailure:
    """What the user is told of an engine that cannot go on."""
    if message.kind is FailureKind.INTERNAL:
        return EngineFailure(message.text, message.detail)
    kinds = {
        FailureKind.PREPARATION: PreparationProblem,
        FailureKind.TARGET: NoWayIn,
        FailureKind.SETTINGS: SettingsMissing,
    }
    kind = kinds.get(message.kind, EnvironmentProblem)
    return kind(message.text, message.advice or "Try it with `crashwright doctor`.")
