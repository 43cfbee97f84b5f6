"""Usage examples of the documentation and of the tests that come with the package, and requests to a web framework."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.testcase.testcase import TestCase


class Examples:
    """See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:  # noqa: ARG002
        """By what is known of the subject now."""
        return so_far.seeds.shown(rng)
