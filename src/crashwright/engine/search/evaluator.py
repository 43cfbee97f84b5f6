"""Where tests and goals meet: runs a test, scores what it left behind, remembers the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from crashwright.engine.execution.guard import Refusal
from crashwright.engine.execution.interpreter import release
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.fitness import CrashFitness
from crashwright.engine.goals.crash.novelty import Novelty
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.endings import Endings
from crashwright.engine.testcase.quarantine import Quarantine
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
    slept: float = 0.0
    """Seconds of virtual time that it took: they count neither for nor against it."""


class _Run(NamedTuple):
    """A test that was run and is not scored yet."""

    test: TestCase
    outcome: Outcome
    trace: Trace
    refusal: Refusal | None = None


QUARANTINED = CrashScore(float("inf"), 0, 0, 0)
NOT_RUN = Outcome(1 << 30)
NO_TRACE = Trace((), [])
MOST_HELD = 2000
"""Runs and activations that wait to be scored: they take memory."""
LARGEST_FORM = 0.0009
"""What is added to the fitness of a test that reproduces the crash but has the worst form; less than anything in the run itself
adds that speaks against it (``goals.crash.score.NEAR_MISS``)."""
LONGEST_HELD = 0.5
"""Seconds that a run waits to be scored at most, so that little is lost should the process be killed."""


class Evaluator:
    """``on_best`` hears of every test that is better than all before, by (level, fitness); tests in ``quarantine`` are never
    run."""

    def __init__(
        self,
        runner: Runner,
        tracer: Tracer,
        fitness: CrashFitness,
        meter: BudgetMeter,
        on_best: Callable[[Evaluation], None],
        quarantine: Quarantine | None = None,
    ) -> None:
        self._runner = runner
        self._tracer = tracer
        self._fitness = fitness
        self._meter = meter
        self._on_best = on_best
        self._quarantine = quarantine or Quarantine()
        self._novelty = Novelty()
        self.on_scored: Callable[[Sequence[Evaluation]], None] = lambda _evaluations: None
        """Hears of all tests, in order, as soon as they are scored."""
        self.form: Callable[[TestCase], float] = lambda _test: 0.0
        """How little a test that reproduces the crash looks like what its reporter did, from 0 to 1: it decides between such
        tests."""
        self.after_run: Callable[[TestCase], bool] = lambda _test: False
        """Called when a test was run and its trace is taken (it may run tests itself). True where the subject
        is faster now, so that a test that ran out of time is worth another run."""
        self.take_refusal: Callable[[], Refusal | None] = lambda: None
        """What the guard refused since it was called last."""
        self.endings = Endings()
        self.repeats = True
        """Whether a test that ran out of time is run once more before that counts."""
        self.longest_held = LONGEST_HELD
        self.at = 0
        """How many evaluations there were with the test that ``on_best`` hears of."""
        self.timeouts = 0
        """Tests that ran out of time so far."""
        self.best: Evaluation | None = None
        self.best_exception: Evaluation | None = None
        """The test with the highest level (ties: agreeing frames, then fitness): the partial result."""

    def evaluate(self, test: TestCase) -> Evaluation:
        """Run and score one test; counts as one evaluation."""
        return self.evaluate_all((test,))[0]

    def evaluate_all(self, tests: Sequence[TestCase]) -> list[Evaluation]:
        """Run and score tests, each of them one evaluation, until the budget is used up or one reproduces the crash with nothing
        that speaks against it: the last one of the result then.

        Many are run before they are scored. Running and scoring take turns at a sixth more time, since neither finds its code in
        the processor's caches. What may be the crash is scored at once, so that it is told before the next test can kill the
        engine.
        """
        evaluations: list[Evaluation] = []
        runs: list[_Run] = []
        held = 0
        since = self._meter.seconds
        for test in tests:
            self._meter.spend()
            run = self._run(test)
            runs.append(run)
            held += 1 + len(run.trace.activations)
            late = self._meter.seconds - since > self.longest_held
            if late or held > MOST_HELD or self._meter.stopped or self._fitness.may_be(run.outcome):
                evaluations += self._scored(runs)
                runs, held, since = [], 0, self._meter.seconds
                if self._meter.stopped or evaluations[-1].score.fitness == 0:
                    return evaluations
        return evaluations + self._scored(runs)

    def measure(self, test: TestCase) -> CrashScore:
        """Score one test without counting it."""
        return self._score(self._run(test))

    def _run(self, test: TestCase) -> _Run:
        if self._quarantine and self._quarantine.holds(test):
            return _Run(test, NOT_RUN, NO_TRACE)
        self._tracer.reset()
        outcome = self._runner.run(test)
        if outcome.timed_out and self.repeats:
            self.timeouts += 1
            self.after_run(test)
            self._tracer.reset()
            outcome = self._runner.run(test)
        trace = self._tracer.trace()
        release(outcome)
        refusal = self.take_refusal()
        if not outcome.timed_out:
            self.after_run(test)
        return _Run(test, outcome, trace, refusal)

    def _score(self, run: _Run) -> CrashScore:
        if run.outcome is NOT_RUN:
            return QUARANTINED
        score = self._fitness.score(run.outcome, run.trace)
        if score.level < 4:
            return score
        form = self.form(TestCase(run.test.statements[: run.outcome.executed + 1]))  # what stands behind the crash shows nothing
        return score._replace(fitness=score.fitness + LARGEST_FORM * form) if form else score

    def _scored(self, runs: Sequence[_Run]) -> list[Evaluation]:
        """One step after the other, for all of them."""
        scores = [self._score(run) for run in runs]
        novel = [self._novelty.is_new(run.trace) for run in runs]
        evaluations = [
            Evaluation(run.test, score, new, run.outcome.executed + 1, run.outcome.slept)
            for run, score, new in zip(runs, scores, novel, strict=True)
        ]
        for number, evaluation in enumerate(evaluations, 1):
            if evaluation.score is not QUARANTINED:
                run = runs[number - 1]
                self.endings.note(run.outcome, evaluation.score, run.refusal)
                self.at = self._meter.evaluations - len(evaluations) + number
                self._consider(evaluation)
        self.on_scored(evaluations)
        return evaluations

    def _consider(self, evaluation: Evaluation) -> None:
        """Tell of the evaluation where it is the best so far."""
        score = evaluation.score
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
