"""The second phase of a search for suites: branch goals that a cheap one left open get distances from inside the functions that
they call (paper 003; Evoif costs a quarter of the generations where it measures everything from the start).

The session calls ``wanted`` with the open goals, instruments ``callees``, and hands the rest to ``begin``.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from crashwright.core.location import CodeKey, Position
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.flags import FlagDistances, TraceFlags
from crashwright.engine.goals.coverage.footprint import Footprint, is_direct
from crashwright.engine.goals.coverage.goal import Goal, Goals, as_goals, numbers
from crashwright.engine.goals.coverage.measures import BranchDistance
from crashwright.engine.goals.distance import LARGEST
from crashwright.engine.instrument.trace import Activation, ProbedFunction
from crashwright.engine.subject.flags.branches import FlagAnalysis


class FlagGoals:
    """Knows which goals of a catalogue are flag branches, and gives their distances once :meth:`begin` was called."""

    def __init__(self, catalogue: Catalogue, analysis: FlagAnalysis) -> None:
        self._catalogue = catalogue
        self._analysis = analysis
        self._distances = FlagDistances(analysis)
        self._functions: Sequence[ProbedFunction] = catalogue.functions
        self._wanted: Goals = 0
        self._last: tuple[Footprint, TraceFlags] | None = None

    def wanted(self, open_goals: Goals) -> Goals:
        """Those of the open goals that are flag branches with callees of known source."""
        places: dict[tuple[int, int], list[int]] = {}
        # Where smart selection aims at direct branches in place of branches, the flags are theirs.
        for goal in numbers(open_goals & (self._catalogue.of("branch") | self._catalogue.of("direct-branch"))):
            measure = self._catalogue.measure_of(goal)
            if isinstance(measure, BranchDistance):
                places.setdefault((measure.function, measure.outcome[0]), []).append(goal)
        flags = self._distances.wanted(self._catalogue.functions, places)
        return as_goals(goal for place in flags for goal in places[place])

    def callees(self, goals: Goals, left_alone: Container[str] = ()) -> dict[str, frozenset[CodeKey]]:
        """What to instrument for these goals besides what is instrumented, by module. ``left_alone``: modules that must not be
        touched, such as those that the engine itself runs."""
        known = {function.key for function in self._catalogue.functions}
        found = self._analysis.callees_to_probe(self._branches(goals), left_alone)
        missing = {module: keys - known for module, keys in found.items()}
        return {module: keys for module, keys in missing.items() if keys}

    def predicates(self, goals: Goals) -> frozenset[Position]:
        """The predicates of the catalogue's functions that these goals need, in their callees and their own: what must go on
        carrying probes."""
        branches = self._branches(goals)
        callees = frozenset(key for keys in self._analysis.callees_to_probe(branches).values() for key in keys)
        inside = {p.position for function in self._catalogue.functions if function.key in callees for p in function.predicates}
        return frozenset(inside.union(*branches.values()))

    def _branches(self, goals: Goals) -> dict[CodeKey, set[Position]]:
        branches: dict[CodeKey, set[Position]] = {}
        for goal in numbers(goals):
            measure = self._catalogue.measure_of(goal)
            if isinstance(measure, BranchDistance):
                branches.setdefault(self._catalogue.functions[measure.function].key, set()).add(measure.place)
        return branches

    def begin(self, goals: Goals, functions: Sequence[ProbedFunction]) -> None:
        """From now on the distances of these goals are those of their flags. ``functions`` are all that are instrumented: those of
        the catalogue first."""
        self._wanted = goals
        self._functions = functions
        self._last = None
        self._catalogue.take_flags(goals, len(functions), self.distance, self.settle)

    def distance(self, goal: Goal, footprint: Footprint) -> float | None:
        """See ``catalogue.FlagDistance``. Runs from before :meth:`begin` are farther than all that called the flag."""
        measure = self._catalogue.measure_of(goal.number)
        if not self._wanted >> goal.number & 1 or not isinstance(measure, BranchDistance):
            return None
        known = footprint.by_flags
        if goal.number not in known:
            if not footprint.activations:
                return LARGEST if measure.missed(footprint) else None
            if self._last is None or self._last[0] is not footprint:
                self._last = footprint, self._distances.of(self._functions, footprint.activations)
            known[goal.number] = self._last[1].nearest(measure.function, *measure.outcome, self._made if measure.direct else None)
        return known[goal.number]

    def settle(self, footprint: Footprint) -> None:
        """Work out what the run tells of these goals, and let its activations go: whole suite remembers runs by the thousand."""
        for number in numbers(self._wanted) if footprint.activations else ():
            measure = self._catalogue.measure_of(number)
            entries = measure.entries(footprint) if isinstance(measure, BranchDistance) else None
            if isinstance(measure, BranchDistance) and entries is not None and entries[measure.wanted]:
                self.distance(self._catalogue.goals[number], footprint)
        footprint.activations = ()

    def _made(self, activation: Activation) -> bool:
        return is_direct(activation, self._catalogue.through)
