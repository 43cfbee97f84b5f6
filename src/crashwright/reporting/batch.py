"""How a batch is told: a line for each answer as it comes, and in the end a summary; as text or as JSON."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from crashwright.core.codec import to_json
from crashwright.core.errors import ExitCode
from crashwright.finishing.crash.header import visible
from crashwright.reporting.json_result import SCHEMA_VERSION, VERDICTS
from crashwright.reporting.plain import LABEL, row_line
from crashwright.reporting.pytest_command import pytest_command
from crashwright.reporting.story import StoryRow
from crashwright.reporting.workers import duration, worker_status
from crashwright.workflows.batch.answer import Answer, Verdict
from crashwright.workflows.batch.events import Answered, BatchEvent, BatchTold, Begun, Gathered, Planned, Working
from crashwright.workflows.batch.gathering import Unread
from crashwright.workflows.batch.ledger import LedgerEntry
from crashwright.workflows.batch.request import BatchResult, verdict_of

_MOST_UNREAD = 10
_MOODS = {Verdict.REPRODUCED: "good", Verdict.PARTIAL: "plain"}
_LONGEST_REASON = 160
_WIDTH = 15
"""Of the column of answers."""


@dataclass(frozen=True, slots=True)
class CrashDocument:
    """A crash of a batch. ``source`` is where it was read first, as the report ``index`` there; ``count`` is how often it was
    reported. ``reason`` says why it is not reproduced, or what is missing; ``file`` is the name of its test; ``left_out`` names
    what looked like secrets in it."""

    fingerprint: str
    title: str
    source: str
    index: str
    count: int
    verdict: Verdict
    reason: str
    level: int
    evaluations: int
    seconds: float
    subject: str
    file: str
    left_out: str


@dataclass(frozen=True, slots=True)
class BatchDocument:
    """``crashes`` are sorted by how often they were reported; ``counts`` has the number of crashes for each verdict. ``reports`` is
    the number of reports read, ``unread`` names what no report could be read from."""

    exit_code: ExitCode
    reports: int
    counts: dict[str, int]
    crashes: tuple[CrashDocument, ...]
    unread: tuple[Unread, ...]
    folder: str
    database: str
    seconds: float
    notes: tuple[str, ...]


def batch_status(event: BatchEvent) -> str:
    """One line for ``event``; empty where there is nothing to say."""
    match event:
        case Gathered(name, texts, reports, note):
            told = f": {note}" if note else ""
            return f"{visible(name)}{told}  ({texts} texts, {reports:,} reports so far)" if note or texts % 100 == 0 else ""
        case Planned():
            return ""
        case Begun() | Working():
            return worker_status(event)
        case BatchTold(text):
            return text
        case Answered():
            left = f", about {duration(event.seconds_left)} left at most" if event.seconds_left else ""
            return f"{event.done} of {event.crashes} crashes answered{left}"


def planned_rows(event: Planned) -> list[StoryRow]:
    """What there is to do."""
    earlier = f"; {event.answered} answered by an earlier run" if event.answered else ""
    return [StoryRow("reports", f"{event.reports:,}, with {event.crashes:,} different crashes{earlier}")]


def answer_rows(entry: LedgerEntry, answer: Answer, file: str) -> list[StoryRow]:
    """One crash and what came of it, in two lines at most."""
    what = f"{entry.crash.title}  {_times(entry.times)}  {answer.seconds:.1f} s"
    mood = _MOODS.get(answer.verdict, "bad")
    rows = [StoryRow(f"{answer.verdict:<{_WIDTH}}", f"{what}  {file}".rstrip(), mood)]
    if answer.reason:
        reason = visible(" ".join(answer.reason.split()))
        rows.append(StoryRow(" " * _WIDTH, reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]}...", "dim"))
    return rows


def batch_rows(result: BatchResult) -> list[StoryRow]:
    """The summary."""
    counts = [(verdict, result.count(verdict)) for verdict in Verdict]
    rows = [StoryRow("answered", ", ".join(f"{verdict} {count}" for verdict, count in counts if count))]
    shown = [one for one in result.unread if one.notable] or list(result.unread)
    rows += [
        StoryRow("" if n else "unread", f"{visible(one.name)}: {one.reason}", "bad") for n, one in enumerate(shown[:_MOST_UNREAD])
    ]
    if len(result.unread) > len(shown[:_MOST_UNREAD]):
        more = len(result.unread) - len(shown[:_MOST_UNREAD])
        rows.append(StoryRow("", f"{more} more file{'s have' if more > 1 else ' has'} no report (--json lists them)", "dim"))
    secrets = dict.fromkeys(filter(None, (one.crash.left_out for one in result.entries)))
    if secrets:
        rows.append(
            StoryRow("", f"left out, since they look like secrets: {', '.join(secrets)} (--allow secrets keeps them)", "dim")
        )
    rows += [StoryRow("", note, "bad") for note in result.notes]
    rows += _written_rows(result)
    rows.append(StoryRow("kept in", f"{result.database}   ({duration(result.seconds)})"))
    return rows


def _written_rows(result: BatchResult) -> list[StoryRow]:
    """How many tests there are, and for each interpreter a command that runs its own."""
    written = [(one, one.answer) for one in result.entries if one.file and one.written and one.answer is not None]
    if not written:
        return []
    files: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    ready: dict[tuple[str, tuple[str, ...]], bool] = {}
    for entry, answer in written:
        setting = answer.interpreter, answer.import_path
        files.setdefault(setting, []).append(os.path.join(result.folder, entry.file))
        ready[setting] = ready.get(setting, True) and answer.has_pytest
    rows = [StoryRow("wrote", f"{len(written)} tests in {result.folder}", "good")]
    for number, ((interpreter, path), named) in enumerate(files.items()):
        what = [result.folder] if len(files) == 1 else named
        rows.append(
            StoryRow("" if number else "try them", pytest_command(what, interpreter, path, ready[interpreter, path]), "good")
        )
    return rows


def crash_document(entry: LedgerEntry) -> CrashDocument:
    """A crash and its answer."""
    crash, answer = entry.crash, entry.answer or Answer(Verdict.NOT_TRIED)
    return CrashDocument(
        fingerprint=crash.fingerprint,
        title=crash.title,
        source=crash.source,
        index=crash.place,
        count=entry.times,
        verdict=verdict_of(entry),
        reason=answer.reason,
        level=answer.level,
        evaluations=answer.evaluations,
        seconds=answer.seconds,
        subject=answer.subject,
        file=entry.file,
        left_out=crash.left_out,
    )


def batch_document(result: BatchResult) -> dict[str, Any]:
    """The result as JSON values."""
    document = BatchDocument(
        exit_code=result.exit_code,
        reports=result.reports,
        counts={str(verdict): result.count(verdict) for verdict in Verdict},
        crashes=tuple(map(crash_document, result.entries)),
        unread=result.unread,
        folder=result.folder,
        database=result.database,
        seconds=round(result.seconds, 2),
        notes=result.notes,
    )
    return {"schema": SCHEMA_VERSION, "verdict": VERDICTS[result.exit_code], **to_json(document)}


class BatchPlainReport:
    """Answers go to ``out`` as they come, what begins to ``log``. What workers do meanwhile is for terminals."""

    def __init__(self, out: TextIO, log: TextIO) -> None:
        self._out = out
        self._log = log

    def event(self, event: BatchEvent) -> None:
        """Show what happens."""
        if isinstance(event, Planned):
            self._rows(planned_rows(event))
        elif isinstance(event, Answered):
            self._rows(answer_rows(event.entry, event.answer, event.file))
        if not isinstance(event, Working) and (text := batch_status(event)):
            print(f"{'...':<{LABEL}}{text}", file=self._log, flush=True)

    def result(self, result: BatchResult) -> None:
        """Show what came of all."""
        self._rows(batch_rows(result))

    def close(self) -> None:
        """Nothing is held."""

    def _rows(self, rows: list[StoryRow]) -> None:
        for row in rows:
            print(row_line(row), file=self._out, flush=True)


class BatchJsonReport:
    """The document goes to ``out``, a line for each event to ``log``."""

    def __init__(self, out: TextIO, log: TextIO) -> None:
        self._out = out
        self._log = log

    def event(self, event: BatchEvent) -> None:
        """One line."""
        print(json.dumps(dict(_line(event))), file=self._log, flush=True)

    def result(self, result: BatchResult) -> None:
        """The document."""
        print(json.dumps(batch_document(result), indent=2), file=self._out, flush=True)

    def close(self) -> None:
        """Nothing is held."""


def _line(event: BatchEvent) -> Iterator[tuple[str, Any]]:
    yield "event", type(event).__name__
    yield "text", batch_status(event)
    if isinstance(event, Answered):
        entry = dataclasses.replace(event.entry, answer=event.answer, file=event.file)
        yield "crash", to_json(crash_document(entry))


def _times(times: int) -> str:
    return f"{times:,}x"
