"""Searches from frames further in, in turns with this one (docs/decisions/0041): what they find is carried outwards at once."""

from __future__ import annotations

from random import Random

from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.testcase.testcase import TestCase


class InnerFrames:
    """See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> tuple[TestCase, ...]:  # noqa: ARG002
        """None: what is found further in competes as soon as it is."""
        so_far.go_inwards()
        return ()
