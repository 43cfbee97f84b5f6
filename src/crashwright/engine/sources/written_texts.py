"""Texts of the formats that the subject reads, in what its calls leave open; and lines for what fills an object's state."""

from __future__ import annotations

from collections.abc import Container, Iterable
from random import Random

from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.state_lines import state_line_tests
from crashwright.engine.sources.values.samples import (
    MOST_LOOKED,
    TEMPLATES,
    Template,
    entry_templates,
    most_open,
    sample_tests,
    with_looks,
)
from crashwright.engine.sources.values.seeding import MOST_ENTRIES
from crashwright.engine.testcase.statements import Variable
from crashwright.engine.testcase.testcase import TestCase


class LinesForState:
    """Lines for the writers of what the guards read, and then the entries. See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:  # noqa: ARG002
        """Calls of both on one object."""
        return state_line_tests(so_far.factory, so_far.state_lines, rng)


class Samples:
    """Samples of formats, in the open texts of the echoed calls, else in those of the entries. See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:
        """In turns, in the nearest of the calls."""
        return sample_tests(open_templates(so_far, rng), subject.samples, so_far.factory)


def open_templates(so_far: CrashSoFar, rng: Random) -> list[Template]:
    """The calls whose open texts are filled: chosen once, since runs may tell which they are."""
    if not so_far.templates:
        entry = so_far.factory.entry[:MOST_ENTRIES]
        templates = _echoed(so_far) or entry_templates(entry, so_far.factory, rng, lambda tests: _distances(so_far, tests))
        so_far.templates = most_open(templates, TEMPLATES)
    return so_far.templates


def _echoed(so_far: CrashSoFar) -> list[Template]:
    """The echoed calls; where something is known of what they leave open, the nearest ones with that come first."""
    echoed, quoted = so_far.echoed, so_far.seeds.quoted
    held: Container[Variable] = quoted
    looked = [one for test in echoed[:MOST_LOOKED] for one in with_looks(test, quoted, so_far.factory)]
    distances = _distances(so_far, looked) if looked else {}
    return [(test, held) for test in (*sorted(distances, key=distances.__getitem__)[:TEMPLATES], *echoed)]


def _distances(so_far: CrashSoFar, tests: list[TestCase]) -> dict[TestCase, float]:
    evaluations = so_far.run(tests)
    so_far.tell(evaluations)
    return {one.test: one.score.fitness for one in evaluations}
