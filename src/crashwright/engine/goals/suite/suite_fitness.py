"""How far a suite as a whole is from its goals: the formulas of whole suite generation (SPEC 6; paper 004).

All tests are first merged into one footprint: the minimum over tests is that over calls. # Deviation: EvoSuite lets a branch
distance count only where its predicate was executed at least twice, by any number of tests. Executions are not counted here: twice
is in two tests, or in two calls of one test that did not do the same. # Deviation: mutants that no test touches guide by the way to
their place, where EvoSuite leaves that to the branch criterion; and so do direct branches.
"""

from __future__ import annotations

from collections.abc import Sequence

from crashwright.engine.goals.distance import normalise
from crashwright.engine.goals.suite.footprint import Footprint, together
from crashwright.engine.goals.suite.measures import Begun, Entered, Measure, Taken
from crashwright.engine.goals.suite.plan import Plan
from crashwright.engine.instrument.trace import INFINITE

ONCE = 1.0
"""Of a predicate that was evaluated only once, and of each outcome of one that was not evaluated."""


class SuiteFitness:
    """The distance of suites from the same goals (criterion and measure), which are sorted once: suites are measured by the dozen
    between two changes of the goals."""

    __slots__ = ("_branches", "_lines", "_others", "_plan")

    def __init__(self, goals: Sequence[tuple[str, Measure]]) -> None:
        self._branches: list[Taken] = []
        self._lines: list[Begun] = []
        self._others: list[Measure] = []
        for criterion, measure in goals:
            if criterion == "branch" and isinstance(measure, Taken):
                self._branches.append(measure)
            elif isinstance(measure, Begun):
                self._lines.append(measure)
            elif isinstance(measure, Entered) or criterion != "exception":
                self._others.append(measure)
        self._plan = Plan(range(len(self._others)), self._others)

    def distance(self, footprints: Sequence[Footprint]) -> float:
        """0 where all goals are covered; infinite where a test ran out of time."""
        if not self._branches and not self._lines and not self._others:
            return 0.0
        if any(footprint.timed_out for footprint in footprints):
            return INFINITE
        suite = together(footprints)
        total = sum(self._plan.distances(suite, self._one))
        for branch in self._branches:
            total += _outcome(branch.function, branch.wanted, branch.other, suite, footprints)
        uncalled = {branch.function for branch in self._branches if branch.function not in suite.entries.parts}
        return total + len(uncalled) + _lines(self._lines, suite, footprints)

    def _one(self, place: int, footprint: Footprint) -> float:
        return self._others[place].distance(footprint)


def suite_distance(footprints: Sequence[Footprint], goals: Sequence[tuple[str, Measure]]) -> float:
    """Of one suite: see :class:`SuiteFitness`."""
    return SuiteFitness(goals).distance(footprints)


def _outcome(function: int, wanted: int, other: int, suite: Footprint, footprints: Sequence[Footprint]) -> float:
    entries = suite.entries[function]
    if entries is None:
        return ONCE
    if not entries[wanted]:
        return 0.0
    if entries[other] or not _twice(function, other, footprints):
        return ONCE
    return normalise(entries[wanted])


def _twice(function: int, other: int, footprints: Sequence[Footprint]) -> bool:
    """Whether two calls that did not do the same took the other outcome."""
    times = 0
    for footprint in footprints:
        for entries in footprint.entries.parts.get(function, ()):
            times += not entries[other]
            if times == 2:
                return True
    return False


def _lines(lines: Sequence[Begun], suite: Footprint, footprints: Sequence[Footprint]) -> float:
    """phi(lines missing) and the distances of the branches on which these depend."""
    missing = [line for line in lines if line.distance(suite) > 0]
    total = normalise(float(len(missing)))
    guides = {(line.function, step.wanted, step.other): None for line in missing for step in line.approach.steps if step.level == 0}
    for function, wanted, other in guides:
        total += _outcome(function, wanted, other, suite, footprints)
    return total
