"""Mutation analysis: which assertions of which tests fail under which mutants of the module.

A mutant under which a test raises, does not raise, or does not end is killed by running the test at all and needs no assertion.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from crashwright.core.suite import LineMutants
from crashwright.engine.assertions.cases import Case, ExaminationProgress
from crashwright.engine.assertions.checking import Checker, as_it_is, same_exception, with_checks
from crashwright.engine.assertions.mutants import LiveModule
from crashwright.engine.subject.mutants.enumeration import Mutant
from crashwright.engine.subject.mutants.operators import Operator
from crashwright.engine.worker.protocol import Workbench

MOST_MUTANTS, MOST_TIMED = 600, 4000
"""Mutants tried where no time is set, and where it is."""
MOST_TESTS = 25
"""Tests that are run for one mutant at most."""
ENOUGH = 3
"""Tests with failing assertions after which no further ones are run for a mutant."""
LEAST_SECONDS = 0.03
"""CPU seconds that a test gets under a mutant at least."""
SLOWER = 10
"""How many times longer than usual it may take."""
SLOW = 0.02
"""CPU seconds of a test that is run after all others: it tells mutants that these do not."""
NOWHERE = frozenset((0,))
"""The lines of a test that runs none of the module's."""
_SAVE_EVERY = 40


class Mutation:
    """The mutants' stage of an examination; its results are in ``progress``."""

    def __init__(
        self,
        live: LiveModule,
        bench: Workbench,
        checker: Checker,
        progress: ExaminationProgress,
        quarantine: frozenset[int],
        save: Callable[[], None],
        spares: frozenset[int] = frozenset(),
        enough: int = ENOUGH,
        values: bool = True,
    ) -> None:
        """``enough`` tests with failing assertions are looked for; ``values``: those of the module have mutants too."""
        self._live = live
        self._bench = bench
        self._checker = checker
        self._progress = progress
        self._quarantine = quarantine
        self._save = save
        self._spares = spares
        self._enough = enough
        self._values = values
        self._mutator = live.mutator()
        self._limit = bench.clock.limit
        self._is_timed = bench.start.settings.budget.seconds is not None

    def run(self, cases: Sequence[Case], over: Callable[[], bool], most: int = MOST_MUTANTS) -> None:
        """Go on with the first mutant that was not tried yet. Raises Spoiled."""
        if not cases:
            return
        self._note_lines(cases)
        mutants = self._live.mutants()[:most]
        progress = self._progress
        progress.total = len(mutants)
        while progress.position < len(mutants) and not over():
            if progress.position % _SAVE_EVERY == 0:
                self._save()
            mutant = mutants[progress.position]
            with self._live_mutant(mutant) as is_live:
                if is_live:
                    self._try(mutant, progress.position, cases)
            progress.position += 1
            progress.tried = progress.position

    def tells(self, case: Case, number: int) -> bool:
        """Whether the test tells the mutant with this number from the original. Raises Spoiled."""
        with self._live_mutant(self._live.mutants()[number]) as is_live:
            return is_live and self._failing(case, number) != []

    @contextmanager
    def _live_mutant(self, mutant: Mutant) -> Iterator[bool]:
        """Meanwhile the module runs the mutant, where that can be."""
        if mutant.operator is Operator.VALUE and not self._values:
            yield False
            return
        put = self._live.put(self._mutator, mutant)
        self._bench.guard.redefined.clear()  # that was us: the isolation must not undo it
        if put is None:
            yield False
            return
        self._checker.begin = put.again
        try:
            yield True
        finally:
            self._checker.begin = as_it_is
            put.undo()
            self._bench.guard.redefined.clear()
            self._bench.clock.set_limit(self._limit)

    def _try(self, mutant: Mutant, number: int, cases: Sequence[Case]) -> None:
        lines = self._live.lines_of(mutant)
        reaching = [case for case in cases if lines is None or not case.lines.isdisjoint(lines)]
        reaching.sort(key=lambda case: (case.seconds > SLOW, len(case.test), case.index))
        self._progress.kills[number] = {}
        for spare in (False, True):  # what is kept anyway comes first
            some = [case for case in reaching if (case.index in self._spares) is spare]
            self._progress.kills[number] = self._killing(some[:MOST_TESTS], number)
            if self._progress.kills[number]:
                return

    def _killing(self, cases: Sequence[Case], number: int) -> dict[int, list[int]]:
        """Those of the tests that tell the mutant, with the assertions that fail; one whose run goes another way is enough."""
        found: dict[int, list[int]] = {}
        for case in cases:
            failing = self._failing(case, number)
            if failing is None:
                return {case.index: []}
            if failing:
                found[case.index] = failing
                if len(found) >= self._enough:
                    break
        return found

    def _failing(self, case: Case, number: int) -> list[int] | None:
        """The assertions that fail now; None where the run itself goes another way."""
        prepared = with_checks(case.test, case.assertions, number + 1)
        if prepared.key() in self._quarantine:
            return None
        if case.seconds:
            self._bench.clock.set_limit(min(self._limit, max(LEAST_SECONDS, SLOWER * case.seconds)))
        checked = self._checker.check_prepared(prepared, case.assertions)
        if checked.timed_out and not self._is_timed:  # else a busy machine might decide what is kept
            checked = self._checker.check_prepared(prepared, case.assertions)
        if checked.timed_out or not same_exception(case.raised, checked.raised) or (checked.error and case.raised is None):
            return None
        return [place for place, held in enumerate(checked.held) if held is False]

    def _note_lines(self, cases: Sequence[Case]) -> None:
        """Run each test once under a trace function. A test that this slows down too much counts as far as it came."""
        for case in cases:
            if case.lines:
                continue
            case.lines = self.lines_of(case)

    def lines_of(self, case: Case) -> frozenset[int]:
        """The module's lines that a run of the test comes by, and what its assertions ask; NOWHERE if there are none."""
        lines: set[int] = set()
        traced = with_checks(case.test, case.assertions, -1)
        if traced.key() not in self._quarantine:
            sys.settrace(self._live.recording(lines))
            try:
                self._checker.check_prepared(traced, case.assertions)
            finally:
                sys.settrace(None)
        return frozenset(lines) or NOWHERE


def by_line(mutants: Sequence[Mutant], kills: Mapping[int, object]) -> tuple[LineMutants, ...]:
    """What became of the mutants that were tried; ``kills``, by their places, are empty for those that no test tells."""
    killed: dict[int, int] = {}
    survived: dict[int, list[str]] = {}
    for place, mutant in enumerate(mutants):
        if place not in kills:
            continue
        line = mutant.position.line
        killed[line] = killed.get(line, 0) + bool(kills[place])
        if not kills[place]:
            survived.setdefault(line, []).append(f"{mutant.original or 'nothing'} -> {mutant.replacement or 'nothing'}")
    return tuple([LineMutants(line, killed[line], tuple(survived.get(line, ()))) for line in sorted(killed)])
