"""Tests that end because their parts do not agree (``sources.corresponding_parts``): what they complained of is put where it is
looked for."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from crashwright.engine.goals.coverage.coverage import never_returned
from crashwright.engine.search.complaints import Complaint
from crashwright.engine.sources.corresponding_parts import CorrespondingParts
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.testcase import TestCase

PART = 0.1
"""Of the budget of a search for a suite."""
ROUNDS = 4
"""Between two generations: what had one key may lack the next."""


class Agreeing:
    """See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """For each complaint, which is given up where none of them came nearer."""
        parts = CorrespondingParts(so_far.factory, so_far.seeds.quoted, rng)
        complaints = so_far.search.scorer.complaints
        for _ in range(ROUNDS):
            taken = complaints.take()
            for one in taken:
                nearer = False
                for variant in parts.tests(one):
                    yield variant
                    nearer = nearer or any(score.score.fitness < one.fitness for score in so_far.latest)
                if not nearer:
                    complaints.give_up(one)
            if not taken:
                return


class SuiteAgreeing:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._spent = 0.0

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002 - runs tell all
        """For each complaint of what has returned in no test, until one of them returns. One that is not got past is given up."""
        parts = CorrespondingParts(so_far.factory, (), rng)
        complaints = so_far.complaints
        for one in complaints.take():
            if self._spent >= PART or _called(one) not in never_returned(so_far.catalogue, so_far.covered):
                continue
            passed = False
            for variant in parts.tests(one):
                begun = so_far.meter.share()
                yield variant
                self._spent += so_far.meter.share() - begun
                passed = passed or complaints.latest != one.place[:3]
                if complaints.latest is None:
                    break
            if not passed:
                complaints.give_up(one)


def _called(complaint: Complaint) -> str:
    """The qualified name of what was called by the statement that raised."""
    statement = complaint.test.statements[complaint.ended_at] if complaint.ended_at < len(complaint.test.statements) else None
    callee = statement.callee if isinstance(statement, st.Call | st.MethodCall) else None
    return "" if callee is None else callee.qualname
