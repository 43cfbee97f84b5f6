"""What is one telling step away from the best tests, and rarely made by chance: what comparisons wanted in the place of what they
got, arguments that the code decides on, literals with a part left out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from random import Random

from crashwright.core.mechanisms import Mechanism
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.guarding_arguments import GuardingArguments
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.editing.substitution import answered, lessened
from crashwright.engine.testcase.testcase import TestCase

BEST = 2
"""Of how many tests; and of as many others, since the best may be beside the way."""
EACH = 40
"""Tests that are made of one by giving comparisons what they wanted, and by leaving out something."""


class Neighbours:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._guarding: GuardingArguments | None = None

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        """Of the best tests, and of some others of the population."""
        if self._guarding is None and subject.start.settings.search.uses(Mechanism.OBJECTS):
            self._guarding = _guarding(subject, so_far)
        survivors = so_far.survivors()
        others = survivors[BEST:]
        for test in (*survivors[:BEST], *rng.sample(others, min(BEST, len(others)))):
            answers = answered(test, so_far.factory.pool.answers, EACH)
            if self._guarding is None:
                yield from answers
            else:
                yield from self._guarding.varied(test)
                yield from answers
                yield from lessened(test, so_far.seeds.quoted, EACH)


class NeighboursOfSuggested(Neighbours):
    """Where somebody has suggested tests: one step away from these the crash is rather to be expected."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        """None where nothing was suggested."""
        if any(not one.at for one in subject.start.candidates):
            yield from super().tests(subject, so_far, rng)


def _guarding(subject: CrashSubject, so_far: CrashSoFar) -> GuardingArguments:
    def trees(callee: Callee) -> list[ast.AST]:
        found = (subject.sources.node_of(key) for key in sorted(subject.api.keys_of(callee)))
        return [node for node in found if node is not None]

    return GuardingArguments(trees, subject.path[0], so_far.seeds.quoted, so_far.factory.new)
