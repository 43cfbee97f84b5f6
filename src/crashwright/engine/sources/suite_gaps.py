"""Numbers of the archive's tests are moved until what the module compares is equal, or just not (``search.suite.closing``).

A comparison of which only one outcome was seen, and one whose sides were never equal, has something left to show: a branch, or what
tells ``<`` from ``<=``. A random change of the right number by the right amount is rare; the gap says which number moves it, and by
how much.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from random import Random

from crashwright.engine.execution.executor import release
from crashwright.engine.instrument.gap_probes import GapProbes, GapsByLine
from crashwright.engine.search.suite.closing import closing
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.testcase import TestCase

OF_ONE = 24
"""Tests that are made of one."""
_Comparison = tuple[int, int]
"""Its line, and its place among those of the line."""
_ALL_SIGNS = frozenset((-1, 0, 1))


class SuiteGaps:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._probes: GapProbes | None = None
        self._known: set[int] = set()
        self._signs: dict[_Comparison, set[int]] = {}
        self._waiting: deque[Iterator[TestCase]] = deque()

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:  # noqa: ARG002
        """One of each test of the archive in turn, as long as it has some."""
        if self._probes is None:
            self._probes = GapProbes(subject.start.target.module, so_far.bench.guard.redefined.clear)
        for test in sorted(so_far.archived, key=len):
            if shape_of(test) not in self._known and not so_far.quarantine.holds(test):
                self._known.add(shape_of(test))
                self._waiting.append(self._of(test, so_far, self._probes))
        while self._waiting:
            tests = self._waiting.popleft()
            proposed = next(tests, None)
            if proposed is not None:
                self._waiting.append(tests)
                yield proposed

    def _of(self, test: TestCase, so_far: SuiteSoFar, probes: GapProbes) -> Iterator[TestCase]:
        seen: dict[int, GapsByLine] = {}

        def gaps_of(moved: TestCase) -> GapsByLine:
            shape = shape_of(moved)
            if shape not in seen:
                seen[shape] = {} if so_far.is_spent else probes.of(lambda: release(so_far.bench.executor.run_aside(moved)))
                self._note(seen[shape])
            return seen[shape]

        made = 0
        for line, place in [*_comparisons(gaps_of(test))]:

            def at_place(moved: TestCase, line: int = line, place: int = place) -> Sequence[tuple[float, ...]]:
                return [*gaps_of(moved).get(line, ())][place : place + 1]

            if self._signs.get((line, place), set()) >= _ALL_SIGNS:
                continue
            for one in closing(test, at_place, so_far.factory.new):
                yield one
                made += 1
                if made == OF_ONE:
                    return

    def _note(self, gaps: GapsByLine) -> None:
        for line, place in _comparisons(gaps):
            signs = self._signs.setdefault((line, place), set())
            signs.update((gap > 0) - (gap < 0) for gap in gaps[line][place])


def _comparisons(gaps: GapsByLine) -> Iterator[_Comparison]:
    """Those that were made."""
    return ((line, place) for line, sites in gaps.items() for place, found in enumerate(sites) if found)
