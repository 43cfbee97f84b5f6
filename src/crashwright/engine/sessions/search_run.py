"""One fork's search, whatever it is for.

A search is four things. An *algorithm* (``search.algorithm``, ``search.suite.algorithms``) is asked for tests and told their
scores; it runs nothing. The *evaluator* (``search.evaluator``) runs tests; a ``Scorer`` makes scores of what they left behind.
*Operators* and the factory make tests; they know no goal. And a :class:`Problem`, a crash or a module, chooses these parts, says
what is tried before the first generation, what is done with scores, when the search is over, and what is sent in the end. All the
rest is the same for both and is here: generations, learning, reporting, what is kept against a death, guests from other islands.

Invariants:

- A seed and a budget of evaluations repeat a run exactly. Every random number comes from ``Setup.rng``; without seconds in the
  budget no clock decides anything, not even when tests are kept for the next fork (``Setup.watch``).
- Everything is passed to constructors, the problem's parts by ``Setup``, the problem to the run. Nobody writes into a finished
  object; what changes in the course of a search does so between two generations (:meth:`SearchRun._between`).
- Any test may end this process. What must not be lost is sent, or kept by ``Setup.safe``, before the next test is run; a fork
  that takes over begins with ``Setup.saved``, and spends less on looking round the oftener forks died.
- ``Spoiled`` passes through: what the search has come to is kept, and a new fork goes on.

To add a *goal*: for a module, a criterion in ``goals.coverage.catalogue``, whose distances every algorithm asks for; for a crash, a
``CrashFitness`` (``goals.crash.fitness``). To add an *algorithm*: a class with ``ask``, ``tell``, ``inject`` and ``survivors`` in
one of the two registries; it meets neither tests nor goals, and is tried on toy problems. To add an *operator*: a function from a
test to a test in ``testcase.editing.edits``, which keeps definitions before uses. To add a *problem*: another class with the
methods of :class:`Problem`, and a session that makes it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from crashwright.core.messages import AnyStart, Incident, IncidentKind, Message
from crashwright.core.portions import KEPT_EVERY, WARM_UP_PART
from crashwright.engine.execution.executor import Spoiled
from crashwright.engine.execution.warm_up import WarmUp
from crashwright.engine.search.adaptive_timeout import AdaptiveTimeout
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.evaluator import Evaluator, Tracer
from crashwright.engine.search.exploration import explore
from crashwright.engine.search.learning import Learning, WantedValues
from crashwright.engine.sessions.checkpointing import KEEP_SECONDS, Checkpointing, Saved
from crashwright.engine.sessions.exchange import Exchange
from crashwright.engine.sources.operand_probes import OperandProbes
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.foreign import foreign_tests
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Resume, Workbench

S = TypeVar("S")
PROGRESS_SECONDS = 0.5


class Problem(Protocol[S]):
    """What is searched for."""

    evaluator: Evaluator[S]

    @property
    def population_size(self) -> int:
        """How many individuals the algorithm keeps now."""

    def begin(self) -> list[TestCase] | None:
        """What comes before the first generation. Returns tests to begin with, or None to ask for some at once."""

    def ask(self) -> list[TestCase]:
        """The tests of the next generation."""

    def tell(self, scores: Sequence[S], asked: bool) -> None:
        """Scores of what was ``asked`` for, or of tests from elsewhere."""

    def is_over(self) -> bool:
        """Whether it is found, or not worth more time."""

    def advance(self) -> None:
        """A generation has ended, and others follow."""

    def worth_keeping(self) -> Sequence[TestCase]:
        """The tests with which another fork is to go on, best first."""

    def emigrants(self) -> Sequence[TestCase]:
        """The tests for the next island, best first."""

    def progress(self) -> Message | None:
        """How far the search is; None where there is nothing to tell."""

    def finish(self) -> Sequence[Message]:
        """What was found is made small; returns the last messages."""


class Setup:
    """What a search has before it is known what it is for. ``kept`` tests at most are sent to the host to go on with, ``leaving``
    ones to the next island at a time."""

    def __init__(self, start: AnyStart, bench: Workbench, resume: Resume, api: ApiModel, kept: int, leaving: int) -> None:
        settings = start.settings
        budget = settings.budget
        self.bench = bench
        self.resume = resume
        self.budget = budget
        self.scratch = settings.scratch
        self.api = api
        saved = Saved.load(resume.checkpoint)
        self.saved = saved.tests
        """What the fork before was left with, encoded."""
        self.seed = f"{settings.search.seed}/{resume.generation}"
        self.rng = random.Random(self.seed)
        self.quarantine = Quarantine(resume.quarantine, resume.banned)
        self.quarantine.trust(foreign_tests(self.saved, api))
        bench.channel.hear_again(saved.heard)
        spent = saved.evaluations + resume.lost
        wall, cpu, _ = bench.clocks
        meter = BudgetMeter(budget, wall, spent, resume.seconds, bench.channel.asked_to_stop)
        self.meter = meter
        self.is_timed = budget.seconds is not None
        self.watch: Callable[[], float] = wall if self.is_timed else lambda: KEEP_SECONDS * meter.evaluations / KEPT_EVERY
        allowance = None if budget.seconds is None else WARM_UP_PART * max(0.0, budget.seconds - resume.seconds)
        self.warm_up = WarmUp(bench.executor, bench.isolation, bench.clock, wall, cpu, allowance, self.quarantine)
        self.operand_probes = OperandProbes(api.package, bench.guard.redefined.clear)
        self.safe = Checkpointing(bench.channel, meter, saved, self.watch, bench.waiting, kept)
        exact = budget.evaluations is not None
        self.exchange = Exchange(bench.channel, settings.migration, exact, meter.evaluations, bench.waiting, meter.check, leaving)

    def draws(self, name: str) -> random.Random:
        """The random numbers of a part of the search that shall not shift those of others."""
        return random.Random(f"{self.seed}/{name}")

    def foreign(self, encoded: Sequence[dict[str, object]]) -> list[TestCase]:
        """Tests from elsewhere that fit this subject."""
        return foreign_tests(encoded, self.api)

    def explore(self, factory: Factory, tracer: Tracer, tests: int, share: float = 1.0) -> None:
        """Learn from up to ``tests`` random tests within ``share`` of the budget. Each fork that a test has ended knows more and
        looks round less: where random calls kill engines, exploring would never come to an end."""
        tests >>= max(2 * len(self.resume.quarantine), self.resume.generation)  # forks also end by what tests leave behind
        executor, after_run = self.bench.executor, self.warm_up.after_run
        explore(
            factory=factory,
            runner=executor,
            tracer=tracer,
            observed=executor.observed,
            meter=self.meter,
            rng=self.rng,
            tests=tests,
            share=share,
            after_run=after_run,
            quarantine=self.quarantine,
        )


class SearchRun:
    """``runs`` are the tests at the beginning whose results' classes are noted."""

    def __init__(
        self,
        setup: Setup,
        problem: Problem[S],
        factory: Factory,
        recorder: WantedValues,
        runs: int,
        adaptive: bool = False,
        progress_seconds: float = PROGRESS_SECONDS,
    ) -> None:
        """``adaptive``: see ``search.adaptive_timeout``."""
        self._setup = setup
        self._problem = problem
        self._progress_seconds = progress_seconds
        self._learning = Learning(factory, setup.bench.executor, recorder, runs, setup.scratch)
        self._patience = AdaptiveTimeout(setup.bench.clock, problem.evaluator, adaptive, setup.bench.clocks.cpu)
        self._told = 0.0

    def run(self) -> None:
        """To the end of the budget, or of the problem."""
        setup, problem = self._setup, self._problem
        try:
            self._search()
            last = problem.finish()
        except Spoiled:
            setup.safe.keep(problem.worth_keeping())
            raise
        tell_refusals(setup.bench)
        for message in last:
            setup.bench.channel.send(message)

    def _search(self) -> None:
        tests = self._problem.begin()
        while self._goes_on():
            self._generation(tests)
            tests = self._between() if self._goes_on() else None

    def _goes_on(self) -> bool:
        return not (self._problem.is_over() or self._setup.meter.check())

    def _generation(self, tests: list[TestCase] | None) -> None:
        """Run ``tests``, or what the algorithm asks for."""
        problem, patience = self._problem, self._patience
        asked = tests is None
        batch = problem.ask() if tests is None else tests
        patience.begin()
        scores = problem.evaluator.evaluate_all(batch)
        patience.end(len(scores), problem.population_size)
        problem.tell(scores, asked)

    def _between(self) -> list[TestCase] | None:
        """Learn from the last tests, report, keep what is worth it. Returns tests that have arrived from elsewhere."""
        setup, problem = self._setup, self._problem
        problem.advance()
        self._learning.advance()
        now = setup.bench.clocks.wall()
        if now - self._told >= self._progress_seconds:
            self._told = now
            progress = problem.progress()
            if progress is not None:
                setup.bench.channel.send(progress)
            tell_refusals(setup.bench)
        if setup.safe.due(setup.watch()):
            setup.safe.keep(problem.worth_keeping())
        arrived = setup.exchange.pass_by(setup.meter.evaluations, problem.emigrants)
        return setup.foreign(arrived) or None


def tell_refusals(bench: Workbench) -> None:
    """Tell the host what the guard refused since it was asked last."""
    for refusal in bench.guard.take_refusals():
        bench.channel.send(Incident(IncidentKind.REFUSED, f"crashwright refused to {refusal}"))
