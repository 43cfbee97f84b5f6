"""From a test of the engine to a judged file: print, verify, and print again where the verification teaches better."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from crashwright.core.messages import Found
from crashwright.core.preparation import Preparation
from crashwright.core.target import CrashTarget
from crashwright.engine.testcase.codec import decode
from crashwright.engine.testcase.printing.printing import PrintedTest, Setting, print_test
from crashwright.finishing.crash.after_fix import AfterFix, FixedJudge, FixOutcome
from crashwright.finishing.crash.header import Header, files_named
from crashwright.finishing.crash.legality import Legality, legality
from crashwright.finishing.crash.pytest_file import CrashPoint, PytestFile, pytest_file
from crashwright.finishing.crash.verify import LONGEST_RUN, Verification, Verifier
from crashwright.finishing.naming import file_name, function_title
from crashwright.finishing.running.agreement import Agreement

_NOT_TO_BE_USED = 3
"""The most that a test is worth which does what a test may not do, such as calling a private name."""


@dataclass(frozen=True, slots=True)
class FinishedTest:
    """A printed test and what it is worth. ``statements`` counts those of the test case; ``found`` is the engine's message."""

    text: str
    file_name: str
    verification: Verification
    legality: Legality
    statements: int
    found: Found
    after: AfterFix | None = None
    """What it does on the fixed side, where there is one and it reproduces the crash."""

    @property
    def is_best(self) -> bool:
        """Nothing better can be found: it reproduces the crash, and turns green with the fix where that is known."""
        return self.reproduces and (self.after is None or self.after.outcome is FixOutcome.PASSES)

    @property
    def worth(self) -> tuple[int, int]:
        """Of two tests the one with more is kept."""
        return self.level, 0 if self.after is None else self.after.worth

    @property
    def reproduces(self) -> bool:
        """The crash of the report, whole, by a test that may be used."""
        return self.verification.level == 4 and not self.legality.forbidden

    @property
    def is_confirmed(self) -> bool:
        """The crash of the report, whole; what is odd about the test its legality says."""
        return self.verification.level == 4

    @property
    def level(self) -> int:
        """The judged level; a test that may not be used is a partial one."""
        return min(_NOT_TO_BE_USED, self.verification.level) if self.legality.forbidden else self.verification.level


@dataclass(frozen=True, slots=True)
class Finisher:
    """``form`` is fail, raises or xfail; ``command`` goes into the header; ``runs`` fresh runs judge a file that reproduces, one a
    file that does not. ``preparation`` is printed into the file. ``short_of`` is the frame further out that the crash was not
    reproduced from, where the target is one further in."""

    target: CrashTarget
    verifier: Verifier
    form: str
    command: str
    fingerprint: str
    runs: int = 3
    preparation: Preparation = field(default_factory=Preparation)
    short_of: str = ""
    judge: FixedJudge | None = None
    """Where the bug is fixed."""

    def finish(self, found: Found, seconds: Callable[[], float]) -> FinishedTest:
        """Print and judge ``found``. ``seconds()`` is the time left."""
        test = decode(found.test)
        printed = print_test(test, setting=Setting(alone=True, ends=self.target.exception != "SystemExit"))
        whole = Agreement(4, len(self.target.package_frames), len(self.target.package_frames))
        point = self._expected_point()
        file = self._file(printed, whole, point, found.slept)
        verification = self._verify(file, 1, seconds)
        learned = self._learned_point(file, point, verification)
        if learned != point:
            point = learned
            file = self._file(printed, whole, point, found.slept)
            verification = self._verify(file, 1, seconds)
        if verification.level == 4:
            verification = verification.followed_by(self._verify(file, self.runs - 1, seconds, 1))
        found_so = verification.agreement
        raised = found_so.raised
        refused = raised.refused if raised is not None else ()
        verdict = legality(file.text, self.target, found.legal, refused, (found.unchecked, found.arguments))
        changes = (found_so.comprehensions_dropped, found_so.near_miss, found_so.wording, refused, verdict.forbidden)
        if found_so.level < 4 or any(changes):
            # Only the docstring changes: it is not judged again.
            file = self._file(printed, verification.agreement, point, found.slept, "; ".join(verdict.forbidden))
        partial = verification.level < 4 or bool(self.short_of or verdict.forbidden)
        name = file_name(self.target, self.fingerprint, partial=partial)
        finished = FinishedTest(file.text, name, verification, verdict, len(test), found)
        left = seconds()
        if self.judge is None or not finished.reproduces or left <= 0:
            return finished
        return replace(finished, after=self.judge.judge_text(file.text, name, min(left, LONGEST_RUN)))

    def _verify(self, file: PytestFile, runs: int, seconds: Callable[[], float], before: int = 0) -> Verification:
        return self.verifier.verify(file.text, file_name(self.target, self.fingerprint), runs, seconds, before)

    def _file(self, printed: PrintedTest, found: Agreement, point: CrashPoint, slept: float, forbidden: str = "") -> PytestFile:
        header = Header(self.target, found, self.form, self.command, self.short_of, files_named(printed.body), forbidden)
        return pytest_file(printed, header, function_title(self.target), point, slept, self.preparation)

    def _expected_point(self) -> CrashPoint:
        module, _, exception = self.target.exception.rpartition(".")
        if not module:
            module = "builtins" if hasattr(builtins, exception) else ""
        return CrashPoint(exception, module, self.target.message)

    def _learned_point(self, file: PytestFile, point: CrashPoint, verification: Verification) -> CrashPoint:
        """What the fresh runs taught: the line that crashed, the class as it is, the message of this interpreter."""
        found = verification.agreement
        raised = found.thrown
        if raised is None:
            # A wrong guess of the class's module makes the file fail at import: catch what any exception surely is.
            return replace(point, module="") if self.form != "fail" and point.module != "builtins" else point
        learned = point
        if found.test_line and not file.statement[0] <= found.test_line <= file.statement[1]:
            learned = replace(learned, line=max(0, found.test_line - file.body_line))
        if found.type_agrees:
            learned = replace(learned, module=raised.module, exception=raised.type, message=raised.message)
        return learned
