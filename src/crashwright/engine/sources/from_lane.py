"""What the fast lane came to ahead of the search (``search.lane``): recipes of calls that ended where the report says, or near."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.testcase.slices import graft
from crashwright.engine.testcase.testcase import TestCase


class FromLane:
    """See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:  # noqa: ARG002
        """The nearest first; none where a fork goes on with what the one before was left with."""
        known = [] if so_far.resumes else so_far.told.foreign(so_far.scouted)
        return [TestCase(tuple(graft(test.statements, so_far.factory.fresh))) for test in known]
