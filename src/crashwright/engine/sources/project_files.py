"""Calls that find the files of the project, its configuration for instance, in the current folder, as those of a user do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.source import When
from crashwright.engine.subject.project_files import ProjectFile, named_files
from crashwright.engine.testcase.statements import Ambient
from crashwright.engine.testcase.testcase import TestCase

BASES = 8
"""Tests of each kind that get them."""


class ProjectFiles:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._files: tuple[ProjectFile, ...] | None = None
        self._done: set[int] = set()

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """The tests so far, beside copies of what the code names."""
        if self._files is None:
            told = sorted(subject.start.target.invocations.words)
            self._files = named_files(subject.api.package, subject.sources, told)
        if not self._files:
            return
        bases = so_far.survivors()[:BASES]
        if so_far.moment is When.AHEAD:
            bases += [test for tests in so_far.given.values() for test in tests[:BASES]]
        for base in bases:
            if base.key() not in self._done:
                self._done.add(base.key())
                made = self._beside(base, self._files, so_far)
                if so_far.factory.has_room(made.statements) and made.is_valid():
                    yield made

    def _beside(self, test: TestCase, files: Sequence[ProjectFile], so_far: CrashSoFar) -> TestCase:
        """Its folder is new, with the files alone."""
        new = so_far.factory.new
        rest = [one for one in test.statements if not (isinstance(one, Ambient) and one.place in ("folder", "project"))]
        around = [Ambient(new(), "folder", "", None), *(Ambient(new(), "project", one.text, None) for one in files)]
        return TestCase((*around, *rest))
