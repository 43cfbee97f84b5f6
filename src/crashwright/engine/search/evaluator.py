"""Where tests and goals meet: runs a test, scores what it left behind, remembers the best."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from crashwright.engine.execution.interpreter import release
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.fitness import CrashFitness
from crashwright.engine.goals.crash.novelty import Novelty
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.testcase.testcase import TestCase


class Runner(Protocol):
    """Runs a test (``execution.interpreter.Executor``)."""

    def run(self, test: TestCase) -> Outcome:
        """Run ``test`` once, in a state as after import."""


class Tracer(Protocol):
    """Records a run (``instrument.probes.Recorder``)."""

    def reset(self) -> None:
        """Forget the last run."""

    def trace(self) -> Trace:
        """What was recorded since."""


class Evaluation(NamedTuple):
    """A test that was run, with its score."""

    test: TestCase
    score: CrashScore
    novel: bool = False
    """It reached something on the path for the first time."""
    ran: int = 0
    """Statements that ran, the one that raised included; what stands behind them had no effect."""


QUARANTINED = CrashScore(float("inf"), 0, 0, 0)


class Evaluator:
    """``on_best`` hears of every test that is better than all before, by (level, fitness); ``quarantine`` holds the keys of tests
    that killed an engine: they are never run again."""

    def __init__(
        self,
        runner: Runner,
        tracer: Tracer,
        fitness: CrashFitness,
        meter: BudgetMeter,
        on_best: Callable[[Evaluation], None],
        quarantine: frozenset[int] = frozenset(),
    ) -> None:
        self._runner = runner
        self._tracer = tracer
        self._fitness = fitness
        self._meter = meter
        self._on_best = on_best
        self._quarantine = quarantine
        self._novelty = Novelty()
        self._new = False
        self._ran = 0
        self.timeouts = 0
        """Tests that ran out of time so far."""
        self.best: Evaluation | None = None
        self.best_exception: Evaluation | None = None
        """The test with the highest level (ties: agreeing frames, then fitness): the partial result."""

    def evaluate(self, test: TestCase) -> Evaluation:
        """Run and score one test; counts as one evaluation."""
        self._meter.spend()
        evaluation = Evaluation(test, self.measure(test), self._new, self._ran)
        score = evaluation.score
        if score is QUARANTINED:
            return evaluation
        better = self.best is None or score.fitness < self.best.score.fitness
        if better:
            self.best = evaluation
        partial = self.best_exception
        if score.level and (
            partial is None
            or (score.level, score.agreeing, -score.fitness) > (partial.score.level, partial.score.agreeing, -partial.score.fitness)
        ):
            self.best_exception = evaluation
            better = True
        if better:
            self._on_best(evaluation)
        return evaluation

    def measure(self, test: TestCase) -> CrashScore:
        """Score one test without counting it; a test that ran out of time is run once more before that counts."""
        if self._quarantine and test.key() in self._quarantine:
            self._new = False
            return QUARANTINED
        self._tracer.reset()
        outcome = self._runner.run(test)
        if outcome.timed_out:
            self.timeouts += 1
            self._tracer.reset()
            outcome = self._runner.run(test)
        self._ran = outcome.executed + 1
        try:
            trace = self._tracer.trace()
            self._new = self._novelty.is_new(trace)
            return self._fitness.score(outcome, trace)
        finally:
            release(outcome)
