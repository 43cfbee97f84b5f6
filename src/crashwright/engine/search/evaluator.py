"""Where tests and goals meet: runs tests, and has what they left behind scored. What a score is, is the problem's (``Scorer``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from crashwright.engine.execution.confinement.guard import Refusal
from crashwright.engine.execution.executor import release
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.hanging import Hanging
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.testcase import TestCase

S = TypeVar("S")
MOST_HELD = 2000
"""Runs and activations that wait to be scored: they take memory."""
LONGEST_HELD = 0.5
"""Seconds that a run waits to be scored at most, so that little is lost should the process be killed."""
HANGING = 8
"""So many tests that ran out of time were run again for each that then ended: others are not."""
NOT_RUN = Outcome(1 << 30, timed_out=True)
"""Of tests in quarantine."""
NO_TRACE = Trace((), [], timed_out=True)


class Runner(Protocol):
    """Runs a test (``execution.executor.Executor``)."""

    def run(self, test: TestCase) -> Outcome:
        """Run ``test`` once, in a state as after import."""


class Tracer(Protocol):
    """Records a run (``instrument.probes.Recorder``)."""

    def reset(self) -> None:
        """Forget the last run."""

    def trace(self) -> Trace:
        """What was recorded since."""

    def drop_wanted(self) -> None:
        """Forget the values that it wanted: a run that was cut off wants as many as it had time for."""


class Run(NamedTuple):
    """A test that was run and is not scored yet. ``refusal`` is what the guard refused it."""

    test: TestCase
    outcome: Outcome
    trace: Trace
    refusal: Refusal | None = None


class Patience(Protocol):
    """Gives tests more time (``search.slow_callables.SlowCallables``)."""

    def is_worth_more(self, test: TestCase, outcome: Outcome) -> bool:
        """Whether a test that ran out of time is to be run again, with more of it."""

    def end(self, outcome: Outcome) -> None:
        """That run is over."""


class Scorer(Protocol[S]):
    """The problem's side: from runs to scores."""

    def begin(self) -> None:
        """A test is about to be run."""

    def kept(self, run: Run) -> Run:
        """What of a run that has just ended is looked at when it is scored."""

    def is_pressing(self, run: Run) -> bool:
        """Whether it is to be scored before the next test can kill the engine."""

    def scored(self, runs: Sequence[Run]) -> list[S]:
        """The scores of evaluations, in order; what is best of them is remembered."""

    def measured(self, run: Run) -> S:
        """The score of a run that is no evaluation, and of which nothing is remembered."""

    def ends(self, score: S) -> bool:
        """Whether nothing is to be run after that."""


@dataclass(frozen=True, slots=True)
class RunSurroundings:
    """What tests are run with. Tests in ``quarantine`` never are. ``after_run`` is called when a test was run and its trace is
    taken (it may run tests itself): True where the subject is faster now, so that a test that ran out of time is worth another
    run; others are run ``attempts`` times before that counts. ``take_refusal`` gives what the guard refused since it was called
    last. Runs are held for ``longest_held`` seconds, and no more than ``most_held`` of them and their activations. ``patience``
    gives more time to what is slow."""

    runner: Runner
    tracer: Tracer
    meter: BudgetMeter
    quarantine: Quarantine
    after_run: Callable[[TestCase], bool] = lambda _test: False
    take_refusal: Callable[[], Refusal | None] = lambda: None
    attempts: int = 2
    longest_held: float = LONGEST_HELD
    most_held: int = MOST_HELD
    patience: Patience | None = None


class Evaluator(Generic[S]):
    """``on_scored`` hears of each batch as soon as it is scored."""

    def __init__(
        self, surroundings: RunSurroundings, scorer: Scorer[S], on_scored: Callable[[Sequence[S]], None] = lambda _scores: None
    ) -> None:
        self._with = surroundings
        self._scorer = scorer
        self._on_scored = on_scored
        self.timeouts = 0
        """Tests that ran out of time so far."""
        self._again = 0
        self._rescued = 0
        self._hanging = Hanging()

    def evaluate_all(self, tests: Sequence[TestCase], once: bool = False) -> list[S]:
        """Run and score tests, each of them one evaluation, until the budget is used up or one ends the search: the last one of
        the result then. ``once``: one that runs out of time has had its time.

        Many are run before they are scored. Running and scoring take turns at a sixth more time, since neither finds its code in
        the processor's caches.
        """
        scores: list[S] = []
        runs: list[Run] = []
        held = 0
        meter = self._with.meter
        since = meter.seconds
        for test in tests:
            meter.spend()
            run = self._run(test, once)
            runs.append(run)
            held += 1 + len(run.trace.activations)
            late = meter.seconds - since > self._with.longest_held
            if late or held > self._with.most_held or meter.stopped or self._scorer.is_pressing(run):
                scores += self._scored(runs)
                runs, held, since = [], 0, meter.seconds
                if meter.stopped or self._scorer.ends(scores[-1]):
                    return scores
        return scores + self._scored(runs) if runs else scores

    def measure(self, test: TestCase) -> S:
        """Score one test without counting it."""
        return self._scorer.measured(self._run(test))

    def observe(self, test: TestCase) -> tuple[S, Run]:
        """Likewise, with the run."""
        run = self._run(test)
        return self._scorer.measured(run), run

    def _run(self, test: TestCase, once: bool = False) -> Run:
        around = self._with
        if around.quarantine and around.quarantine.holds(test):
            return Run(test, NOT_RUN, NO_TRACE)
        if self._hanging.skips(test):
            return Run(test, NOT_RUN, NO_TRACE)
        attempts = 1 if once or self._hang_again else around.attempts
        late = False
        while True:
            around.tracer.reset()
            self._scorer.begin()
            outcome = around.runner.run(test)
            if outcome.timed_out:
                around.tracer.drop_wanted()
            run = self._scorer.kept(Run(test, outcome, around.tracer.trace(), around.take_refusal()))
            release(outcome)
            faster = around.after_run(test)
            if around.patience is not None:
                around.patience.end(outcome)
                faster = (outcome.timed_out and around.patience.is_worth_more(test, outcome)) or faster
            if not outcome.timed_out:
                self._rescued += late
                self._hanging.note(test, outcome)
                return run
            self.timeouts += not late
            self._again += late
            late = True
            attempts -= 1
            if attempts <= 0 and not faster:
                self._hanging.note(test, outcome)
                return run

    @property
    def _hang_again(self) -> bool:
        """What ran out of time hangs, as far as another run has shown."""
        return self._again >= HANGING and self._rescued * HANGING <= self._again

    def _scored(self, runs: Sequence[Run]) -> list[S]:
        scores = self._scorer.scored(runs)
        self._on_scored(scores)
        return scores
