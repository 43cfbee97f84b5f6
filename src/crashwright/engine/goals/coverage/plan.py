"""The distances of many goals at once: only functions that were called are looked at, goals at the same place share the way to it,
runs that look the same to all goals of a function are worked out once, and what calls or their results cover is looked up. Gives
what the measures give one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter

from crashwright.engine.goals.coverage.approach import Approach, ApproachStep
from crashwright.engine.goals.coverage.footprint import Entries, Footprint
from crashwright.engine.goals.coverage.goal import Goals, as_goals, numbers
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

    __slots__ = ("_known", "_measures", "_pick", "_ways", "measures")

    def __init__(self, measures: Sequence[Told]) -> None:
        self.measures = measures
        ways: dict[tuple[ApproachStep, ...], int] = {}
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


Contexts = dict[tuple[int, bool], _Context]
"""By function, and whether it is asked for the calls of the test alone."""


class Plan:
    """Of these goals, by number; ``measures`` are those of all goals. Goals in ``apart`` are measured one by one, those in ``told``
    are covered or are not. ``contexts`` are those of the plan before: what did not change of them goes on to be used.

    The distances stand in an order of its own first: those of a function side by side, in a row that begins as that of a run which
    called nothing.
    """

    __slots__ = ("_away", "_direct", "_entered", "_mutants", "_order", "_places", "_rest", "_told", "apart", "goals")

    def __init__(
        self,
        goals: Sequence[int],
        measures: Sequence[Measure],
        apart: Goals = 0,
        told: Goals = 0,
        contexts: Contexts | None = None,
    ) -> None:
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
        self._away = [FARTHEST] * len(self.goals)
        self._entered: dict[int, tuple[int, int, _Context]] = {}
        self._direct: dict[int, tuple[int, int, _Context]] = {}
        self._mutants: dict[int, int] = {}
        found_at: list[int] = []
        for (function, direct), found in functions.items():
            start = len(found_at)
            context = _context((function, direct), [measure for _, measure in found], contexts)
            (self._direct if direct else self._entered)[function] = start, start + len(found), context
            for place, (at, measure) in enumerate(found, start):
                found_at.append(at)
                if isinstance(measure, MutationDistance):
                    self._mutants[measure.mutant] = place
        self._places = {goal: place for place, (_, goal) in enumerate(rest, len(found_at))}
        self._told = as_goals(self._places) & told & ~apart
        self._rest = [(place, goal) for goal, place in self._places.items() if not self._told >> goal & 1]
        found_at += [at for at, _ in rest]
        ordered = {at: place for place, at in enumerate(found_at)}
        self._order = picker([ordered[at] for at in range(len(ordered))])

    def distances(self, footprint: Footprint, one_by_one: Callable[[int, Footprint], float], covered: Goals = 0) -> list[float]:
        """In the order of the goals. ``one_by_one`` is asked for those that share nothing; ``covered`` are those of the run."""
        found = self._away[:]
        for merged, contexts in ((footprint.entries, self._entered), (footprint.direct, self._direct)):
            for number in merged.parts if len(merged.parts) < len(contexts) else contexts:
                if number not in merged.parts or number not in contexts:
                    continue
                entries = merged[number]
                if entries is not None:
                    start, end, goals = contexts[number]
                    found[start:end] = goals.distances(entries)
        self._note_infections(found, footprint.infections)
        for goal in numbers(covered & self._told):
            found[self._places[goal]] = 0.0
        for place, goal in self._rest:
            found[place] = one_by_one(goal, footprint)
        return list(self._order(found))

    def _note_infections(self, found: list[float], infections: Mapping[int, float]) -> None:
        """Beyond its limit the recorder keeps no activations, but infections."""
        if infections and self._mutants:
            for mutant in infections.keys() & self._mutants.keys():
                found[self._mutants[mutant]] = normalise(infections[mutant]) / 2.0


def _context(key: tuple[int, bool], measures: list[Told], contexts: Contexts | None) -> _Context:
    if contexts is None:
        return _Context(measures)
    known = contexts.get(key)
    if known is None or known.measures != measures:
        known = contexts[key] = _Context(measures)
    return known


def picker(places: Sequence[int]) -> Picker:
    """Picks these places of a list, in C."""
    if len(places) > 1:
        return itemgetter(*places)
    if places:
        only = places[0]
        return lambda values: (values[only],)
    return lambda _values: ()
