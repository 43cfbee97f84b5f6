"""How far a suite as a whole is from its goals: the formulas of whole suite generation (SPEC 6; paper 004).

All tests are first merged into one footprint: the minimum over tests is that over calls. # Deviation: EvoSuite lets a branch
distance count only where its predicate was executed at least twice, by any number of tests. Executions are not counted here: twice
is in two tests, or in two calls of one test that did not do the same. # Deviation: mutants that no test touches guide by the way to
their place, where EvoSuite leaves that to the branch criterion; and so do direct branches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from crashwright.engine.goals.coverage.footprint import Footprint, together
from crashwright.engine.goals.coverage.goal import as_goals
from crashwright.engine.goals.coverage.measures import BranchDistance, EntryDistance, Measure, StatementDistance, told_by_flags
from crashwright.engine.goals.coverage.plan import Plan
from crashwright.engine.goals.distance import normalise
from crashwright.engine.instrument.trace import INFINITE

ONCE = 1.0
"""Of a predicate that was evaluated only once, and of each outcome of one that was not evaluated."""

Told = Callable[[Footprint], float | None]
"""How far a run was from the outcome of a flag branch, in (0, 1]; None where what the probe recorded counts."""
NO_FLAGS: Mapping[Measure, Told] = MappingProxyType({})


class _Flags(NamedTuple):
    """By place among the other goals, and by function and entry of the outcome."""

    others: Mapping[int, Told]
    branches: Mapping[tuple[int, int], Told]


class SuiteFitness:
    """The distance of suites from the same goals (criterion and measure), which are sorted once: suites are measured by the dozen
    between two changes of the goals."""

    __slots__ = ("_branches", "_flags", "_lines", "_others", "_plan")

    def __init__(self, goals: Sequence[tuple[str, Measure]], told: Mapping[Measure, Told] = NO_FLAGS) -> None:
        """``told``: of goals that are flag branches (paper 003), how far a run was from inside the functions called."""
        self._branches: list[BranchDistance] = []
        self._lines: list[StatementDistance] = []
        self._others: list[Measure] = []
        for criterion, measure in goals:
            if criterion == "branch" and isinstance(measure, BranchDistance):
                self._branches.append(measure)
            elif isinstance(measure, StatementDistance):
                self._lines.append(measure)
            elif isinstance(measure, EntryDistance) or criterion != "exception":
                self._others.append(measure)
        flagged = {place: told[measure] for place, measure in enumerate(self._others) if measure in told}
        self._plan = Plan(range(len(self._others)), self._others, as_goals(flagged))
        self._flags = _Flags(flagged, {(one.function, one.wanted): told[one] for one in self._branches if one in told})

    def distance(self, footprints: Sequence[Footprint]) -> float:
        """0 where all goals are covered; infinite where a test ran out of time."""
        if not self._branches and not self._lines and not self._others:
            return 0.0
        if any(footprint.timed_out for footprint in footprints):
            return INFINITE
        suite = together(footprints)
        total = sum(self._plan.distances(suite, lambda place, merged: self._one(place, merged, footprints)))
        for branch in self._branches:
            total += _outcome(branch.function, branch.wanted, branch.other, suite, footprints, self._flags)
        uncalled = {branch.function for branch in self._branches if branch.function not in suite.entries.parts}
        return total + len(uncalled) + _lines(self._lines, suite, footprints, self._flags)

    def _one(self, place: int, suite: Footprint, footprints: Sequence[Footprint]) -> float:
        plain = self._others[place].distance(suite)
        found = _nearest(self._flags.others.get(place), footprints) if plain else None
        return plain if found is None else told_by_flags(found)


def suite_distance(footprints: Sequence[Footprint], goals: Sequence[tuple[str, Measure]]) -> float:
    """Of one suite: see :class:`SuiteFitness`."""
    return SuiteFitness(goals).distance(footprints)


def _nearest(told: Told | None, footprints: Sequence[Footprint]) -> float | None:
    if told is None:
        return None
    return min([found for one in footprints if (found := told(one)) is not None], default=None)


def _outcome(function: int, wanted: int, other: int, suite: Footprint, footprints: Sequence[Footprint], flags: _Flags) -> float:
    entries = suite.entries[function]
    if entries is None:
        return ONCE
    if not entries[wanted]:
        return 0.0
    if entries[other] or not _twice(function, other, footprints):
        return ONCE
    found = _nearest(flags.branches.get((function, wanted)), footprints)
    return normalise(entries[wanted] if found is None else found)


def _twice(function: int, other: int, footprints: Sequence[Footprint]) -> bool:
    """Whether two calls that did not do the same took the other outcome."""
    times = 0
    for footprint in footprints:
        for entries in footprint.entries.parts.get(function, ()):
            times += not entries[other]
            if times == 2:
                return True
    return False


def _lines(lines: Sequence[StatementDistance], suite: Footprint, footprints: Sequence[Footprint], flags: _Flags) -> float:
    """phi(lines missing) and the distances of the branches on which these depend."""
    missing = [line for line in lines if line.distance(suite) > 0]
    total = normalise(float(len(missing)))
    guides = {(line.function, step.wanted, step.other): None for line in missing for step in line.approach.steps if step.level == 0}
    for function, wanted, other in guides:
        total += _outcome(function, wanted, other, suite, footprints, flags)
    return total
