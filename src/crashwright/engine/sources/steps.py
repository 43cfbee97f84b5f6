"""What is one step by record (``editing.record_steps``) away from a test that enters every frame of the crash and does not crash
there: it is run as soon as that test is the best, before chance goes on."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from crashwright.engine.search.crash_goals import guiding_frames
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.testcase.editing.record_steps import record_steps
from crashwright.engine.testcase.testcase import TestCase

MOST = 60
"""Tests around one."""
ROUNDS = 12
"""Tests that are looked around in one fork."""


class Steps:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._around: TestCase | None = None
        self._rounds = 0

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002 - nothing is drawn
        """Around the best test, once."""
        best = so_far.search.scorer.best
        if best is None or best.test is self._around or self._rounds >= ROUNDS:
            return
        if best.score.frames < self._least(subject):
            return
        self._around = best.test
        self._rounds += 1
        ran = TestCase(best.test.statements[: best.ran or None])
        # What raises the exception and says something else is mostly about another number.
        numbers = best.score.level > 0
        yield from record_steps(ran, so_far.seeds.quoted, so_far.factory.new, MOST, subject.said, numbers)

    def _least(self, subject: CrashSubject) -> int:
        """The frames that a test has to enter."""
        return len(guiding_frames(subject.start.target))


class StepsFromSuggested(Steps):
    """Where somebody has suggested tests, the project's own for instance: what somebody wrote is near the crash in ways that frames
    do not tell, so around the best test of all that were run when the subject was cold."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        """None where nothing was suggested."""
        if so_far.given.get("suggested"):
            yield from super().tests(subject, so_far, rng)

    def _least(self, subject: CrashSubject) -> int:  # noqa: ARG002 - however few
        return 0
