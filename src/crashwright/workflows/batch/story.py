"""The story of ``crashwright batch``: read, group, order, reproduce each crash at some place, write down what came of it.

Everything that is to outlive this process is in the ledger. Tasks run side by side, but one thread plans them and writes.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from crashwright.core.errors import CrashwrightError, EnvironmentProblem, ExitCode, ReportError
from crashwright.core.settings import Budget
from crashwright.crash.fingerprint import crash_fingerprint, report_fingerprint
from crashwright.crash.readers.selection import describe_reports
from crashwright.crash.secrets.filter import SecretFilter
from crashwright.crash.suggested import LONGEST
from crashwright.finishing.crash.header import visible
from crashwright.finishing.write import check_writable, free_name, write
from crashwright.workflows.batch.answer import Answer, Verdict, answer_of
from crashwright.workflows.batch.environments import environment_for
from crashwright.workflows.batch.events import Answered, BatchEvent, BatchTold, Gathered, Planned
from crashwright.workflows.batch.gathering import Text, Unread, gathered, renamed
from crashwright.workflows.batch.ledger import Ledger, LedgerEntry, ReportedCrash, ReportSighting
from crashwright.workflows.batch.request import BatchRequest, BatchResult, exit_code_of
from crashwright.workflows.batch.work import ATTEMPTS, Waiting, WorkedOff
from crashwright.workflows.deadline import Clock, Deadline
from crashwright.workflows.places.place import Place
from crashwright.workflows.reproduce.request import Request

Listen = Callable[[BatchEvent], None]
LEAST = 10.0
"""Seconds that a search gets at least where a budget for all is short: rather the first crashes well than all badly."""
AHEAD = 2.0
"""How many times an even share of what is left the next one may use: many end sooner, and what they leave should not go to the
crashes that were reported least."""
TOO_LITTLE = 3.0
"""Seconds with which none is begun."""


def batch(request: BatchRequest, place: Place, clock: Clock, listen: Listen) -> BatchResult:
    """Answer every report. Ctrl-C keeps what is answered. Raises CrashwrightError where there is nothing to answer, or nowhere to
    write."""
    deadline = Deadline(clock, clock(), request.seconds)
    Path(request.folder).mkdir(parents=True, exist_ok=True)
    check_writable(Path(request.folder) / "test.py")
    with closing(Ledger.open(request.database)) as ledger:
        unread, notes = _gather(request, ledger, listen)
        if request.retry:
            ledger.forget_failures()
        entries = ledger.entries()
        if not entries:
            raise _nothing(request, unread)
        run = _Run(request, place, ledger, deadline, listen, entries)
        run.write_missing()
        interrupted = False
        try:
            asyncio.run(run.all())
        except KeyboardInterrupt:
            interrupted = True
        entries = ledger.entries()
        code = ExitCode.INTERRUPTED if interrupted else exit_code_of(tuple(entries))
        return BatchResult(
            ExitCode.ENVIRONMENT if run.problems else code,
            tuple(entries),
            reports=sum(one.times for one in entries),
            unread=unread,
            folder=request.folder,
            database=request.database,
            seconds=deadline.elapsed(),
            notes=(*notes, *run.problems),
        )


def _nothing(request: BatchRequest, unread: tuple[Unread, ...]) -> CrashwrightError:
    if not request.names:
        return ReportError(f"{request.database} has no reports in it.", "Name files or folders with reports.")
    told = "\n".join(f"{one.name}: {one.reason}" for one in unread[:5])
    return ReportError("There is no report to reproduce.", told or "Name files or folders with reports.")


def _gather(request: BatchRequest, ledger: Ledger, listen: Listen) -> tuple[tuple[Unread, ...], tuple[str, ...]]:
    """Enter all reports in the ledger, text by text; what could not be read, and notes."""
    unread: list[Unread] = []
    notes: list[str] = []
    texts = reports = 0
    for found in gathered(request.names, request.standard_input, request.now):
        one = renamed(found, request.called)
        if isinstance(one, Unread):
            unread.append(one)
            continue
        texts, reports = texts + 1, reports + len(one.reports)
        if one.note:
            notes.append(f"{one.name}: {one.note}")
        _enter(one, ledger, "secrets" in request.each.allow)
        listen(Gathered(one.name, texts, reports, one.note))
    return tuple(unread), tuple(notes)


def _enter(text: Text, ledger: Ledger, secrets_allowed: bool) -> None:
    seen: Counter[str] = Counter()
    sightings = []
    newest: dict[str, int] = {}
    for number, report in enumerate(text.reports, 1):
        exact, fingerprint = report_fingerprint(report), crash_fingerprint(report)
        seen[exact] += 1
        sightings.append(ReportSighting(text.key, exact, seen[exact], fingerprint))
        newest[fingerprint] = number
    crashes = [(_reported(text, number, name, secrets_allowed), text.changed, number) for name, number in newest.items()]
    ledger.add(crashes, sightings)


def _reported(text: Text, number: int, fingerprint: str, secrets_allowed: bool) -> ReportedCrash:
    """The report, as it may be written down."""
    secrets = SecretFilter(secrets_allowed)
    report = secrets.report(text.reports[number - 1])
    around = secrets.text(text.text[-LONGEST:]) if len(text.reports) == 1 else ""
    title = visible(describe_reports((report,), secrets.text)[0].text)
    left_out = ", ".join(secrets.left_out)
    return ReportedCrash(fingerprint, title, report, around, secrets.value(text.name), str(number), left_out)


@dataclass(slots=True)
class _Run:
    """The work on the crashes that have no answer yet."""

    request: BatchRequest
    place: Place
    ledger: Ledger
    deadline: Deadline
    listen: Listen
    entries: list[LedgerEntry]
    problems: dict[str, None] = field(default_factory=dict)
    """What the user has to mend before the same command goes on: a test that could not be written, a place that is not fit."""
    _names: set[str] = field(default_factory=set)
    _begun: dict[str, float] = field(default_factory=dict)
    _done: int = 0
    _share: float = math.inf
    """What the one before may use."""

    def write_missing(self) -> None:
        """The files of tests that a run which was killed had found."""
        for entry in self.entries:
            if not entry.written and entry.answer is not None:
                self._write(entry.crash.fingerprint, entry.answer.text, entry.file)

    async def all(self) -> None:
        """Answer what is open, as many at a time as the place is wide."""
        self._names = {entry.file for entry in self.entries}
        waiting = [entry for entry in self.entries if entry.answer is None]
        self._done = len(self.entries) - len(waiting)
        self.listen(Planned(sum(one.times for one in self.entries), len(self.entries), self._done))
        if left := await WorkedOff(self, self.place, self.listen, self.problems).all(waiting):
            self.listen(BatchTold(f"{left} crashes were not tried: the budget is used up"))

    def title(self, entry: LedgerEntry) -> str:
        """The exception, where it came from, and how often it was reported."""
        return f"{entry.crash.title}  {entry.times:,}x"

    def share(self, _entry: LedgerEntry, waiting: Waiting) -> Budget | None:
        """Of the seconds that are left; rather the first crashes well than all badly, and none gets more than one before it."""
        each, left = self.request.each.budget, self.deadline.left()
        if self.request.seconds is None:
            return each
        if left < TOO_LITTLE:
            return None
        rounds = max(1.0, waiting.items / waiting.width)
        share = max(LEAST, min(AHEAD * left / rounds, left - LEAST * (rounds - 1.0)))
        self._share = min(self._share, share)
        return replace(each, seconds=min(left, self._share, self._share if each.seconds is None else each.seconds))

    def request_for(self, entry: LedgerEntry, budget: Budget) -> Request:
        """``reproduce`` for it, in its environment."""
        crash, self._begun[entry.crash.fingerprint] = entry.crash, self.deadline.elapsed()
        each, chosen = self.request.each, environment_for(crash, self.request.environments)
        if chosen is not None:
            each = replace(each, python=chosen.python, asked_python=chosen.python, path=(*each.path, *chosen.path))
        return replace(
            each,
            report=crash.around,
            known=crash.report,
            report_name=crash.source,
            origin=(crash.source,) if crash.around else (crash.source, "--report-number", crash.place),
            budget=budget,
        )

    def answered(self, entry: LedgerEntry, document: dict[str, Any] | None, worker: int, waiting: Waiting) -> None:
        """Into the ledger, then into its file."""
        fingerprint = entry.crash.fingerprint
        seconds = round(self.deadline.elapsed() - self._begun[fingerprint], 2)
        killed = Answer(Verdict.INTERNAL, f"its process was killed, {ATTEMPTS} times")
        answer = killed if document is None else answer_of(document, seconds)
        file = self._free(answer.name)
        self.ledger.answer(fingerprint, answer, file)
        if file:
            self._write(fingerprint, answer.text, file)
        self._done += 1
        self.listen(Answered(worker, entry, answer, file, self._done, len(self.entries), self._rest(waiting)))

    def _free(self, name: str) -> str:
        """A name for the test that no other crash of this batch has, nor a file of somebody else."""
        if not name:
            return ""
        free = next(one for one in self._numbered(name) if one not in self._names)
        self._names.add(free)
        return free

    def _numbered(self, name: str) -> Iterator[str]:
        folder, number = Path(self.request.folder), 1
        while True:
            path = folder / name if number == 1 else (folder / name).with_stem(f"{Path(name).stem}_{number}")
            if free_name(path) == path:
                yield path.name
            number += 1

    def _write(self, fingerprint: str, text: str, file: str) -> None:
        try:
            write(text, Path(self.request.folder) / file)
        except EnvironmentProblem as error:
            # It is in the ledger: the next run writes it.
            self.problems[f"{error.message} The result is stored: run the same command again when the file can be written."] = None
            return
        self.ledger.wrote(fingerprint)

    def _rest(self, waiting: Waiting) -> float:
        """Seconds that are left to do, at most."""
        each = self.request.each.budget.seconds or 0.0
        return min(self.deadline.left(), each * waiting.items / waiting.width)
