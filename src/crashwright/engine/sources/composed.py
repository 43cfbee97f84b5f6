"""What the symbolic engine knows of the crash (STAR, section 7): the tests that it composes compete, and the best test gets what
its run lacked for a precondition to hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from crashwright.engine.sources.condition_values import WithRequiredValues, by_name, passed_in
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.testcase.testcase import TestCase

ROUNDS = 4
"""Of giving the best test, between two generations, what its run lacked."""


class Composed:
    """See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Sequence[TestCase]:  # noqa: ARG002
        """Tests that have come since this was asked last; the values that they pass are passed by others too."""
        composed = so_far.seeds.composed(so_far.told.composed())
        so_far.factory.suggestions.show_more(passed_in(composed))
        return composed


class Granted:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._done: set[tuple[int, int]] = set()

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """The best test with what its run lacked; one is asked once, and a better one may have come of it."""
        writer = WithRequiredValues(so_far.factory, so_far.seeds.quoted)
        for _ in range(ROUNDS):
            best = next(iter(so_far.survivors()), None)
            if best is None or (so_far.anew, best.key()) in self._done:
                return
            self._done.add((so_far.anew, best.key()))
            required = so_far.told.required(best)
            so_far.factory.suggestions.show_more(by_name(required))
            yield from writer.tests(best, required)
            if not required:
                return
