"""What the module asks of values that nothing describes (docs/decisions/0020), of the objects it is called on, and of its process:
each callable is asked in a few runs, and tests that answer are among the first of a suite."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator
from random import Random

from crashwright.engine.goals.coverage.goal import numbers
from crashwright.engine.sources.ambient_seeds import ambient_seeds
from crashwright.engine.sources.applications.live_parsers import CommandLines, parses_lines
from crashwright.engine.sources.recording_runs import RecordingNeeds, RecordingRuns
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.sources.values.used_types import UsedAnywhere
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.usage.caught import caught_in
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.testcase import TestCase

VARIANTS = 8
"""Tests that answer, of one callable."""
CALLS = 4
"""Of one that reads its process, each in several."""


class SuiteAnswers:
    """See ``sources.source.Source``."""

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:
        """Of each callable, those with the most open branches first; none for what is covered. The factory learns the values."""
        asking = _Asking(subject, so_far, rng)
        for callee in most_open(subject, so_far):
            yield from asking.answered(callee)


def most_open(subject: SuiteSubject, so_far: SuiteSoFar) -> Iterator[Callee]:
    """What tests may call of the module and has open branches, those with the most of them first."""
    catalogue, callees = so_far.catalogue, so_far.factory.entry
    wanted = catalogue.of("branch") & ~so_far.covered & ~catalogue.known
    opened = Counter(catalogue.goals[number].qualname.partition(".<locals>")[0] for number in numbers(wanted))
    weights = [sum(opened[key.qualname] for key in subject.api.keys_of(callee)) for callee in callees]
    yield from (
        callees[place] for place in sorted(range(len(callees)), key=lambda place: (-weights[place], place)) if weights[place]
    )


def needs_of(subject: SuiteSubject, so_far: SuiteSoFar, variants: int) -> RecordingNeeds:
    """What recording runs need in a search for a suite."""
    used = UsedAnywhere(subject.api, subject.sources, subject.wanted)
    module = subject.start.target.module

    def classes(names: Collection[str]) -> tuple[type, ...]:
        return used.classes_with((module,), names) or (() if subject.wanted is None else subject.wanted.classes_with(names))

    return RecordingNeeds(
        runner=so_far.bench.executor,
        tracer=subject.recorder,
        meter=so_far.meter,
        quarantine=so_far.quarantine,
        used=used.hints,
        classes=classes,
        quoted={},
        variants=variants,
        rounds=so_far.runs,
        lacking=True,
        errors=caught_in(subject.source.tree),
    )


def called(callee: Callee, factory: Factory, rng: Random) -> TestCase:
    """A new call of ``callee``, with what it needs."""
    statements: list[Statement] = []
    factory.call(statements, callee, rng)
    return TestCase(tuple(statements))


class _Asking:
    def __init__(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> None:
        around = needs_of(subject, so_far, VARIANTS)
        factory, executor = so_far.factory, so_far.bench.executor
        executor.keep_variables()
        self._runs = so_far.runs
        self._subject = subject
        self._factory = factory
        self._rng = rng
        self._asking = RecordingRuns(around, factory, factory.relatives, rng)
        self._lines = CommandLines(around, factory, rng) if parses_lines(subject.source.tree) else None

    def answered(self, callee: Callee) -> list[TestCase]:
        """Tests that answer what it asks."""
        test = self._call(callee)
        return [*self._asking.built([test], self._runs, only=True), *self._surrounded(callee), *self._commanded(callee)]

    def _surrounded(self, callee: Callee) -> list[TestCase]:
        """Calls of what reads its process, in one that has what it reads."""
        source = self._subject.source
        nodes: list[ast.AST] = [
            node
            for key in sorted(self._subject.api.keys_of(callee))
            if key.module == source.module
            for node in source.nodes_of(key)
        ]
        calls = [self._call(callee) for _ in range(CALLS)]
        return ambient_seeds(nodes, (), calls, self._factory, self._rng, (source.tree,)) if nodes else []

    def _commanded(self, callee: Callee) -> list[TestCase]:
        """Calls of what parses a command line, with lines that its parser takes."""
        return [] if self._lines is None else self._lines.tests(callee)

    def _call(self, callee: Callee) -> TestCase:
        return called(callee, self._factory, self._rng)
