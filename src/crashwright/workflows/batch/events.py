"""What happens while a batch runs, for whoever shows it."""

from __future__ import annotations

from dataclasses import dataclass

from crashwright.workflows.batch.answer import Answer
from crashwright.workflows.batch.ledger import LedgerEntry


@dataclass(frozen=True, slots=True)
class Gathered:
    """A text was read, the ``texts``-th one; ``reports`` were found in all so far. ``note``: what of it was not read."""

    name: str
    texts: int
    reports: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """All texts are read: ``crashes`` in ``reports``, of which ``answered`` have an answer from an earlier run."""

    reports: int
    crashes: int
    answered: int


@dataclass(frozen=True, slots=True)
class Begun:
    """Worker ``worker`` (from 1) begins with what is called ``title``, for ``seconds`` at most."""

    worker: int
    title: str
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Working:
    """What a worker is doing now, in words."""

    worker: int
    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a crash; ``file`` is the name of its test. ``done`` of ``crashes`` have an answer; ``seconds_left``: how long
    the rest takes at most."""

    worker: int
    entry: LedgerEntry
    answer: Answer
    file: str
    done: int
    crashes: int
    seconds_left: float


@dataclass(frozen=True, slots=True)
class BatchTold:
    """Something that the user should know, in words."""

    text: str


BatchEvent = Gathered | Planned | Begun | Working | Answered | BatchTold
