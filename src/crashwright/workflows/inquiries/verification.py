"""What ``verify`` answers: does this test still reproduce this crash? It is also the JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from crashwright.core.errors import ExitCode
from crashwright.finishing.crash.after_fix import AfterFix, FixOutcome


class VerifyAnswer(StrEnum):
    """The verdicts. UNSTABLE is a reproduction in some runs only."""

    REPRODUCES = "reproduces"
    PARTIAL = "partial"
    UNSTABLE = "unstable"
    FIXED = "no longer crashes"
    OTHERWISE = "crashes otherwise"
    NOT_RUN = "does not run"


class FixVerdict(StrEnum):
    """The verdicts on a test that reproduces the crash, where it was run on a fixed side too."""

    FAIL_TO_PASS = "fail to pass"
    FAIL_TO_OTHER = "fail to another error"
    STILL_CRASHES = "still crashes after the fix"
    UNSTABLE = "now and then after the fix"
    NOT_RUN = "does not run after the fix"


_VERDICTS = {
    FixOutcome.PASSES: FixVerdict.FAIL_TO_PASS,
    FixOutcome.OTHER: FixVerdict.FAIL_TO_OTHER,
    FixOutcome.SAME: FixVerdict.STILL_CRASHES,
    FixOutcome.NOT_RUN: FixVerdict.NOT_RUN,
}
FIX_EXIT_CODES = {
    FixVerdict.FAIL_TO_PASS: ExitCode.SUCCESS,
    FixVerdict.FAIL_TO_OTHER: ExitCode.PARTIAL,
    FixVerdict.STILL_CRASHES: ExitCode.NOT_FOUND,
    FixVerdict.UNSTABLE: ExitCode.PARTIAL,
    FixVerdict.NOT_RUN: ExitCode.ENVIRONMENT,
}
EXIT_CODES = {
    VerifyAnswer.REPRODUCES: ExitCode.SUCCESS,
    VerifyAnswer.PARTIAL: ExitCode.PARTIAL,
    VerifyAnswer.UNSTABLE: ExitCode.PARTIAL,
    VerifyAnswer.FIXED: ExitCode.NOT_FOUND,
    VerifyAnswer.OTHERWISE: ExitCode.NOT_FOUND,
    VerifyAnswer.NOT_RUN: ExitCode.ENVIRONMENT,
}


@dataclass(frozen=True, slots=True)
class TestVerdict:
    """One test of the file in the first run. ``outcome`` is passed, failed, skipped, error or "" (it did not end); ``raised`` what
    came nearest to the crash; ``missing`` what of it is missing."""

    __test__ = False
    """It is no test class, though it begins like one."""

    name: str
    outcome: str
    level: int
    frames: int
    raised: str
    missing: str


@dataclass(frozen=True, slots=True)
class FixedResult:
    """The runs on the fixed side: ``side`` names it, ``outcome`` and ``detail`` are those of the first run."""

    side: str
    outcome: FixOutcome
    detail: str = ""
    outcomes: tuple[FixOutcome, ...] = ()

    @classmethod
    def of(cls, side: str, runs: Sequence[AfterFix]) -> FixedResult:
        """From one run or more."""
        return cls(side, runs[0].outcome, runs[0].detail, tuple(run.outcome for run in runs))

    @property
    def verdict(self) -> FixVerdict:
        """On a test that reproduces the crash without the fix."""
        return FixVerdict.UNSTABLE if len(set(self.outcomes)) > 1 else _VERDICTS[self.outcome]


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """``test`` is the one that comes nearest to the crash, ``levels`` its level in each run; ``detail`` says in words what was
    seen, ``chain`` whether the exceptions before it agree. ``compared`` is false where the installed source differs so much from
    the report's that lines could not be compared. ``subject`` is the package with its version."""

    answer: VerifyAnswer
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
    fixed: FixedResult | None = None
    """What the test does on the fixed side; None where there is none, or the test does not come near the crash."""

    @property
    def verdict(self) -> VerifyAnswer | FixVerdict:
        """The one word for all runs, those on the fixed side included."""
        return self.answer if self.fixed is None or self.answer is not VerifyAnswer.REPRODUCES else self.fixed.verdict
