"""Which mutants of a module a test notices, by all that can be asserted of what it shows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from crashwright.engine.assertions.cases import Case, ExaminationProgress
from crashwright.engine.assertions.checking import Checker
from crashwright.engine.assertions.mutants import LiveModule
from crashwright.engine.assertions.mutation import Mutation
from crashwright.engine.assertions.observation import Observer
from crashwright.engine.assertions.raised import Judge
from crashwright.engine.assertions.values import Present, ValueNames
from crashwright.engine.instrument.gap_probes import GapProbes, GapsByLine
from crashwright.engine.subject.mutants.clues import Clue
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Workbench

MOST_MUTANTS = 400


class Noticing:
    """``is_accident`` and ``is_meant`` are as for the observer. What ended a process once is in ``quarantine``. Tests
    that exist run the ``known`` lines: what they tell of their mutants nobody knows, so these are no goals."""

    def __init__(
        self,
        live: LiveModule,
        bench: Workbench,
        names: ValueNames,
        present: Present,
        quarantine: frozenset[int],
        is_accident: Judge,
        is_meant: Judge,
        known: Collection[int] = (),
    ) -> None:
        executor = bench.executor
        self._live = live
        self._known = frozenset(known)
        self._cpu = bench.clocks.cpu
        self._is_timed = bench.start.settings.budget.seconds is not None
        self._gaps = GapProbes(live.module, bench.guard.redefined.clear)
        self._quarantine = quarantine
        self._observer = Observer(executor, names, present, quarantine, is_accident, is_meant, lambda: bench.guard.refused)
        self._checker = Checker(executor, names, present, quarantine, is_accident)
        self._mutator = live.mutator()
        self._progress = ExaminationProgress()
        self._mutation = Mutation(live, bench, self._checker, self._progress, quarantine, _nothing, enough=1, values=False)

    def seen(self, test: TestCase) -> Case | None:
        """The test with what it shows in two runs; None if it is none of a suite. Raises Spoiled."""
        if self._observer.key(test) in self._quarantine:
            return None
        begin = self._cpu()
        shown = self._observer.observe(test)
        if shown.timed_out and not self._is_timed:
            shown = self._observer.observe(test)
        if shown.timed_out or shown.refused or shown.accident or (shown.error and shown.raised is None):
            return None
        if shown.error:
            test = TestCase(test.statements[: shown.executed + 1])
        checked = self._checker.check(test, shown.assertions)
        kept = tuple([one for one, held in zip(shown.assertions, checked.held, strict=True) if held])
        case = Case(0, test, kept, shown.raised, shown.error, shown.executed)
        case.seconds = self._cpu() - begin if self._is_timed else 0.0
        return case

    def alive(self, cases: Sequence[Case], over: Callable[[], bool]) -> dict[int, Collection[int]]:
        """The mutants that none of the tests tells, by number, with the lines of which a test runs one where it runs the mutant.
        ``cases`` learn their lines. Raises Spoiled."""
        for number, case in enumerate(cases):
            case.index = number
        self._mutation.run(cases, over, MOST_MUTANTS)
        mutants = self._live.mutants()
        lines = {number: self._live.lines_of(mutants[number]) for number, told in self._progress.kills.items() if not told}
        return {number: found for number, found in lines.items() if found is not None and self._known.isdisjoint(found)}

    def clue(self, number: int) -> Clue:
        """What is read at the place of the mutant."""
        return self._live.clue(self._mutator, self._live.mutants()[number])

    def gaps(self, test: TestCase, like: Case) -> GapsByLine:
        """How far apart what is compared is while ``test`` runs and is asked what ``like`` asserts, of which it differs in values
        and in statements that it begins with. Raises Spoiled."""
        if self._observer.key(test) in self._quarantine:
            return {}
        more = len(test) - len(like.test)
        assertions = [one._replace(after=one.after + more) for one in like.assertions]
        return self._gaps.of(lambda: self._checker.check(test, assertions))

    def told(self, case: Case, numbers: Iterable[int]) -> frozenset[int]:
        """Which of these mutants the test tells from the original. Raises Spoiled."""
        return frozenset(number for number in numbers if self._mutation.tells(case, number))

    def lines_of(self, case: Case) -> frozenset[int]:
        """The module's lines that a run of the test comes by. Raises Spoiled."""
        return self._mutation.lines_of(case)


def _nothing() -> None:
    """No checkpoint is made: a fork that takes over does without."""
