"""Operators on tests of a suite (SPEC 5): as for crashes, but calls are also appended at the end, where they see what was made."""

from __future__ import annotations

import random

from crashwright.engine.search.operators import TestOperators
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.testcase import TestCase

SEED_SHARE = 0.2
"""Share of new tests that start from a seed where there are any (EvoSuite's test seeding)."""
APPEND = 1 / 3
"""How often a mutation appends a call, and how often the second, third ... of them in half of the cases before."""
ON_VARIABLE = 0.5
"""Share of the appended calls that are made on an object that the test has already."""
LONGEST_NEW = 8
"""Statements of a new test at most, arguments not counted."""


class SuiteOperators(TestOperators):
    """See ``search.algorithm.Operators``. The entry of the factory is every callable under test."""

    def __init__(self, factory: Factory, length: int, quarantine: Quarantine | None = None) -> None:
        super().__init__(factory, length, quarantine)
        self._spared: frozenset[str] = frozenset()

    def spare(self, addresses: frozenset[str]) -> None:
        """Callables that are dear: for now no new test calls them."""
        self._spared = addresses

    def sample(self, rng: random.Random) -> TestCase:
        """A new test, or a mutated seed."""
        if self._seeds and rng.random() < SEED_SHARE:
            return self.mutate(self._seeds[int(rng.random() * len(self._seeds))], rng)
        return self._fresh(lambda: self._factory.random_test(rng, 1 + int(rng.random() * min(LONGEST_NEW, self._length))))

    def _is_choosy(self) -> bool:
        return bool(self._spared) or super()._is_choosy()

    def _drives(self, test: TestCase) -> bool:
        return super()._drives(test) and not (self._spared and self._spared & called(test))

    def mutate(self, individual: TestCase, rng: random.Random) -> TestCase:
        """Change, delete or insert statements, or append calls."""
        if self._spared and self._spared & called(individual):
            return self.sample(rng)
        if rng.random() >= APPEND:
            return super().mutate(individual, rng)
        statements: list[Statement] = list(individual.statements)
        chance = 1.0
        while rng.random() < chance and len(statements) < self._length:
            if not (statements and rng.random() < ON_VARIABLE and self._factory.call_on_variable(statements, rng)):
                self._factory.call_entry(statements, rng)
            chance /= 2
        changed = TestCase(tuple(statements))
        return changed if self._drives(changed) else individual


def called(test: TestCase) -> frozenset[str]:
    """The addresses of the callables that a test calls."""
    callees = (getattr(statement, "callee", None) for statement in test.statements)
    return frozenset(callee.address for callee in callees if isinstance(callee, Callee))
