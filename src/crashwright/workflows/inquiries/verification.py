"""What ``verify`` answers: does this test still reproduce this crash? It is also the JSON document."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from crashwright.core.errors import ExitCode


class Answer(StrEnum):
    """The verdicts. UNSTABLE is a reproduction in some runs only."""

    REPRODUCES = "reproduces"
    PARTIAL = "partial"
    UNSTABLE = "unstable"
    FIXED = "no longer crashes"
    OTHERWISE = "crashes otherwise"
    NOT_RUN = "does not run"


EXIT_CODES = {
    Answer.REPRODUCES: ExitCode.SUCCESS,
    Answer.PARTIAL: ExitCode.PARTIAL,
    Answer.UNSTABLE: ExitCode.PARTIAL,
    Answer.FIXED: ExitCode.NOT_FOUND,
    Answer.OTHERWISE: ExitCode.NOT_FOUND,
    Answer.NOT_RUN: ExitCode.ENVIRONMENT,
}


@dataclass(frozen=True, slots=True)
class TestVerdict:
    """One test of the file in the first run. ``outcome`` is passed, failed, skipped, error or "" (it did not end); ``raised`` what
    came nearest to the crash; ``missing`` what of it is missing."""

    name: str
    outcome: str
    level: int
    frames: int
    raised: str
    missing: str


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """``test`` is the one that comes nearest to the crash, ``levels`` its level in each run; ``detail`` says in words what was
    seen, ``chain`` whether the exceptions before it agree. ``compared`` is false where the installed source differs so much from
    the report's that lines could not be compared. ``subject`` is the package with its version."""

    answer: Answer
    exit_code: ExitCode
    exception: str
    message: str
    place: str
    subject: str
    python: str
    runner: str
    frames_total: int
    level: int = 0
    test: str = ""
    levels: tuple[int, ...] = ()
    detail: str = ""
    near_miss: str = ""
    """Why a reproduction may show another bug, in words."""
    chain: str = ""
    compared: bool = True
    tests: tuple[TestVerdict, ...] = ()
    notes: tuple[str, ...] = ()
    output: str = ""
