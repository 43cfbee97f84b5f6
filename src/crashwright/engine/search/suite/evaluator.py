"""Where tests and suite goals meet: runs tests, and says what each of them covers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from crashwright.engine.execution.interpreter import release
from crashwright.engine.goals.suite.catalogue import Catalogue
from crashwright.engine.goals.suite.footprint import Footprint
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.evaluator import LONGEST_HELD, MOST_HELD, Runner, Tracer
from crashwright.engine.search.suite.costs import Costs
from crashwright.engine.search.suite.facts import Facts
from crashwright.engine.search.suite.problem import Ran
from crashwright.engine.testcase import edits
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.testcase import TestCase

SuiteRan = Ran[TestCase, Footprint]
NO_TRACE = Trace((), [], timed_out=True)


class _Run(NamedTuple):
    test: TestCase
    trace: Trace
    executed: int


class SuiteEvaluator:
    """``on_scored`` hears of each batch as soon as it is scored. Tests in ``quarantine`` are never run."""

    def __init__(
        self,
        runner: Runner,
        tracer: Tracer,
        facts: Facts,
        catalogue: Catalogue,
        meter: BudgetMeter,
        quarantine: Quarantine | None = None,
    ) -> None:
        self._runner = runner
        self._tracer = tracer
        self._facts = facts
        self._catalogue = catalogue
        self._meter = meter
        self._quarantine = quarantine or Quarantine()
        self.on_scored: Callable[[Sequence[SuiteRan]], None] = lambda _rans: None
        self.after_run: Callable[[TestCase], bool] = lambda _test: False
        """As that of ``search.evaluator.Evaluator``."""
        self.most_held = MOST_HELD
        """Runs and activations that may wait to be scored."""
        self.longest_held = LONGEST_HELD
        self.attempts = 2
        """How often a test is run that runs out of time."""
        self.timeouts = 0
        """Tests that ran out of time so far."""
        self.costs = Costs()

    def evaluate_all(self, tests: Sequence[TestCase]) -> list[SuiteRan]:
        """Run and score tests, each of them one evaluation, until the budget is used up. What stands behind the statement that
        raised is cut off (SPEC 5)."""
        scored: list[SuiteRan] = []
        runs: list[_Run] = []
        held = 0
        since = self._meter.seconds
        for test in tests:
            self._meter.spend()
            run = self._run(test)
            runs.append(run)
            held += 1 + len(run.trace.activations)
            if held > self.most_held or self._meter.stopped or self._meter.seconds - since > self.longest_held:
                scored += self._scored(runs)
                runs, held, since = [], 0, self._meter.seconds
                if self._meter.stopped:
                    return scored
        return scored + self._scored(runs)

    def measure(self, test: TestCase) -> SuiteRan:
        """Run and score one test without counting it."""
        return self._score(self._run(test))

    def _run(self, test: TestCase) -> _Run:
        """A test that ran out of time is run once more before that counts, where runs have to repeat exactly."""
        if self._quarantine and self._quarantine.holds(test):
            return _Run(test, NO_TRACE, len(test.statements))
        attempts = self.attempts
        while True:
            self._tracer.reset()
            self._facts.reset()
            outcome = self._runner.run(test)
            calls = self._facts.take(test, outcome)
            trace = self._tracer.trace()
            release(outcome)
            faster = self.after_run(test)
            if not outcome.timed_out:
                self.costs.note(calls, len(trace.activations))
                return _Run(test, trace._replace(calls=calls), outcome.executed + 1)
            self.timeouts += 1
            attempts -= 1
            if attempts <= 0 and not faster:
                return _Run(test, trace._replace(calls=calls, timed_out=True), outcome.executed + 1)

    def _scored(self, runs: Sequence[_Run]) -> list[SuiteRan]:
        scored = [self._score(run) for run in runs]
        if scored:
            self.on_scored(scored)
        return scored

    def _score(self, run: _Run) -> SuiteRan:
        left = self._catalogue.footprint(run.trace)
        covered = 0 if run.trace.timed_out else self._catalogue.covered(left)
        test = run.test
        if 0 < run.executed < len(test.statements):
            test = edits.chop(test, run.executed)
        return Ran(test, left, covered, size_of(test), run.trace.timed_out, len(run.trace.activations))


def size_of(test: TestCase) -> int:
    """How much there is to read: statements first, then characters, in steps so that trifles do not count."""
    return 16 * len(test.statements) + test.characters().bit_length()
