"""The formats that crash reports come in: a small Protocol, the readers there are, and the one door that callers use."""

from __future__ import annotations

from typing import Protocol

from crashwright.core.errors import ReportError
from crashwright.core.report import CrashReport, Unknown
from crashwright.crash.readers.plain import PlainReader


class TraceReader(Protocol):
    """Reads one format. ``read`` never raises on any text: what it cannot read is an :class:`Unknown` with the reason."""

    @property
    def name(self) -> str:
        """One word for messages."""

    def read(self, text: str) -> tuple[CrashReport, ...] | Unknown:
        """The reports of ``text`` in the order of printing (at least one), or why there are none."""


READERS: tuple[TraceReader, ...] = (PlainReader(),)
"""Most special first: the first reader that finds a report wins."""


def read_reports(text: str, readers: tuple[TraceReader, ...] = READERS) -> tuple[CrashReport, ...]:
    """The reports of ``text`` in the order of printing; callers take the last unless told otherwise. Raises ReportError."""
    if not text.strip():
        raise ReportError("The report is empty.", "Paste the whole traceback, from 'Traceback (most recent call last):' on.")
    reasons = []
    for reader in readers:
        result = reader.read(text)
        if not isinstance(result, Unknown):
            return result
        reasons.append(result.reason)
    first = next(line.strip() for line in text.splitlines() if line.strip())
    raise ReportError(
        f"This is not a readable crash report: {'; '.join(dict.fromkeys(reasons))} (it begins with {first[:60]!r}).",
        "Paste the text as Python printed it, from 'Traceback (most recent call last):' to the line that names the exception.",
    )
