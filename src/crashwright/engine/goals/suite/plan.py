"""The distances of many goals at once: those of a function that was not called cost nothing, and goals at the same place share the
way to it. Gives what the measures give one by one, at a third of the cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crashwright.engine.goals.crash.frame_goal import normalise
from crashwright.engine.goals.suite.approach import Approach, Step
from crashwright.engine.goals.suite.footprint import Footprint
from crashwright.engine.goals.suite.measures import FARTHEST, Begun, Entered, Infected, Measure, Taken

Placed = tuple[int, int]
"""Where the distance goes in the result, and the goal."""


class _Place:
    """Lines and mutants of one function that the same decisions lead to."""

    __slots__ = ("approach", "begun", "infected")

    def __init__(self, approach: Approach) -> None:
        self.approach = approach
        self.begun: list[tuple[int, tuple[int, ...]]] = []
        self.infected: list[tuple[int, int]] = []


class _Function:
    """The goals of one function. ``direct``: those that count in the test's own calls alone, ``others`` those of all calls that are
    no places."""

    __slots__ = ("direct", "mutants", "others", "places")

    def __init__(self) -> None:
        self.places: dict[tuple[Step, ...], _Place] = {}
        self.others: list[Placed] = []
        self.direct: list[Placed] = []
        self.mutants: frozenset[int] = frozenset()

    def place(self, approach: Approach) -> _Place:
        """Of the goals that ``approach`` leads to."""
        found = self.places.get(approach.steps)
        if found is None:
            found = self.places[approach.steps] = _Place(approach)
        return found


class Plan:
    """Of these goals, by number; ``measures`` are those of all goals."""

    __slots__ = ("_functions", "_rest", "goals")

    def __init__(self, goals: Sequence[int], measures: Sequence[Measure]) -> None:
        self.goals = list(goals)
        self._rest: list[Placed] = []
        functions: dict[int, _Function] = {}
        for at, goal in enumerate(self.goals):
            measure = measures[goal]
            if not isinstance(measure, Taken | Entered | Begun | Infected):
                self._rest.append((at, goal))
                continue
            function = functions.setdefault(measure.function, _Function())
            if isinstance(measure, Begun):
                function.place(measure.approach).begun.append((at, measure.markers))
            elif isinstance(measure, Infected):
                function.place(measure.approach).infected.append((at, measure.mutant))
            elif measure.direct:
                function.direct.append((at, goal))
            else:
                function.others.append((at, goal))
        for function in functions.values():
            function.mutants = frozenset(mutant for place in function.places.values() for _, mutant in place.infected)
        self._functions = tuple(functions.items())

    def distances(self, footprint: Footprint, one_by_one: Callable[[int, Footprint], float]) -> list[float]:
        """In the order of the goals. ``one_by_one`` is asked for those that share nothing."""
        found = [FARTHEST] * len(self.goals)
        called, direct = footprint.entries.parts, footprint.direct.parts
        for number, function in self._functions:
            if number in called:
                for at, goal in function.others:
                    found[at] = one_by_one(goal, footprint)
                if number in direct:
                    for at, goal in function.direct:
                        found[at] = one_by_one(goal, footprint)
                if function.places:
                    _measure(function, number, footprint, found)
            elif not footprint.infections.keys().isdisjoint(function.mutants):
                # Beyond its limit the recorder keeps no activations, but infections.
                _measure(function, number, footprint, found)
        for at, goal in self._rest:
            found[at] = one_by_one(goal, footprint)
        return found


def _measure(function: _Function, number: int, footprint: Footprint, found: list[float]) -> None:
    """As ``Begun`` and ``Infected`` do it."""
    entries = footprint.entries[number]
    infections = footprint.infections
    for place in function.places.values():
        away = FARTHEST if entries is None else 0.0
        for at, markers in place.begun:
            for marker in markers:
                if entries is not None and entries[marker]:
                    found[at] = 0.0
                    break
            else:
                if not away and entries is not None:
                    away = (1.0 + normalise(place.approach.nearest(entries))) / 2.0
                found[at] = away
        for at, mutant in place.infected:
            infection = infections.get(mutant)
            if infection is not None:
                found[at] = normalise(infection) / 2.0
            else:
                if not away and entries is not None:
                    away = (1.0 + normalise(place.approach.nearest(entries))) / 2.0
                found[at] = away
