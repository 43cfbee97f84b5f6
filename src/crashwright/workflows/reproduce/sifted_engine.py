"""An engine whose words have passed the filter of secrets: what a subject says at run time may hold some, too. Its tests are as
they were run: what of them is shown, sent or stored passes the filter there (``harmless``)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from enum import Enum
from typing import Any

from crashwright.core.messages import Insight, Message, Suggestions
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.workflows.reproduce.hunt import Engine


class SiftedEngine:
    """``engine`` as the rest of the story sees it."""

    def __init__(self, engine: Engine, secrets: SecretFilter) -> None:
        self._engine = engine
        self._secrets = secrets

    @property
    def running(self) -> bool:
        """Messages may still come."""
        return self._engine.running

    def next(self, seconds: float) -> Message | None:
        """The next message, or None where none came within ``seconds``."""
        message = self._engine.next(seconds)
        return None if message is None else sifted_message(message, self._secrets)

    def inform(self, insight: Insight | Suggestions) -> None:
        """Tell it what was found beside it."""
        self._engine.inform(insight)

    def ask_for_results(self) -> None:
        """No more searching."""
        self._engine.ask_for_results()

    def stop(self) -> Sequence[Message]:
        """End it, now. Returns what it had not told yet."""
        return [sifted_message(message, self._secrets) for message in self._engine.stop()]


def sifted_message(message: Message, secrets: SecretFilter) -> Message:
    """``message`` with stand-ins in its words."""
    found: Message = _sifted(message, secrets)
    return found


def _sifted(value: Any, secrets: SecretFilter) -> Any:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return secrets.text(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changes = {field.name: _sifted(getattr(value, field.name), secrets) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **changes)
    if isinstance(value, tuple):
        items = [_sifted(item, secrets) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value
