"""Tests that do something else between two steps of what they go through (``testcase.editing.interleaving``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.source import When
from crashwright.engine.testcase.editing.interleaving import interleaved_tests, is_under_way
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.testcase import TestCase

BEGUN_WITH, BEST = 6, 4
"""Tests that are changed so: of those that came first, of the population."""


class Interleaved:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """None where no test goes through anything."""
        for base in dict.fromkeys(self._bases(so_far)):
            for test in interleaved_tests(base, so_far.factory, rng):
                shape = shape_of(test)
                if shape not in self._seen and test.is_valid() and so_far.factory.has_room(test.statements):
                    self._seen.add(shape)
                    yield test

    def _bases(self, so_far: CrashSoFar) -> list[TestCase]:
        """The longest stories last come first: what they go through is not empty."""
        if so_far.moment is When.AHEAD:
            stories = [*reversed(so_far.reached), *reversed(so_far.given.get("stories", []))]
            return [one for one in (*so_far.begun_with(BEGUN_WITH), *stories) if is_under_way(one)][:BEGUN_WITH]
        best = so_far.search.scorer.best
        near = [] if best is None else [best.test]
        return [one for one in (*near, *so_far.completed(), *so_far.survivors()) if is_under_way(one)][:BEST]
