"""What the module asks of values that nothing describes (docs/decisions/0020), of the objects it is called on, and of its process:
each callable is asked in a few runs, and tests that answer are among the first of a suite."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.goal import Goals, numbers
from crashwright.engine.search.ambient_seeds import ambient_seeds
from crashwright.engine.search.asking import Around, Asking
from crashwright.engine.search.live_parsers import CommandLines, parses_lines
from crashwright.engine.search.used_types import UsedAnywhere
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sessions.suite_parts import Parts
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.usage.caught import caught_in
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.testcase import TestCase

SHARE = 0.15
"""Part of the budget that this may take, runs that ask included."""
RUNS = 30
"""That ask, for one callable."""
VARIANTS = 8
"""Tests that answer, of one callable."""
CALLS = 4
"""Of one that reads its process, each in several."""


class SuiteAsking:
    """Of one search. ``factory`` learns the values that answer."""

    def __init__(self, parts: Parts, setup: Setup, factory: Factory) -> None:
        used = UsedAnywhere(parts.api, parts.sources)
        module = parts.start.target.module

        def classes(names: Collection[str]) -> tuple[type, ...]:
            return used.classes_with((module,), names)

        around = Around(
            runner=setup.bench.executor,
            tracer=parts.recorder,
            meter=setup.meter,
            quarantine=setup.quarantine,
            used=used.hints,
            classes=classes,
            quoted={},
            variants=VARIANTS,
            rounds=RUNS,
            lacking=True,
            errors=caught_in(parts.source.tree),
        )
        setup.bench.executor.keep_variables()
        self._parts = parts
        self._factory = factory
        self._rng = setup.rng
        self._asking = Asking(around, factory, factory.relatives, setup.rng)
        self._lines = CommandLines(around, factory, setup.rng) if parses_lines(parts.source.tree) else None

    def tests(self, callees: Sequence[Callee], catalogue: Catalogue, covered: Goals) -> Iterator[list[TestCase]]:
        """Tests for each of ``callees``, those with the most open branches first; none for what is covered."""
        weights = self._open_in(callees, catalogue, covered)
        for place in sorted(range(len(callees)), key=lambda place: (-weights[place], place)):
            if weights[place]:
                yield self._answered(callees[place])

    def _open_in(self, callees: Sequence[Callee], catalogue: Catalogue, covered: Goals) -> list[int]:
        """How many branches of each are open."""
        wanted = catalogue.of("branch") & ~covered & ~catalogue.known
        opened = Counter(catalogue.goals[number].qualname.partition(".<locals>")[0] for number in numbers(wanted))
        return [sum(opened[key.qualname] for key in self._parts.api.keys_of(callee)) for callee in callees]

    def _answered(self, callee: Callee) -> list[TestCase]:
        test = self._call(callee)
        return [*self._asking.built([test], RUNS, only=True), *self._surrounded(callee), *self._commanded(callee)]

    def _surrounded(self, callee: Callee) -> list[TestCase]:
        """Calls of what reads its process, in one that has what it reads."""
        source = self._parts.source
        nodes: list[ast.AST] = [
            node for key in sorted(self._parts.api.keys_of(callee)) if key.module == source.module for node in source.nodes_of(key)
        ]
        calls = [self._call(callee) for _ in range(CALLS)]
        return ambient_seeds(nodes, (), calls, self._factory, self._rng, (source.tree,)) if nodes else []

    def _commanded(self, callee: Callee) -> list[TestCase]:
        """Calls of what parses a command line, with lines that its parser takes."""
        return [] if self._lines is None else self._lines.tests(callee)

    def _call(self, callee: Callee) -> TestCase:
        statements: list[Statement] = []
        self._factory.call(statements, callee, self._rng)
        return TestCase(tuple(statements))
