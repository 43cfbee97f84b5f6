"""Scores the runs of a search for a crash, and remembers the best of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.goals.crash.fitness import CrashFitness
from crashwright.engine.goals.crash.novelty import Novelty
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.behaviour import Conduct, conduct_of
from crashwright.engine.search.blockers import Blockers
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.complaints import Complaints
from crashwright.engine.search.endings import Endings
from crashwright.engine.search.evaluator import NOT_RUN, Run
from crashwright.engine.search.witnesses import Witnesses
from crashwright.engine.testcase.testcase import TestCase


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
    blocked: float = 0.0
    """How far it was from passing what blocks the way (``search.blockers``): decides where fitness is equal."""
    conduct: Conduct | None = None
    """What the run did, where the search asks for it."""
    hung: bool = False
    """It used up its time."""
    handed: bool = False
    """It reproduces the crash, and passes itself what the crash complains of."""


QUARANTINED = CrashScore(float("inf"), 0, 0, 0)
LARGEST_FORM = 0.0009
"""What is added to the fitness of a test that reproduces the crash but has the worst form; less than anything in the run itself
adds that speaks against it (``goals.crash.score.NEAR_MISS``)."""


class CrashScorer:
    """See ``search.evaluator.Scorer``. ``on_best`` hears of every test that is better than all before, by (level, fitness).
    ``form`` says how little a test that reproduces the crash looks like what its reporter did, from 0 to 1: it decides between such
    tests, whatever ``passed_by_test`` says of their runs. ``conduct``: evaluations tell what runs did."""

    def __init__(
        self,
        fitness: CrashFitness,
        meter: BudgetMeter,
        on_best: Callable[[Evaluation], None],
        form: Callable[[TestCase, bool], float] = lambda _test, _handed: 0.0,
        blockers: Blockers | None = None,
        conduct: bool = False,
        passed_by_test: Callable[[TestCase, Outcome], bool] = lambda _test, _outcome: False,
    ) -> None:
        self.witnesses: Witnesses | None = None
        self._fitness = fitness
        self._blockers = blockers
        self._meter = meter
        self._on_best = on_best
        self._form = form
        self._passed_by_test = passed_by_test
        self._conduct = conduct
        self._novelty = Novelty()
        self.aside: Novelty | None = None
        """What tests of one source reached, if somebody asks for that alone ..."""
        self.new_aside = False
        """... and whether the latest ones reached something that none of these had."""
        self.endings = Endings()
        self.complaints = Complaints()
        self.at = 0
        """How many evaluations there were with the test that ``on_best`` hears of."""
        self.gained = 0
        """Tests that reached something new, or were better than all before."""
        self.led: Counter[tuple[int, bool]] = Counter()
        """How often the line of a function was reached with, and without, what its preconditions say leads there."""
        self.best: Evaluation | None = None
        self.best_exception: Evaluation | None = None
        """The test with the highest level (ties: agreeing frames, then fitness): the partial result."""
        self.best_completed: Evaluation | None = None
        """The best of those that ended without an exception. Another exception at the line of the crash is nearer to it by its
        fitness, and may be in its way: what refuses one value says nothing of the others."""

    def begin_anew(self, fitness: CrashFitness) -> None:
        """Score by another ``fitness`` from now on; what was the best by the old one has to show it again."""
        self._fitness = fitness
        self.best = self.best_exception = self.best_completed = None
        self.led.clear()

    def begin(self) -> None:
        """Nothing is collected beside the trace, but for what is held against runs."""
        if self.witnesses is not None:
            self.witnesses.begin()

    def kept(self, run: Run) -> Run:
        """All of it: what was raised is compared with the report, and what the test passed with what it complains of."""
        outcome = run.outcome
        if self.witnesses is not None and outcome is not NOT_RUN:
            self.witnesses.note(outcome, self._fitness.score(outcome, run.trace))
        self.complaints.look(run.test, outcome)
        if outcome.variables and self._fitness.may_be(outcome) and self._passed_by_test(run.test, outcome):
            return run._replace(outcome=outcome._replace(handed=True))
        return run

    def is_pressing(self, run: Run) -> bool:
        """What may be the crash is told before the next test can kill the engine."""
        return self._fitness.may_be(run.outcome)

    def ends(self, score: Evaluation) -> bool:
        """It reproduces the crash with nothing that speaks against it."""
        return score.score.fitness == 0 and self.witnesses is None

    def measured(self, run: Run) -> Evaluation:
        """The score alone."""
        score = self._score(run)
        conduct = conduct_of(run.outcome, run.trace, score) if self._conduct and score is not QUARANTINED else None
        return Evaluation(
            test=run.test,
            score=score,
            ran=run.outcome.executed + 1,
            slept=run.outcome.slept,
            conduct=conduct,
            hung=run.outcome.timed_out,
            handed=run.outcome.handed and score.level == 4,
        )

    def scored(self, runs: Sequence[Run]) -> list[Evaluation]:
        """One step after the other, for all of them."""
        measured = [self.measured(run) for run in runs]
        novel = [self._novelty.is_new(run.trace) for run in runs]
        self.new_aside = True in [self.aside.is_new(run.trace) for run in runs if self.aside is not None]
        evaluations = [one._replace(novel=True) if new else one for one, new in zip(measured, novel, strict=True)]
        for number, (run, evaluation) in enumerate(zip(runs, evaluations, strict=True), 1):
            if evaluation.score is not QUARANTINED:
                if self._blockers is not None:
                    blocked = self._blockers.distance(run.outcome, run.trace, evaluation.score)
                    if blocked:
                        evaluations[number - 1] = evaluation._replace(blocked=blocked)
                if evaluation.score.led is not None:
                    self.led[evaluation.score.led] += 1
                self.endings.note(run.outcome, evaluation.score, run.refusal)
                self.complaints.note(run.test, run.outcome, evaluation.score)
                self.at = self._meter.evaluations - len(evaluations) + number
                self._consider(evaluation)
                if run.outcome.error is None and not run.outcome.timed_out:
                    known = self.best_completed
                    if known is None or evaluation.score.fitness < known.score.fitness:
                        self.best_completed = evaluation
        return evaluations

    def _score(self, run: Run) -> CrashScore:
        if run.outcome is NOT_RUN:
            return QUARANTINED
        score = self._fitness.score(run.outcome, run.trace)
        if score.level < 4:
            return score
        shown = TestCase(run.test.statements[: run.outcome.executed + 1])  # what stands behind the crash shows nothing
        form = self._form(shown, run.outcome.handed)
        return score._replace(fitness=score.fitness + LARGEST_FORM * form) if form else score

    def _consider(self, evaluation: Evaluation) -> None:
        """Tell of the evaluation where it is the best so far."""
        self.gained += evaluation.novel
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
            self.gained += not evaluation.novel
            self._on_best(evaluation)
