"""EvoCrash's operators without what ours add to them (paper 001, Algorithms 2-4), to compare: ``--operators evocrash``.

New tests are random ones, of any length up to the longest; tests keep what stands behind the statement that raised; ``guided``
leaves out what it adds to Algorithm 1. Crossover is the same for both: ours is the paper's.

# Deviation: tests that the report or usage examples show are still run first, and compete like any others. # Deviation: what
changing or inserting a statement means is Python's affair (``testcase.editing.changes``, ``testcase.making.insertion``).
"""

from __future__ import annotations

import random
from collections.abc import Callable

from crashwright.engine.search.operators import TestOperators
from crashwright.engine.testcase.editing import edits
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.testcase import TestCase

REPEATS = 50
"""How often a mutation is repeated until an entry call is present."""


class EvoCrashOperators(TestOperators):
    """See the module."""

    def sample(self, rng: random.Random) -> TestCase:
        """Guided initialisation (Algorithm 2)."""
        return self._fresh(lambda: self._factory.random_test(rng, 1 + int(rng.random() * self._length)))

    def mutate(self, individual: TestCase, rng: random.Random) -> TestCase:
        """Guided mutation (Algorithm 4): what lost its entry calls is mutated on until it has one again.

        # Deviation: the paper repeats without bound; after these attempts the parent is kept.
        """
        changed = individual
        for _ in range(REPEATS):
            changed = edits.mutate_evenly(changed, self._factory, rng)
            if self._drives(changed):
                return changed
        return individual

    def chopped(self, test: TestCase, count: int) -> TestCase:  # noqa: ARG002
        """The test as it is."""
        return test


OPERATORS: dict[str, Callable[[Factory, int, Quarantine], TestOperators]] = {
    "extended": TestOperators,
    "evocrash": EvoCrashOperators,
}
