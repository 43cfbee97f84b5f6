"""The formats that crash reports come in: a small Protocol, the readers there are, and the one door that callers use."""

from __future__ import annotations

from typing import Protocol

from crashwright.core.errors import ReportError
from crashwright.core.report import CrashReport, Unknown
from crashwright.crash.readers.cleaning import narrow
from crashwright.crash.readers.excerpt import excerpt
from crashwright.crash.readers.junit import JUnitReader
from crashwright.crash.readers.plain import PlainReader
from crashwright.crash.readers.pytest_text import PytestReader
from crashwright.crash.readers.refusals import refusal
from crashwright.crash.readers.sentry import SentryReader
from crashwright.crash.readers.structlog import StructlogReader


class TraceReader(Protocol):
    """Reads one format. ``read`` never raises on any text: what it cannot read is an :class:`Unknown` with the reason."""

    @property
    def name(self) -> str:
        """One word for messages."""

    def read(self, text: str) -> tuple[CrashReport, ...] | Unknown:
        """The reports of ``text`` in the order of printing (at least one), or why there are none. The reason is empty where the
        text is plainly of another format."""


READERS: tuple[TraceReader, ...] = (SentryReader(), StructlogReader(), JUnitReader(), PytestReader(), PlainReader())
"""Most special first: the first reader that finds a report wins."""


_DOCUMENTS = frozenset({"sentry", "structlog", "junit"})
"""Readers of documents, which may be lines of any length."""


def read_reports(text: str, readers: tuple[TraceReader, ...] = READERS) -> tuple[CrashReport, ...]:
    """The reports of ``text`` in the order of printing; callers take the last unless told otherwise. Raises ReportError."""
    if not text.strip():
        raise ReportError("The report is empty.", "Paste the whole traceback, from 'Traceback (most recent call last):' on.")
    text = narrow(text)
    lines = excerpt(text, whole_lines=True)
    words = excerpt(text, whole_lines=False)
    reasons = []
    for reader in readers:
        result = reader.read(lines if reader.name in _DOCUMENTS else words)
        if not isinstance(result, Unknown):
            return result
        reasons += [result.reason] if result.reason else []
    raise refusal(words, reasons)
