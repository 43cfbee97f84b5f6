"""Tests that end because their parts do not agree (``sources.corresponding_parts``): what they complained of is put where it is
looked for."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from crashwright.engine.sources.corresponding_parts import CorrespondingParts
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.testcase.testcase import TestCase

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
