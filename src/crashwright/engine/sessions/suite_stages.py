"""What changes in the course of a search for a suite: probes that nobody needs are taken out, private functions that nothing has
entered are called directly, and flag branches get distances from inside (paper 003)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crashwright.core.location import Position
from crashwright.core.portions import NARROW_FACTOR, NARROW_FIRST, TURNS, TURNS_FROM
from crashwright.engine.execution.confinement.guard import Guard
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.flag_goals import FlagGoals
from crashwright.engine.goals.coverage.goal import Goals, numbers
from crashwright.engine.goals.coverage.needed import needed_mutants, needed_predicates
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.suite.operators import SuiteOperators
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.flags.branches import FlagAnalysis
from crashwright.engine.subject.introspection import loaded_names
from crashwright.engine.testcase.making.factory import Factory

PRIVATE_AFTER = 0.3
"""Share of the budget after which private functions that nothing has entered are called directly."""
PRIVATE_OPEN_AFTER = 0.38
"""The same for those in which branches are still open: before the search may give way to that for surviving mutants."""


class Stages:
    """``open_goals()`` are those that are aimed at and not covered, ``covered()`` all that are covered;
    ``measure_again()`` is called where distances have changed."""

    def __init__(
        self,
        subject: SuiteSubject,
        guard: Guard,
        catalogue: Catalogue,
        meter: BudgetMeter,
        open_goals: Callable[[], Goals],
        covered: Callable[[], Goals],
        measure_again: Callable[[], None],
    ) -> None:
        self._subject = subject
        self._guard = guard
        self._catalogue = catalogue
        self._meter = meter
        self._open_goals = open_goals
        self._covered = covered
        self._measure_again = measure_again
        self._flags = FlagGoals(catalogue, FlagAnalysis(subject.sources, loaded_names(subject.start.target.package)))
        self._planned: list[tuple[float, Callable[[], None]]] = []
        self._narrow_at = NARROW_FIRST
        self._open_mutants: Goals = 0
        self._stubborn: Goals = 0
        self._turn = 0
        self._noting = True
        self._flag_predicates: frozenset[Position] = frozenset()

    def plan(self, private: Sequence[Callee], factory: Factory, operators: SuiteOperators) -> None:
        """What is to come, each with the share of the budget after which it does."""
        called: set[Callee] = set()

        def call(is_due: Callable[[frozenset[str]], bool]) -> None:
            """A last resort."""
            due = [one for one in private if one not in called and is_due(self._names_of(one))]
            called.update(due)
            if due:
                factory.add_entries(due)
                operators.add_entries(due)

        self._planned = [
            (PRIVATE_AFTER, lambda: call(self._entered().isdisjoint)),
            (PRIVATE_OPEN_AFTER, lambda: call(self._has_open_branches())),
        ]
        if self._subject.start.target.flags:
            after = self._subject.start.settings.search.suite.flags_after
            self._planned = sorted([*self._planned, (after, self._begin_flags)], key=lambda stage: stage[0])

    @property
    def measures_inside(self) -> bool:
        """Whether branches that are open have distances from inside the functions that they call: such a search comes nearer for
        long before it is there."""
        return bool(self._flag_predicates)

    def advance(self) -> None:
        """Between two generations: begin what is due, and take probes out that nobody needs any more."""
        meter = self._meter
        while self._planned and meter.share() >= self._planned[0][0]:
            self._planned.pop(0)[1]()
        if meter.evaluations >= self._narrow_at:
            self._narrow_at = meter.evaluations * NARROW_FACTOR
            self._narrow()
        else:
            self._forget_mutants()
        self._turn = (self._turn + 1) % TURNS
        self._note(meter.evaluations < TURNS_FROM or self._turn == TURNS // 2)

    def widen(self) -> None:
        """The search is over: everything carries probes again."""
        self._note(False)
        self._instrument(None, None)

    def _narrow(self) -> None:
        open_goals = self._open_goals()
        predicates = needed_predicates(self._catalogue, open_goals) | self._flag_predicates
        self._open_mutants = open_goals & self._catalogue.of("weak-mutation")
        self._stubborn = self._open_mutants if self._meter.evaluations >= TURNS_FROM else 0
        self._instrument(predicates, needed_mutants(self._catalogue, open_goals))

    def _forget_mutants(self) -> None:
        """Those that are covered are not measured any more, and those that were open for long, many of which no test can tell from
        the original, in one generation of a few; their probes stay in the code, and are skipped there."""
        mutants = self._open_goals() & self._catalogue.of("weak-mutation")
        if self._turn:
            mutants &= ~self._stubborn
        if mutants != self._open_mutants:
            self._open_mutants = mutants
            self._subject.recorder.infections.want(needed_mutants(self._catalogue, mutants))

    def _note(self, noting: bool) -> None:
        """Noting is dear, and after a while it is mostly the same values."""
        if noting != self._noting:
            self._noting = noting
            self._subject.recorder.note_wanted(noting)

    def _instrument(self, predicates: frozenset[Position] | None, mutants: frozenset[int] | None) -> None:
        self._subject.instrumentation.narrow(predicates, mutants)
        self._guard.redefined.clear()  # that was us, and is not to be undone after the next test

    def _names_of(self, callee: Callee) -> frozenset[str]:
        """The functions that a call of it runs."""
        return frozenset(key.qualname for key in self._subject.api.keys_of(callee))

    def _entered(self) -> set[str]:
        """The functions of which tests run a line."""
        lines = self._covered() & self._catalogue.of("line")
        return {self._catalogue.goals[number].qualname for number in numbers(lines)}

    def _has_open_branches(self) -> Callable[[frozenset[str]], bool]:
        """Tells of functions whether one of them has a branch that no test takes."""
        catalogue = self._catalogue
        left = catalogue.of("branch") & ~(self._covered() | catalogue.known | catalogue.given_up)
        found = {catalogue.goals[number].qualname.partition(".<locals>")[0] for number in numbers(left)}
        return lambda names: not found.isdisjoint(names)

    def _begin_flags(self) -> None:
        """The second phase: open flag branches get distances from inside the functions that they call (paper 003)."""
        wanted = self._flags.wanted(self._open_goals())
        if not wanted:
            return
        callees = self._flags.callees(wanted, self._subject.engine_modules)
        if callees:
            Instrumentation(self._subject.recorder, callees).install()
            self._guard.redefined.clear()
        self._flags.begin(wanted, self._subject.recorder.functions)
        self._flag_predicates = self._flags.predicates(wanted)
        self._narrow()
        self._measure_again()
