"""All goals of a module, and what a run means for them (SPEC 6): the ``Problem`` of the search for suites.

Algorithms ask four things of it above all: which goals a run covers, which may be aimed at, how far a run is from each of some,
how far a whole suite is from them. What a run was is a ``Footprint``, merged from its trace once; the catalogue never sees a
test. What a goal is, is its ``Measure``; the rest here is bookkeeping that makes many goals cheap.

Invariants:

- The number of a goal is its place in ``goals`` and its bit in each set of goals. It never changes and no goal goes away;
  exceptions and outputs that nobody declared are appended when a run shows them, at most ``MOST_FOUND`` of a sort and callable.
- The others are numbered criterion by criterion in the order of the source, and their labels are the same in every process.
  Branch goals are always there, asked for or not: DynaMOSA's graph stands on them.
- A goal is covered where its distance is 0, and else its distance is above 0 and at most 1, so that distances of all criteria may
  be added. :meth:`Catalogue.covered` finds the same by looking goals up instead of measuring them, and ``Plan`` measures many at
  once with the same results as one by one: what is written twice for speed is compared by a property test.
- A run that ran out of time covers nothing and is farthest from everything.
- What unlocks a goal stands before it in the catalogue. Where that is no goal, since the import covers it, the goal is unlocked
  from the start. More covered goals never lock one, and whoever covers what is unlocked gets to every goal in the end.

To add a *criterion*: its name in ``core.suite.CRITERIA``, the order of goals and reports, behind the criteria whose goals unlock
its own; its goals as ``GoalDraft``s in ``building.Builder.drafts``; its rank among reasons to keep a test in
``search.suite.reduction.WORTH``. To add a *sort of goal*: a ``Measure``, which is pure, in ``measures``, and in
:meth:`Catalogue._index` the way in which :meth:`Catalogue.covered` finds it; where it needs more than a footprint keeps, the
trace has to tell it first. Whole suites add up its plain distances until ``suite_fitness`` is told better, and smart selection
leaves out a criterion that is in none of its groups (``selection``). To add goals that are *met on the way*: a key in the draft,
and :meth:`Catalogue._shown` where the run shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from crashwright.core.location import Position
from crashwright.core.suite import ModuleTarget
from crashwright.engine.goals.coverage.approach import FunctionFlow, Outcome
from crashwright.engine.goals.coverage.building import GoalBuilder, GoalDraft, MutantLike
from crashwright.engine.goals.coverage.callables import CallableFacts
from crashwright.engine.goals.coverage.exceptions import exception_key
from crashwright.engine.goals.coverage.footprint import Footprint, footprint
from crashwright.engine.goals.coverage.goal import Goal, Goals, numbers
from crashwright.engine.goals.coverage.graph import GoalGraph
from crashwright.engine.goals.coverage.measures import (
    FARTHEST,
    BranchDistance,
    EntryDistance,
    ExceptionDistance,
    Measure,
    MethodDistance,
    MutationDistance,
    OutputDistance,
    StatementDistance,
    counts,
    returned,
    told_by_flags,
)
from crashwright.engine.goals.coverage.plan import Contexts, Plan
from crashwright.engine.goals.coverage.reached import FunctionGoals, MutantGoals
from crashwright.engine.goals.coverage.suite_fitness import SuiteFitness
from crashwright.engine.instrument.trace import CallFact, ProbedFunction, Trace
from crashwright.engine.subject.source import Sources

FlagDistance = Callable[[Goal, Footprint], float | None]
"""For a branch goal that a run which entered its function did not cover: its branch distance in (0, 1) from inside called functions
(paper 003), also where one of these raised before the predicate was evaluated; None where the plain one is to be used."""
MOST_FOUND = 24
"""Outputs, and exceptions, that are appended for one callable: one that hands its argument back returns whatever tests make."""


class Catalogue:
    """``functions`` as the recorder numbers them; ``mutants`` by their numbers. ``imported`` is the footprint of the import: what
    branches and lines it covers are no goals. Distances of flags come once a cheap phase has ended: see :meth:`take_flags`."""

    def __init__(
        self,
        functions: Sequence[ProbedFunction],
        sources: Sources,
        target: ModuleTarget,
        callables: Sequence[CallableFacts] = (),
        mutants: Sequence[MutantLike] = (),
        imported: Footprint | None = None,
    ) -> None:
        self.target = target
        self.functions = tuple(functions)
        self.goals: list[Goal] = []
        self._flag_distance: FlagDistance | None = None
        self._flag_goals: Goals = 0
        self._settle: Callable[[Footprint], None] = lambda _footprint: None
        self.known: Goals = 0
        """Goals that are covered without this search, and that nobody aims at."""
        self.met: Goals = 0
        """Goals that were met by tests that do not count. They are open, and what they unlock may be aimed at."""
        self._measures: list[Measure] = []
        self._labels: dict[str, int] = {}
        self._of: dict[str, Goals] = dict.fromkeys(("branch", *target.criteria), 0)
        self._graph = GoalGraph()
        self._by_function: dict[int, FunctionGoals] = {}
        self._branches: dict[tuple[int, Outcome], int] = {}
        self._methods: dict[str, tuple[Goals, Goals]] = {}
        self._found: dict[tuple[str, ...], Goals] = {}
        self._found_of: dict[tuple[str, str], int] = {}
        self._of_calls: Goals = 0
        """Goals of what the test called and what came of it: covered or not, with no way between."""
        self._infected = MutantGoals(0, ())
        self._plan = Plan((), ())
        self._contexts: Contexts = {}
        self._suites: tuple[Goals, Goals, SuiteFitness] | None = None
        self._mutants: dict[int, int] = {}
        builder = GoalBuilder(self.functions, sources, target, callables, mutants, imported)
        self.through = builder.through
        self._callables = builder.callables
        for draft in builder.drafts():
            self._append(draft)
        ordered = sorted(self._mutants.items())
        if ordered:
            self._infected = MutantGoals(ordered[0][0], [mutant for _, mutant in ordered])

    # -- the goals

    def of(self, criterion: str) -> Goals:
        """The goals of a criterion so far; none where it was not asked for (branch goals are always there)."""
        return self._of.get(criterion, 0)

    @property
    def asked(self) -> Goals:
        """The goals so far of the criteria that were asked for."""
        found = 0
        for criterion in self.target.criteria:
            found |= self._of.get(criterion, 0)
        return found

    @property
    def essential(self) -> Goals:
        """The goals without which there is no test worth keeping: branches and lines, where these were asked for."""
        found = 0
        for criterion in ("branch", "line"):
            if criterion in self.target.criteria:
                found |= self._of[criterion]
        return found or self.asked

    @property
    def given_up(self) -> Goals:
        """Goals that nobody aims at: what tests that exist cover, and what was met by others and is not essential."""
        return self.known | (self.met & ~self.essential)

    def measure_of(self, goal: int) -> Measure:
        """What stands behind a goal: see ``measures``."""
        return self._measures[goal]

    def mutant_of(self, goal: int) -> int | None:
        """The number of the mutant of a weak-mutation goal."""
        return self._mutants.get(goal)

    def place_of(self, goal: int) -> Position | None:
        """Where a branch, line or mutant goal lies: its predicate, the first statement on the line, the expression changed."""
        measure = self._measures[goal]
        return measure.place if isinstance(measure, BranchDistance | StatementDistance | MutationDistance) else None

    def flow_of(self, goal: int) -> FunctionFlow | None:
        """The function of such a goal, with its control flow and basic blocks."""
        measure = self._measures[goal]
        return measure.flow if isinstance(measure, BranchDistance | StatementDistance | MutationDistance) else None

    def branch_goal(self, function: int, predicate: int, outcome: bool) -> int | None:
        """The branch goal for an outcome; None where the import covers it, or nothing can."""
        return self._branches.get((function, (predicate, outcome)))

    # -- what a run means for them

    def footprint(self, trace: Trace) -> Footprint:
        """What to keep of a run."""
        return footprint(trace, self.through, bool(self._flag_goals))

    def covered(self, footprint: Footprint) -> Goals:
        """All goals that a run covers; appends those that it shows for the first time. Nothing where it ran out of time."""
        if footprint.known is not None:
            return footprint.known
        found = 0
        if not footprint.timed_out:
            direct = footprint.direct.parts
            by_function = self._by_function
            for number, parts in footprint.entries.parts.items():
                goals = by_function.get(number)
                if goals is not None:
                    found |= goals.covered(parts, direct.get(number))
            if footprint.infections:
                found |= self._infected.covered(footprint.infections)
            for fact in footprint.calls:
                found |= self._called(fact)
        footprint.known = found
        return found

    def take_flags(
        self, goals: Goals, functions: int, distance: FlagDistance, settle: Callable[[Footprint], None] = lambda _footprint: None
    ) -> None:
        """From now on ``distance`` is asked for these goals, and looks at activations; ``settle`` works its answers out for a run
        that many suites will ask for. So many ``functions`` are instrumented: the further ones only stand between others."""
        self._flag_goals = goals
        self._flag_distance, self._settle = distance if goals else None, settle
        self.through |= frozenset(range(len(self.functions), functions))

    def know(self, goals: Goals) -> None:
        """These need not be covered: tests that exist do."""
        self.known |= goals

    def meet(self, goals: Goals) -> None:
        """A test that does not count met these."""
        self.met |= goals

    def unlocked(self, covered: Goals) -> Goals:
        """See ``Problem``: a branch, line or mutant once one of the branches that it depends on is covered, a direct branch once
        its branch is, an output once its callable was called; the rest at once."""
        return self._graph.unlocked(covered | self.known | self.met)

    def distances(self, footprint: Footprint, goals: Sequence[int]) -> list[float]:
        """See ``Problem``; see ``measures`` for the formulas. Linear in ``goals``."""
        if footprint.timed_out:
            return [FARTHEST] * len(goals)
        apart = 0 if self._flag_distance is None else self._flag_goals
        if self._plan.goals != goals or self._plan.apart != apart:
            self._plan = Plan(goals, self._measures, apart, self._of_calls, self._contexts)
        one_by_one = self._one if self._flag_distance is None else self._with_flags
        return self._plan.distances(footprint, one_by_one, self.covered(footprint))

    def suite_distance(self, footprints: Sequence[Footprint], goals: Goals) -> float:
        """See ``Problem`` and ``suite_fitness``."""
        apart = 0 if self._flag_distance is None else goals & self._flag_goals
        if self._suites is None or self._suites[:2] != (goals, apart):
            told = {self._measures[goal]: self._told_by_flags(self.goals[goal]) for goal in numbers(apart)}
            sorts = [(self.goals[goal].criterion, self._measures[goal]) for goal in numbers(goals)]
            self._suites = goals, apart, SuiteFitness(sorts, told)
        if apart:
            for one in footprints:
                self._settle(one)
        return self._suites[2].distance(footprints)

    def _told_by_flags(self, goal: Goal) -> Callable[[Footprint], float | None]:
        return lambda footprint: None if self._flag_distance is None else self._flag_distance(goal, footprint)

    def secondary(self, one: Footprint, other: Footprint, goal: int) -> int:
        """See ``Problem``: of two runs that were stopped behind the same decision, the one that got further in the basic blocks on
        the way (future work of paper 000)."""
        measure = self._measures[goal]
        if not isinstance(measure, BranchDistance | StatementDistance | MutationDistance):
            return 0
        entries, others = measure.entries(one), measure.entries(other)
        if entries is None or others is None:
            return 0
        way = measure.approach.nearest(entries)
        if not way.is_integer() or way != measure.approach.nearest(others):
            return 0
        return measure.flow.further(measure.place, entries, others)

    # -- inside

    def _one(self, goal: int, footprint: Footprint) -> float:
        return self._measures[goal].distance(footprint)

    def _with_flags(self, goal: int, footprint: Footprint) -> float:
        measure = self._measures[goal]
        if type(measure) is BranchDistance and self._flag_distance is not None:
            entries = measure.entries(footprint)
            if entries is not None and entries[measure.wanted]:
                found = self._flag_distance(self.goals[goal], footprint)
                if found is not None:
                    return told_by_flags(found)
        return measure.distance(footprint)

    def _called(self, fact: CallFact) -> Goals:
        methods = self._methods.get(fact.address)
        found = 0
        if methods is not None and counts(fact):
            found = methods[0] | methods[1] if returned(fact) else methods[0]
        key = exception_key(fact)
        if key is not None:
            found |= self._shown("exception", fact.address, key, key.text, lambda: ExceptionDistance(key))
        for output in fact.output:
            found |= self._output(fact.address, output)
        return found

    def _output(self, address: str, output: str) -> Goals:
        facts = self._callables.get(address)
        if facts is not None and facts.makes_instance:
            return 0
        return self._shown("output", address, (address, output), output, lambda: OutputDistance(address, output))

    def _shown(self, criterion: str, address: str, key: tuple[str, ...], text: str, make: Callable[[], Measure]) -> Goals:
        """The goal with that key, appended where it is new."""
        found = self._found.get((criterion, *key))
        if found is None:
            count = self._found_of.get((criterion, address), 0)
            if criterion not in self.target.criteria or count >= MOST_FOUND:
                return 0
            facts = self._callables.get(address)
            qualname, line = (address.partition(":")[2], 0) if facts is None else (facts.qualname, facts.line)
            draft = GoalDraft(criterion, qualname, line, f"{criterion} {qualname} {text}", make(), key=(criterion, *key))
            found = 1 << self._append(draft)
            self._found_of[criterion, address] = count + 1
        return found

    def _append(self, draft: GoalDraft) -> int:
        number = len(self.goals)
        twins = self._labels[draft.label] = self._labels.get(draft.label, 0) + 1
        label = draft.label if twins == 1 else f"{draft.label} #{twins}"
        self.goals.append(Goal(number, draft.criterion, draft.qualname, draft.line, label))
        self._measures.append(draft.measure)
        self._of[draft.criterion] |= 1 << number
        self._graph.add(number, self._parents(draft))
        self._index(number, draft)
        return number

    def _parents(self, draft: GoalDraft) -> Iterable[int]:
        """None, so that the goal is unlocked from the start, where one of them is no goal: the import covers it."""
        if draft.after:
            goals, _ = self._methods.get(draft.after, (0, 0))
            return tuple(numbers(goals))
        found = [self._branches.get((draft.function, outcome)) for outcome in draft.parents]
        return () if None in found else [goal for goal in found if goal is not None]

    def _index(self, number: int, draft: GoalDraft) -> None:
        """So that :meth:`covered` finds the goal."""
        measure = draft.measure
        if isinstance(measure, BranchDistance):
            self._goals_in(measure.function, measure.flow.markers).add(number, measure.wanted, measure.direct)
            if draft.criterion == "branch":
                self._branches[measure.function, measure.outcome] = number
        elif isinstance(measure, StatementDistance):
            for marker in measure.markers:
                self._goals_in(measure.function, measure.flow.markers).add(number, marker)
        elif isinstance(measure, EntryDistance):
            markers = len(self.functions[measure.function].markers)
            self._goals_in(measure.function, markers).add(number, None, measure.direct)
        elif isinstance(measure, MutationDistance):
            self._mutants[number] = measure.mutant
        elif isinstance(measure, MethodDistance):
            called, returned = self._methods.get(measure.address, (0, 0))
            bit = 1 << number
            self._methods[measure.address] = (called, returned | bit) if measure.returned else (called | bit, returned)
            self._of_calls |= bit
        elif draft.key:
            self._found[draft.key] = 1 << number
            self._of_calls |= 1 << number

    def _goals_in(self, function: int, markers: int) -> FunctionGoals:
        found = self._by_function.get(function)
        if found is None:
            found = self._by_function[function] = FunctionGoals(markers)
        return found
