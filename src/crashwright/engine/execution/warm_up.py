"""Warming up: what the subject only does once, at its first use, is done before the search and not again in each test.

Many packages compile grammars, read tables or fill registries when they are first called. Putting the state back after each test
undoes that, so that each test pays for it, or runs out of time. The state that two different tests both bring about, each from a
cold start, and that neither of them changes again, is such a first use: it is kept. What only one of them does (a name that it
registers, say) is its own doing and is put back, and so is all of it where a test ends otherwise once the state is warm.

# Deviation: none of the papers does this; a JVM that is started for the search loads classes once and resets static fields.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

from crashwright.core.portions import WARM_UP_RUN_PART
from crashwright.engine.execution.executor import Executor, release
from crashwright.engine.execution.isolation.changes import Name
from crashwright.engine.execution.isolation.isolation import Cache, Isolation
from crashwright.engine.execution.limits import TestClock
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.testcase import TestCase

LONGEST_RUN = 5.0
"""CPU seconds that a test may take which runs without the usual limit."""
BUSY = 3.0
"""How much longer it may take on the wall clock: the machine may be busy."""
ROUNDS = 3
"""How often two tests are tried with less of what they changed, where they changed some of it again."""
FRUITLESS = 2
"""Pairs of tests in a row from which nothing was to be kept, after which warming up ends."""
WORTH = 0.5
"""A test that was slow is to take no more than this part of its CPU time once the state is warm."""
ENOUGH = 3
"""Tests that are different enough to warm up with."""
VARIANTS = 3
"""Variants of each of them, where there are fewer."""
LONGEST_PAUSE = 1000
"""Slow tests that are passed over at most before another try."""


class _Result(NamedTuple):
    """How a test ended, as far as two runs of it are to agree."""

    executed: int
    error: type[BaseException] | None
    timed_out: bool


class WarmUp:
    """``seconds`` is how long all of it may take by ``clock``; None where the budget is counted in evaluations: then no clock
    decides what is kept, and slow tests are not looked at. Tests in ``quarantine`` are not run."""

    def __init__(
        self,
        executor: Executor,
        isolation: Isolation,
        limits: TestClock,
        clock: Callable[[], float],
        cpu: Callable[[], float],
        seconds: float | None,
        quarantine: Quarantine | None = None,
    ) -> None:
        self._executor = executor
        self._isolation = isolation
        self._limits = limits
        self._seconds = seconds
        self._quarantine = quarantine or Quarantine()
        self._clock = clock
        self._cpu = cpu
        self._previous: TestCase | None = None
        self._restless: set[Name] = set()
        """What tests change each time."""
        self._pause = 0
        self._passed_over = 0
        self.spent = 0.0
        """Seconds that it took so far."""
        self.adopted = 0
        """How often the state to keep was exchanged for a warmer one."""

    @property
    def left(self) -> float:
        """Seconds that it may still take."""
        return float("inf") if self._seconds is None else self._seconds - self.spent

    @contextmanager
    def unhurried(self) -> Iterator[None]:
        """Without the time limit of a test, as far as the allowance goes."""
        limits, begun = self._limits, self._clock()
        usual, wall = limits.limit, limits.wall_limit
        longest = min(LONGEST_RUN, WARM_UP_RUN_PART * self.left)
        if longest > usual:
            limits.set_limit(longest, max(wall, min(BUSY * longest, self.left)))
        try:
            yield
        finally:
            limits.set_limit(usual, wall)
            self.spent += self._clock() - begun

    def begin(self, tests: Sequence[TestCase]) -> None:
        """Warm up with ``tests``, two at a time, until they change nothing more."""
        fruitless = 0
        known = self._quarantine.admitted({test.key(): test for test in tests}.values())
        for first, second in pairwise(known):
            if fruitless >= FRUITLESS or self.left <= 0:
                return
            fruitless = 0 if self.settle(first, second) else fruitless + 1

    def after_run(self, test: TestCase) -> bool:
        """Where ``test``, which was just run, was slow: see what it has in common with the one that was slow before. Whether the
        state is warmer now, since that spares it most of its time."""
        if not self._executor.was_slow or self._seconds is None or self.left <= 0:
            return False
        if self._passed_over < self._pause:
            self._passed_over += 1
            return False
        previous, self._previous = self._previous, test
        if previous is None or previous.key() == test.key():
            return False
        warmer = self.settle(previous, test, must_pay=True)
        self._passed_over = 0
        self._pause = 0 if warmer else min(LONGEST_PAUSE, 2 * self._pause + 1)
        return warmer

    def settle(self, first: TestCase, second: TestCase, must_pay: bool = False) -> bool:
        """Keep what both tests do at their first run and neither does again; where ``must_pay`` says so, only if ``second`` then
        takes much less time. Whether anything was kept."""
        with self.unhurried():
            kept = self._settle(first, second, must_pay)
        self.adopted += kept
        return kept

    def _settle(self, first: TestCase, second: TestCase, must_pay: bool) -> bool:
        isolation, base = self._isolation, self._isolation.base
        cold = self._run(first)
        names: Collection[Name] = isolation.changes().keys()
        at_first = frozenset(names)
        caches: Collection[Cache] = isolation.filled()
        for _ in range(ROUNDS):
            if cold.timed_out or not (names or caches) or self._spoiled(isolation.restore()):
                break
            begun = self._cpu()
            other = self._run(second)
            between = self._cpu()
            changes = [change for name, change in isolation.changes().items() if name in names and name not in self._restless]
            caches = [cache for cache in isolation.filled() if cache in caches]
            if other.timed_out or not (changes or caches) or isolation.lay(changes, caches) is not None:
                break
            agree = self._run(first) == cold
            stored = frozenset(isolation.changes()) - at_first
            warm = self._cpu()
            agree = agree and self._run(second) == other
            pays = not must_pay or self._cpu() - warm <= WORTH * (between - begun)
            lost = {change.name for change in changes if not change.holds() or _is_stored(change.name, stored)}
            grown = isolation.grown().intersection(caches)
            if agree and pays and not lost and not grown:
                # Only now is the state looked through: that takes a third of a second for a large package.
                if isolation.keep(changes, caches) is None:
                    return True
                break
            self._restless |= lost
            if not agree or not pays:
                break
            if self._spoiled(isolation.return_to(base)):
                return False
            names = {change.name for change in changes} - lost
            caches = [cache for cache in caches if cache not in grown]
        self._spoiled(isolation.return_to(base))
        return False

    def _run(self, test: TestCase) -> _Result:
        outcome = self._executor.run_and_keep(test)
        release(outcome)
        return _Result(outcome.executed, None if outcome.error is None else type(outcome.error), outcome.timed_out)

    def _spoiled(self, reason: str | None) -> bool:
        """The next test asks for a new fork where the state could not be put back."""
        if reason is not None:
            self._executor.spoiled = reason
        return reason is not None


def _is_stored(name: Name, stored: Collection[Name]) -> bool:
    """Whether it is an item of a dict in which the same test puts another one each time: no first use, but what it stores."""
    return name[:1] == ("dict",) and any(other[:2] == name[:2] for other in stored)


def varied(tests: Sequence[TestCase], mutate: Callable[[TestCase, random.Random], TestCase], rng: random.Random) -> list[TestCase]:
    """``tests`` to warm up with; where they are few, with variants of the first ones between them: it takes different tests to tell
    what all of them do."""
    if len(tests) >= ENOUGH:
        return list(tests)
    mixed = [one for test in tests for one in (test, *(mutate(test, rng) for _ in range(VARIANTS)))]
    return [one for one in mixed if one.is_valid()]
