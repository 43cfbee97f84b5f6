"""Guided operators on tests (paper 001, Algorithms 2-4): whatever they return contains a call of the entry."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.testcase.editing import edits
from crashwright.engine.testcase.editing.circles import close_circle
from crashwright.engine.testcase.editing.mix import FIXED, OTHERWISE, Mix
from crashwright.engine.testcase.editing.sequels import prolong
from crashwright.engine.testcase.editing.text_crossover import exchange_texts
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.names.source import Known
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.statements import Literal, Named, Value, Variable, same_value
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import used

ATTEMPTS = 8
"""How often a mutation is tried until it leaves an entry call in place; after that the parent lives on unchanged."""
FAITHFUL = 0.7
"""Share of mutations that leave what the report quotes as it is, where that was asked for."""
SEED_SHARE = 0.6
"""Share of new tests that start from a seed where there are any."""


class TestOperators:
    """New tests are made by the factory, or are mutated copies of seeds: see :meth:`plant`. Those in ``quarantine`` are not run,
    and not made either, as far as a few attempts go."""

    __test__ = False

    def __init__(self, factory: Factory, length: int, quarantine: Quarantine | None = None) -> None:
        self._factory = factory
        self._entry = frozenset(factory.entry)
        self._things: frozenset[Named] = frozenset()
        self._seeds: tuple[TestCase, ...] = ()
        self._length = length
        self._circles: AbstractSet[str] | None = None
        self._quarantine = quarantine or Quarantine()
        self._diverse = False
        self._quoted: Mapping[Variable, Value] = {}
        self._mix = FIXED

    def add_entries(self, entry: Sequence[Callee]) -> None:
        """From now on these drive the target too."""
        self._entry |= frozenset(entry)

    def add_drivers(self, drivers: Iterable[Known]) -> None:
        """From now on what the user's own lines call drives the target too, whatever the entry is."""
        for driver in drivers:
            if isinstance(driver, Named):
                self._things |= {driver}
            else:
                self._entry |= {driver}

    def plant(self, seeds: Sequence[TestCase]) -> None:
        """Start from these tests, such as the call that the report echoes."""
        self._seeds = tuple(seeds)

    def close_circles(self, on_path: AbstractSet[str]) -> None:
        """From now on put objects into themselves and each other, by the names of ``on_path`` first."""
        self._circles = on_path

    def diversify(self, quoted: Mapping[Variable, Value]) -> None:
        """From now on calls are added on the object that is worked on, and what the report ``quoted`` mostly stays."""
        self._diverse = True
        self.insist_on_types(True)
        self._quoted = quoted

    def vary_by(self, mix: Mix) -> None:
        """From now on tests are changed in each way as often as ``mix`` says."""
        self._mix = mix

    def settle(self, tests: Iterable[tuple[TestCase, bool]]) -> None:
        """A generation was run: which of its tests have reached something new."""
        self._mix.settle(tests)

    def insist_on_types(self, insist: bool) -> None:
        """Whether new arguments have the types that they should have; else some have others on purpose."""
        self._factory.pool.legal = insist

    def circled(self, test: TestCase, rng: random.Random) -> TestCase:
        """``test`` with a circle of objects in it, where it was asked for and there are some."""
        return test if self._circles is None else close_circle(test, self._factory, rng, self._circles)

    def sample(self, rng: random.Random) -> TestCase:
        """Guided initialisation (Algorithm 2). # Deviation: or a mutated seed, where the report shows a call."""
        if self._seeds and rng.random() < SEED_SHARE:
            seed = self._seeds[int(rng.random() * len(self._seeds))]
            for _ in range(1 + int(rng.random() * 3)):
                seed = self.mutate(seed, rng)
            return seed
        return self._fresh(lambda: self._factory.random_test(rng, 2 + int(rng.random() * min(8, self._length))))

    def crossover(self, one: TestCase, other: TestCase, rng: random.Random) -> tuple[TestCase, TestCase]:
        """Guided crossover (Algorithm 3): an offspring without an entry call becomes a clone of its parent.

        # Deviation: or of their texts.
        """
        mix = self._mix
        mix.begin()
        if self._factory.pool.structured and rng.random() < mix.texts_crossed:
            crossed = exchange_texts(one, other, rng)
            if crossed is not None:
                mix.took("texts crossed", "texts crossed")
                for test in crossed:
                    mix.made(test)
                return crossed
        first, second = edits.crossover(one, other, self._factory, rng)
        mix.took("texts crossed", OTHERWISE)
        for test in (first, second):
            mix.made(test)
        return self._guarded(first, one), self._guarded(second, other)

    def mutate(self, individual: TestCase, rng: random.Random) -> TestCase:
        """Guided mutation (Algorithm 4): repeated until an entry call is present.

        # Deviation: from the individual each time. To go on with what lost its entry call, as the paper does, rarely gives it
        another, and costs as much as all other mutations.
        """
        faithful = bool(self._quoted) and rng.random() < FAITHFUL
        for _ in range(ATTEMPTS):
            self._mix.begin()
            changed = self._changed(individual, rng)
            if self._drives(changed) and not (faithful and self._forgets(individual, changed)):
                self._mix.made(changed, individual)
                return changed
        # Deviation: the paper repeats without bound; after these attempts the parent is kept.
        return individual

    def _changed(self, individual: TestCase, rng: random.Random) -> TestCase:
        mix = self._mix
        if self._circles is not None:
            if rng.random() < mix.circles:
                mix.took("circles", "circles")
                return self.circled(individual, rng)
            mix.took("circles", OTHERWISE)
        if self._diverse:
            if rng.random() < mix.prolonged:
                longer = prolong(individual, self._factory, rng)
                if longer is not individual:
                    mix.took("prolonged", "prolonged")
                    return longer
            mix.took("prolonged", OTHERWISE)
        return edits.mutate(individual, self._factory, rng, mix)

    def _forgets(self, before: TestCase, after: TestCase) -> bool:
        """Whether a literal of the report that ``before`` has is gone, is another now, or serves for nothing."""
        quoted = self._quoted
        literals = [one for one in before.statements if type(one) is Literal]
        had = [one for one in literals if one[0] in quoted and same_value(one[1], quoted[one[0]])]
        if not had:
            return False
        kept = {one[0]: one[1] for one in after.statements if type(one) is Literal}
        serve = {variable for one in after.statements for variable in used(one)}
        return any(one[0] not in serve or one[0] not in kept or not same_value(kept[one[0]], one[1]) for one in had)

    def chopped(self, test: TestCase, count: int) -> TestCase:
        """``test`` without what stands behind its first ``count`` statements (SPEC 5: nothing behind the first statement that
        raises is worth keeping), where it then still drives the target. And without what stands behind the last entry call and what
        is done with its result: that cannot come to the target."""
        if self._diverse:
            count = min(count or len(test.statements), edits.end_of_entry(test, self._entry, self._things))
        if not 0 < count < len(test.statements):
            return test
        shorter = edits.chop(test, count)
        return shorter if self._drives(shorter) else test

    def identity(self, individual: TestCase) -> int:
        """The test's structure, whatever its variables are called."""
        return shape_of(individual)

    def _drives(self, test: TestCase) -> bool:
        within = 0 < len(test.statements) <= self._length or self._factory.has_room(test.statements)
        return (
            within and edits.has_entry(test, self._entry, self._things) and not (self._quarantine and self._quarantine.holds(test))
        )

    def _is_choosy(self) -> bool:
        """Whether new tests may be unwanted."""
        return bool(self._quarantine)

    def _fresh(self, make: Callable[[], TestCase]) -> TestCase:
        """What ``make`` makes, where that can be of use."""
        test = make()
        for _ in range(ATTEMPTS if self._is_choosy() else 0):
            if self._drives(test):
                break
            test = make()
        return test

    def _guarded(self, offspring: TestCase, parent: TestCase) -> TestCase:
        return offspring if self._drives(offspring) else parent
