"""What is around a call: attributes that are set, the process (environment, arguments, input), receivers, command lines."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from crashwright.engine.execution.lacking_variables import lacking_variables
from crashwright.engine.sources.ambient_seeds import ambient_seeds
from crashwright.engine.sources.answers import around_of
from crashwright.engine.sources.applications.live_parsers import CommandLines, parses_lines
from crashwright.engine.sources.aside import noted_in
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.receivers import called_over, handed_over, handed_seeds
from crashwright.engine.sources.settable_fields import field_seeds
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase

BEGUN_WITH = 2
"""Tests of each kind (echoed calls, usage examples) that get other surroundings."""
COMMANDED = 2
"""Entries that are given command lines."""


class FieldValues:
    """Attributes with a constant default that decisions read. See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:  # noqa: ARG002
        """The first tests, with these set."""
        return field_seeds(so_far.begun_with(BEGUN_WITH), so_far.factory)


class ProcessValues:
    """What code reads of its process. See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:
        """The first tests, in a process that has it."""
        tests, around = so_far.begun_with(BEGUN_WITH), around_of(subject, so_far)
        lacking = dict.fromkeys(name for test in tests for name in noted_in(test, around, lacking_variables) or ())
        literals = [one.value for test in tests for one in test.statements if isinstance(one, Literal)]
        said = [text.upper() for text in literals if type(text) is str and text]
        named = sorted(lacking, key=lambda name: not any(text in name.upper() for text in said))
        return ambient_seeds(*subject.path, tests, so_far.factory, rng, variables=named)


class Receivers:
    """Instances of classes that no entry has or makes, and whose methods the frames run. See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:
        """Each in the place of each argument that may take it."""
        target, factory = subject.start.target, so_far.factory
        return handed_seeds(handed_over(target, factory.entry), factory, rng, called_over(target))


class Commands:
    """Command lines that parsers of the path take. See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:
        """Calls of the entries with them."""
        if not any(map(parses_lines, subject.path[1])):
            return
        lines = CommandLines(around_of(subject, so_far), so_far.factory, rng)
        for callee in so_far.factory.entry[:COMMANDED]:
            yield from lines.tests(callee)
