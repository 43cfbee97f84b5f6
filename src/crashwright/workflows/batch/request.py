"""What the user asks of ``batch``, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

from crashwright.core.errors import ExitCode, UsageError
from crashwright.workflows.batch.answer import Verdict
from crashwright.workflows.batch.environments import Environment
from crashwright.workflows.batch.gathering import Unread
from crashwright.workflows.batch.ledger import LedgerEntry
from crashwright.workflows.reproduce.request import Request


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """``names`` are files, folders or ``-``; none at all: what the database holds. ``each`` is what all searches have in common,
    its budget that of one crash. ``seconds`` bounds the whole batch. Tests go to ``folder``. ``retry``: what an earlier run did not
    reproduce is tried again. ``now`` is the time of what comes on standard input, in seconds since 1970. ``called`` has names that
    last for files that do not."""

    names: tuple[str, ...]
    standard_input: BinaryIO
    each: Request
    folder: str
    database: str
    seconds: float | None = None
    environments: tuple[Environment, ...] = ()
    retry: bool = False
    now: float = 0.0
    called: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.seconds is not None and self.seconds <= 0:
            raise UsageError(f"--budget {self.seconds:g}: must be more than 0.", "Leave out --budget to give each crash its time.")


@dataclass(frozen=True, slots=True)
class BatchResult:
    """``entries`` are the crashes, those that were reported most first; ``reports`` how many texts told of them, ``unread`` what no
    report could be read from. ``notes`` are for the user."""

    exit_code: ExitCode
    entries: tuple[LedgerEntry, ...]
    reports: int
    unread: tuple[Unread, ...]
    folder: str
    database: str
    seconds: float
    notes: tuple[str, ...] = ()

    def count(self, verdict: Verdict) -> int:
        """How many crashes have this answer."""
        return sum(verdict_of(one) is verdict for one in self.entries)


def verdict_of(entry: LedgerEntry) -> Verdict:
    """The answer in a word."""
    return Verdict.NOT_TRIED if entry.answer is None else entry.answer.verdict


def exit_code_of(entries: tuple[LedgerEntry, ...]) -> ExitCode:
    """The verdict on a batch: that of its crashes, where they agree; partial, where some were reproduced."""
    found = {verdict_of(one) for one in entries}
    if found == {Verdict.REPRODUCED}:
        return ExitCode.SUCCESS
    if found & {Verdict.REPRODUCED, Verdict.PARTIAL}:
        return ExitCode.PARTIAL
    if found == {Verdict.INTERNAL}:
        return ExitCode.INTERNAL
    return ExitCode.ENVIRONMENT if found == {Verdict.NOT_POSSIBLE} else ExitCode.NOT_FOUND
