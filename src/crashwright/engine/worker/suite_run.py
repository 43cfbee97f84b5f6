"""One fork's search for a suite: it connects the algorithm with what runs tests and with the host (SPEC 5)."""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable, Sequence

from crashwright.core.messages import (
    Archived,
    EndReason,
    Finished,
    Incident,
    IncidentKind,
    Phase,
    Suite,
    SuiteProgress,
)
from crashwright.core.suite import SuiteTest
from crashwright.engine.execution.interpreter import Spoiled
from crashwright.engine.execution.warm_up import SHARE as WARM_UP_SHARE
from crashwright.engine.execution.warm_up import WarmUp, varied
from crashwright.engine.goals.suite.callables import facts_of
from crashwright.engine.goals.suite.catalogue import Catalogue
from crashwright.engine.goals.suite.coverage import Nearness, coverage_of, open_branches
from crashwright.engine.goals.suite.existing import Remaining, known_goals
from crashwright.engine.goals.suite.footprint import Footprint, footprint
from crashwright.engine.goals.suite.goal import Goals, numbers
from crashwright.engine.goals.suite.integer_operands import IntegerOperands
from crashwright.engine.goals.suite.output import output_classes
from crashwright.engine.goals.suite.selection import goal_policy
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.evaluator import LONGEST_HELD, MOST_HELD, Evaluator, Surroundings
from crashwright.engine.search.exploration import explore
from crashwright.engine.search.suite.algorithms import ALGORITHMS
from crashwright.engine.search.suite.archive import Placed
from crashwright.engine.search.suite.facts import Facts, RaisePlaces
from crashwright.engine.search.suite.operators import SuiteOperators
from crashwright.engine.search.suite.patience import Patience
from crashwright.engine.search.suite.reduction import Kept, Reduction, covered_by
from crashwright.engine.search.suite.scorer import SuiteRan, SuiteScorer
from crashwright.engine.search.suite.seeding import fill_pool_for_module
from crashwright.engine.search.suite.teaching import teach
from crashwright.engine.subject.callee import Callee
from crashwright.engine.subject.introspection import module_dict
from crashwright.engine.subject.module_api import private_callables_of
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.factory import Factory
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.exchange import Exchange
from crashwright.engine.worker.protocol import Resume, Workbench
from crashwright.engine.worker.resolver import foreign_tests
from crashwright.engine.worker.safekeeping import KEEP_SECONDS, Safekeeping, Saved
from crashwright.engine.worker.suite_examples import Examples
from crashwright.engine.worker.suite_parts import Parts
from crashwright.engine.worker.suite_stages import Stages

OBSERVED_RUNS = 600
"""Tests at the beginning whose results' classes are noted, for the many packages without annotations."""
EXPLORED = 100
"""Random tests that are run before the search to learn from ..."""
EXPLORED_SHARE = 0.1
"""... within this share of the budget."""
KEPT_EVERY = 1000
"""Evaluations after which tests are kept where evaluations alone are the budget."""
FEW_HELD = 10
"""Tests that wait to be scored once a test has ended an engine: they would be lost with the next one."""
MANY_DEATHS = 3
"""Forks after which each test is scored at once."""
NOTED = 8
"""Tests of a generation that are looked at for how near they came to open branches."""
QUIET = 5000
"""Evaluations without a new exception or output, after which a search that has covered every other goal ends."""
WARM_UPS = 4
"""Usage examples with which the subject is warmed up."""
EMIGRANTS = 30
"""Tests that leave for the next island at a time: the first ones for some goal since the last time, the newest first."""
REDUCTION_SHARE = 0.15
"""Time for making the suite smaller, as a share of that of the search."""


class SuiteRun:
    """One fork's search, to the end of the budget; then it makes the suite small and sends it."""

    def __init__(self, parts: Parts, bench: Workbench, resume: Resume) -> None:
        start, callables = parts.start, parts.callables
        settings = start.settings.search
        self._parts = parts
        self._bench = bench
        self._resume = resume
        self._private = private_callables_of(parts.api, start.target.module, start.target.names)
        self._saved = Saved.load(resume.checkpoint)
        self._rng = random.Random(f"{settings.seed}/{resume.generation}")
        self._pool = SeedPool(varied=True)
        module = sys.modules[start.target.module]
        fill_pool_for_module(self._pool, (parts.source.tree,), (module_dict(module),), self._rng)
        entry = callables or self._private
        self._factory = Factory(parts.api, self._pool, entry, min(settings.length, 40))
        teach(self._factory, parts.api, parts.sources, start.target.module, self._rng)
        self._operators = SuiteOperators(self._factory, settings.length)
        self._quarantine = self._operators.quarantine = Quarantine(resume.quarantine, resume.banned)
        self._quarantine.trust(foreign_tests(self._saved.tests, parts.api))
        spent = self._saved.evaluations + resume.lost
        self._meter = BudgetMeter(start.settings.budget, time.monotonic, spent, resume.seconds, bench.channel.asked_to_stop)
        self._late = self._meter.share() >= 1.0
        watched = tuple(dict.fromkeys((*callables, *self._private)))
        mutants = parts.instrumentation.mutants
        self._catalogue = Catalogue(
            parts.recorder.functions,
            parts.sources,
            start.target,
            facts_of(callables, parts.api),
            mutants,
            footprint(parts.at_import),
        )
        self._examples = Examples(parts, self._pool, self._factory, self._rng)
        integers = IntegerOperands(parts.source.tree, start.target.module)
        self._catalogue.known = known_goals(self._catalogue, start.target.known)
        self._policy = Remaining(goal_policy(self._catalogue, settings.algorithm, mutants, integers), self._catalogue)
        self._nearness = Nearness(self._catalogue)
        places = RaisePlaces(parts.source.path, parts.source.tree)
        facts = Facts(watched, output_classes, places)
        bench.executor.note_results(facts.note)
        seconds = start.settings.budget.seconds
        allowance = None if seconds is None else WARM_UP_SHARE * max(0.0, seconds - resume.seconds)
        self._warm_up = WarmUp(bench.executor, bench.isolation, bench.clock, allowance, self._quarantine)
        surroundings = Surroundings(
            bench.executor,
            parts.recorder,
            self._meter,
            self._quarantine,
            self._warm_up.after_run,
            # No clock decides anything without seconds, not even what the next fork begins with where a test has killed this one.
            attempts=2 if seconds is None else 1,
            longest_held=math.inf if seconds is None else LONGEST_HELD,
            most_held=MOST_HELD if not resume.generation else FEW_HELD if resume.generation < MANY_DEATHS else 0,
        )
        self._scorer = SuiteScorer(facts, self._catalogue)
        self._evaluator = Evaluator(surroundings, self._scorer, self._scored)
        self._algorithm = ALGORITHMS[settings.algorithm](
            self._catalogue, self._operators, settings.suite, self._rng, self._policy.objectives, settings.secondary == "bbc"
        )
        archive = self._algorithm.archive
        self._stages = Stages(
            parts,
            bench.guard,
            self._catalogue,
            self._meter,
            lambda: self._policy.objectives() & ~archive.covered,
            lambda: archive.covered,
        )
        self._stages.plan(self._private, self._factory, self._operators)
        self._lines = {one.address: one.line for one in facts_of(watched, parts.api)}
        self._told = 0.0
        self._patience = Patience(bench.clock, self._evaluator, start.settings.budget.seconds is not None)
        self._learning = True
        self._last_first = 0
        self._newest: list[TestCase] = []
        self._exchange = Exchange(
            bench.channel,
            start.settings.migration,
            start.settings.budget.evaluations is not None,
            self._meter.evaluations,
            bench.waiting,
            self._meter.check,
            EMIGRANTS,
        )
        if start.settings.budget.seconds is None:
            self._watch: Callable[[], float] = lambda: KEEP_SECONDS * self._meter.evaluations / KEPT_EVERY
        else:
            self._watch = time.monotonic
        self._safe = Safekeeping(bench.channel, self._meter, self._worth_keeping, self._saved, self._watch, bench.waiting, 0)

    def run(self) -> None:
        self._bench.executor.observe(OBSERVED_RUNS)
        self._parts.recorder.note_wanted(True)
        try:
            self._search()
            suite = self._reduced()
        except Spoiled:
            self._safe.keep()
            raise
        self._incidents()
        self._bench.channel.send(suite)
        self._bench.channel.send(Finished(EndReason.BUDGET, self._meter.evaluations, self._meter.seconds))

    def _search(self) -> None:
        algorithm, meter = self._algorithm, self._meter
        self._begin_warm()
        if not self._saved.tests and self._resume.generation < MANY_DEATHS:
            # Each fork that a test has ended knows more and looks round less; tests that hang take no more than a part of the time.
            tests, share = EXPLORED >> 2 * len(self._resume.quarantine), EXPLORED_SHARE
            executor, after_run = self._bench.executor, self._warm_up.after_run
            explore(self._factory, executor, executor.observed, meter, self._rng, tests, share, after_run, self._quarantine)
        # What is known already is run again whatever is left of the budget, so that nothing of it is lost.
        known = [*foreign_tests(self._saved.tests, self._parts.api), *foreign_tests(self._parts.start.seeds, self._parts.api)]
        own = self._examples.known_tests(self._catalogue, self._evaluator)
        shown = self._examples.tests()
        self._operators.plant(shown)
        rans = []
        for test in known:
            with self._warm_up.unhurried():  # in a fork that has everything to load, it would run out of time and be lost
                rans.append(self._evaluator.measure(test))
        self._archived(algorithm.inject([*rans, *(self._evaluator.measure(test) for test in (*own, *shown))]))
        while not meter.check():
            self._operators.spared = self._scorer.costs.spared(self._rng)
            batch = algorithm.ask()
            self._patience.begin()
            rans = self._evaluator.evaluate_all(batch)
            self._patience.end(len(rans), algorithm.population_size)
            placed = algorithm.tell(rans)
            self._nearness.note([one.footprint for one in rans[:NOTED]], algorithm.archive.covered)
            self._archived(placed)
            done = not self._catalogue.asked & ~(algorithm.archive.covered | self._catalogue.known)
            if done and meter.evaluations - self._last_first > QUIET:
                return
            self._generation()
            self._meet_others()

    def _begin_warm(self) -> None:
        """The first examples start cold and without the time limit of a test, as what runs only once must be covered then; then
        the subject is warmed up with them."""
        shown = self._examples.tests()[:WARM_UPS]
        with self._warm_up.unhurried():
            self._archived(self._algorithm.inject([self._evaluator.measure(test) for test in shown]))
        self._warm_up.begin(varied(shown, self._operators.mutate, self._rng))

    def _meet_others(self) -> None:
        """Send what is new to the next island, and take in what comes from the one before."""
        arrived = self._exchange.pass_by(self._meter.evaluations, self._emigrants)
        if arrived:
            guests = foreign_tests(arrived, self._parts.api)
            self._archived(self._algorithm.inject(self._evaluator.evaluate_all(guests)))

    def _emigrants(self) -> list[TestCase]:
        leaving, self._newest = self._newest[::-1], []
        return leaving

    def _scored(self, rans: Sequence[SuiteRan]) -> None:
        """Where tests end engines, the rest of a generation may never be: what each part of it covers is kept at once."""
        if not self._resume.generation:
            return
        placed = self._algorithm.archive.add_all(rans)
        self._archived(placed)
        if placed:
            self._safe.keep()

    def _archived(self, placed: Sequence[Placed[TestCase, Footprint]]) -> None:
        """Tell the host, so that nothing of it is lost with this process."""
        if placed:
            tests = tuple([encode(one.ran.individual) for one in placed])
            self._bench.channel.send(Archived(tests, self._meter.evaluations))
        first = [one.ran.individual for one in placed if one.first]
        if first:
            self._last_first = self._meter.evaluations
            if self._parts.start.settings.migration:
                self._newest += first

    def _generation(self) -> None:
        """Learn from the last tests, report, save."""
        self._stages.advance()
        if self._learning:
            self._learning = self._bench.executor.observing
            for callee, classes in self._bench.executor.observed.items():
                for cls in classes:
                    self._factory.observe(callee, cls)
        for value in self._parts.recorder.take_wanted():
            self._pool.add_dynamic(value)
        now = time.monotonic()
        if now - self._told >= self._parts.progress_seconds:
            self._progress(Phase.SEARCH)
            self._incidents()
        if self._safe.due(self._watch()):
            self._safe.keep()

    def _reduced(self) -> Suite:
        """The suite that the host gets."""
        algorithm, meter = self._algorithm, self._meter
        archive = algorithm.archive
        seconds = self._parts.start.settings.budget.seconds
        # A fork that takes over from one that was killed here has what is left. Without a clock it leaves tests as they are: each
        # of the many that are tried might kill one more.
        if seconds is None:
            until = -math.inf if self._late else math.inf
        else:
            until = time.monotonic() + REDUCTION_SHARE * seconds - max(0.0, meter.seconds - seconds)
        self._safe.keep()
        self._progress(Phase.MINIMISE)
        self._stages.widen()
        if self._parts.start.target.selection != "all":
            # Goals that the policy left out had no probes: now they are added again (paper 004).
            algorithm.inject([self._evaluator.measure(ran.individual) for ran in archive.tests()])
        reduction = Reduction(
            self._evaluator,
            self._catalogue.goals,
            lambda: 0.0 if self._bench.channel.asked_to_stop() else until - time.monotonic(),
        )
        wanted = archive.covered & self._catalogue.asked & ~self._catalogue.known
        kept = reduction.run({number: archive.best(number) for number in numbers(wanted)})
        if self._warm_up.adopted:
            kept += self._only_cold(wanted & ~covered_by(kept))
        covered = covered_by(kept)
        return Suite(
            tuple(self._suite_test(one) for one in kept),
            coverage_of(self._catalogue, covered),
            open_branches(self._catalogue, covered, self._nearness, self._parts.sources),
            meter.evaluations,
            meter.seconds,
        )

    def _only_cold(self, goals: Goals) -> list[Kept]:
        """Tests for what only runs as long as the subject is cold, as they were found: fresh interpreters are cold too."""
        chosen: list[Kept] = []
        for number in numbers(goals):
            if not covered_by(chosen) >> number & 1:
                ran = self._algorithm.archive.best(number)
                chosen.append(Kept(ran.individual, (self._catalogue.goals[number],), ran.covered & goals))
        return chosen

    def _suite_test(self, kept: Kept) -> SuiteTest:
        first = kept.goals[0]
        subject, line = self._subject(kept) or (first.qualname, first.line)
        return SuiteTest(encode(kept.test), subject, tuple(goal.label for goal in kept.goals), line)

    def _subject(self, kept: Kept) -> tuple[str, int] | None:
        """The callable that the test is about, the last one under test that it calls: its qualified name and its line."""
        for statement in reversed(kept.test.statements):
            callee = getattr(statement, "callee", None)
            if isinstance(callee, Callee) and callee.address in self._lines:
                return callee.qualname, self._lines[callee.address]
        return None

    def _worth_keeping(self) -> list[TestCase]:
        archived = [ran.individual for ran in self._algorithm.archive.tests()]
        return self._quarantine.admitted({id(test): test for test in (*archived, *self._algorithm.survivors())}.values())

    def _progress(self, phase: Phase) -> None:
        self._told = time.monotonic()
        algorithm, meter = self._algorithm, self._meter
        self._bench.channel.send(
            SuiteProgress(
                meter.seconds,
                meter.evaluations,
                coverage_of(self._catalogue, algorithm.archive.covered),
                algorithm.aimed_at.bit_count(),
                len(algorithm.archive),
                algorithm.population_size,
                phase,
                self._warm_up.spent,
            )
        )

    def _incidents(self) -> None:
        for refusal in self._bench.guard.take_refusals():
            self._bench.channel.send(Incident(IncidentKind.REFUSED, f"crashwright refused to {refusal}"))
