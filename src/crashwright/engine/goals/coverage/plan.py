"""The distances of many goals at once: those of a function that was not called cost nothing, goals at the same place share the way
to it, and runs that look the same to all goals of a function are worked out once. Gives what the measures give one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter

from crashwright.engine.goals.coverage.approach import Approach, Step
from crashwright.engine.goals.coverage.footprint import Entries, Footprint
from crashwright.engine.goals.coverage.goal import Goals
from crashwright.engine.goals.coverage.measures import (
    FARTHEST,
    BranchDistance,
    EntryDistance,
    Measure,
    MutationDistance,
    StatementDistance,
)
from crashwright.engine.goals.distance import normalise

Told = BranchDistance | EntryDistance | StatementDistance | MutationDistance
"""What the entries of one function tell (of mutants only the way to them)."""
Picker = Callable[[Sequence[float]], tuple[float, ...]]
REMEMBERED = 2048
"""Patterns of one function."""


class _Context:
    """Goals of one function in all calls, or in those that the test made itself."""

    __slots__ = ("_known", "_measures", "_pick", "_ways", "away", "mutants")

    def __init__(self, measures: Sequence[Told]) -> None:
        self.away = [FARTHEST] * len(measures)
        self.mutants = {measure.mutant: at for at, measure in enumerate(measures) if isinstance(measure, MutationDistance)}
        ways: dict[tuple[Step, ...], int] = {}
        self._ways: list[Approach] = []
        self._measures: list[tuple[Told, int]] = []
        looked_at: set[int] = set()
        for measure in measures:
            way = -1
            if not isinstance(measure, EntryDistance):
                way = ways.setdefault(measure.approach.steps, len(ways))
                if way == len(self._ways):
                    self._ways.append(measure.approach)
                    looked_at.update(entry for step in measure.approach.steps for entry in (step.wanted, step.other))
            if isinstance(measure, StatementDistance):
                looked_at.update(measure.markers)
            self._measures.append((measure, way))
        self._pick = picker(sorted(looked_at))
        self._known: dict[tuple[float, ...], list[float]] = {}

    def distances(self, entries: Entries) -> list[float]:
        """Not to be changed. Of mutants as if they were not touched."""
        pattern = self._pick(entries)
        found = self._known.get(pattern)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            nearest = [normalise(way.nearest(entries)) for way in self._ways]
            found = self._known[pattern] = [
                0.0 if way < 0 else _distance(measure, nearest[way], entries) for measure, way in self._measures
            ]
        return found


def _distance(measure: Told, nearest: float, entries: Entries) -> float:
    """As the measures do it."""
    if isinstance(measure, BranchDistance):
        return nearest
    if isinstance(measure, StatementDistance):
        for marker in measure.markers:
            if entries[marker]:
                return 0.0
    return (1.0 + nearest) / 2.0


class Plan:
    """Of these goals, by number; ``measures`` are those of all goals. Goals in ``apart`` are measured one by one."""

    __slots__ = ("_functions", "_order", "_rest", "apart", "goals")

    def __init__(self, goals: Sequence[int], measures: Sequence[Measure], apart: Goals = 0) -> None:
        self.goals = list(goals)
        self.apart = apart
        functions: dict[tuple[int, bool], list[tuple[int, Told]]] = {}
        rest: list[tuple[int, int]] = []
        for at, goal in enumerate(self.goals):
            measure = measures[goal]
            if apart >> goal & 1 or not isinstance(measure, Told):
                rest.append((at, goal))
            else:
                direct = isinstance(measure, BranchDistance | EntryDistance) and measure.direct
                functions.setdefault((measure.function, direct), []).append((at, measure))
        self._functions = [(*key, _Context([measure for _, measure in found])) for key, found in functions.items()]
        self._rest = [goal for _, goal in rest]
        found_at = [at for found in functions.values() for at, _ in found] + [at for at, _ in rest]
        places = {at: place for place, at in enumerate(found_at)}
        self._order = picker([places[at] for at in range(len(places))])

    def distances(self, footprint: Footprint, one_by_one: Callable[[int, Footprint], float]) -> list[float]:
        """In the order of the goals. ``one_by_one`` is asked for those that share nothing."""
        found: list[float] = []
        infections = footprint.infections
        for number, direct, goals in self._functions:
            merged = footprint.direct if direct else footprint.entries
            entries = merged[number] if number in merged.parts else None
            distances = goals.away if entries is None else goals.distances(entries)
            if infections and goals.mutants:
                # Beyond its limit the recorder keeps no activations, but infections.
                touched = infections.keys() & goals.mutants.keys()
                if touched:
                    distances = distances[:]
                    for mutant in touched:
                        distances[goals.mutants[mutant]] = normalise(infections[mutant]) / 2.0
            found += distances
        found += [one_by_one(goal, footprint) for goal in self._rest]
        return list(self._order(found))


def picker(places: Sequence[int]) -> Picker:
    """Picks these places of a list, in C."""
    if len(places) > 1:
        return itemgetter(*places)
    if places:
        only = places[0]
        return lambda values: (values[only],)
    return lambda _values: ()
