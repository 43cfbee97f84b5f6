"""What the report shows: the calls that it echoes, and the local values of its frames; and what earlier runs have come to."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.source import When
from crashwright.engine.testcase.testcase import TestCase


class Earlier:
    """The best tests of an earlier run for the same report, or of the engine before. See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:  # noqa: ARG002
        """None where a fork goes on with what the one before was left with."""
        if so_far.resumes:
            return []
        first = so_far.moment is When.COLD
        return so_far.seeds.earlier(so_far.told.foreign(subject.start.seeds) if first else ())


class RunArguments:
    """The arguments with which the report says that a program was run. See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:  # noqa: ARG002
        """In a process that has them."""
        return so_far.seeds.invoked(rng)


class Reported:
    """Local values that the report shows. See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:  # noqa: ARG002
        """By what is known of the subject now."""
        return so_far.seeds.reported(rng)


class Echoed:
    """Calls that the report echoes. See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:  # noqa: ARG002
        """By what is known of the subject now."""
        return so_far.seeds.echoed(rng)


class Variants:
    """The same calls, with what is unknown in them filled in many ways: a dozen mostly die of the same wrong guess before they come
    to the entry. See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:  # noqa: ARG002
        """As many as are asked for."""
        return so_far.seeds.variants(rng)
