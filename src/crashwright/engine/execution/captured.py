"""What a test writes and logs, as pytest's ``capsys`` and ``caplog`` would have it: effects that no value shows."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable
from typing import Any, NamedTuple


class CapturedText(NamedTuple):
    """As ``capsys.readouterr()`` returns it."""

    out: str


class _StillReadable(io.BytesIO):
    """Can be read though the subject has closed the stream that writes to it."""

    def close(self) -> None:
        """Nothing is given up."""


class CapturedOutput:
    """Stands for ``capsys``. ``stream`` takes the place of ``sys.stdout``."""

    def __init__(self) -> None:
        self._written = _StillReadable()
        self.stream = io.TextIOWrapper(self._written, encoding="utf-8", newline="", write_through=True)

    def readouterr(self) -> CapturedText:
        """All that was written so far; it may be asked again."""
        return CapturedText(self._written.getvalue().decode("utf-8", "replace"))


class CapturedLog(logging.Handler):
    """Stands for ``caplog``."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        self.records.append(record)

    @property
    def messages(self) -> list[str]:
        """Of all records, with their arguments."""
        return [record.getMessage() for record in self.records]


CAPTURED: dict[str, Callable[[], Any]] = {"output": CapturedOutput, "log": CapturedLog}
"""By the place of an ``Ambient``."""


def root_logger() -> logging.Logger:
    """Where ``caplog`` listens."""
    return logging.getLogger()
