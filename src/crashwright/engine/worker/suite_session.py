"""The search for a suite as a session of the worker: imports the module instrumented, searches in the fork, tells the host."""

from __future__ import annotations

import math
import platform
import random
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

from crashwright.core.messages import (
    Archived,
    Failed,
    Finished,
    Incident,
    Ready,
    StartSuite,
    Suite,
    SuiteProgress,
)
from crashwright.core.report import Unknown
from crashwright.core.suite import CriterionCoverage, SuiteTest
from crashwright.engine.execution.interpreter import Spoiled
from crashwright.engine.goals.suite.callables import facts_of
from crashwright.engine.goals.suite.catalogue import Catalogue
from crashwright.engine.goals.suite.footprint import footprint
from crashwright.engine.goals.suite.goal import Goals, numbers
from crashwright.engine.goals.suite.output import output_classes
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.instrument.trace import Trace
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.exploration import explore
from crashwright.engine.search.suite.algorithms import ALGORITHMS
from crashwright.engine.search.suite.evaluator import SuiteEvaluator
from crashwright.engine.search.suite.facts import Facts, RaisePlaces
from crashwright.engine.search.suite.operators import SuiteOperators
from crashwright.engine.search.suite.reduction import Kept, Reduction, covered_by
from crashwright.engine.search.suite.seeding import fill_pool_for_module
from crashwright.engine.subject.api import ApiModel
from crashwright.engine.subject.callee import Callee
from crashwright.engine.subject.module_api import callables_of, private_callables_of
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Resume, Subject, Workbench
from crashwright.engine.worker.resolver import foreign_tests
from crashwright.engine.worker.safekeeping import KEEP_SECONDS, Safekeeping, Saved

PROGRESS_SECONDS = 0.5
OBSERVED_RUNS = 600
"""Tests at the beginning whose results' classes are noted, for the many packages without annotations."""
EXPLORED = 100
"""Random tests that are run before the search to learn from."""
LONGEST_TEST = 1.0
"""CPU seconds that a test of a slow subject may take at most."""
MANY_TIMEOUTS = 0.1
"""Share of a generation that may time out before tests are given more time."""
KEPT_EVERY = 1000
"""Evaluations after which tests are kept where evaluations alone are the budget."""
PRIVATE_AFTER = 0.3
"""Share of the budget after which private functions that nothing has entered are called directly."""
QUIET = 5000
"""Evaluations without a new exception or output, after which a search that has covered every other goal ends."""
REDUCTION_SHARE = 0.15
"""Time for making the suite smaller, as a share of that of the search."""


class SuiteSession:
    """See ``worker.protocol.Session``."""

    def __init__(self) -> None:
        self._recorder = Recorder()
        self._sources = Sources()
        self._start: StartSuite
        self._instrumentation: Instrumentation
        self._source: ModuleSource
        self._api: ApiModel
        self._callables: tuple[Callee, ...]
        self._at_import: Trace

    def prepare(self, start: StartSuite) -> Subject:
        """Install the import hook for all functions of the module."""
        self._start = start
        self._instrumentation = Instrumentation(self._recorder, {start.target.module: None})
        self._instrumentation.install()
        return Subject(tuple(dict.fromkeys((start.target.package, start.target.module))), (start.target.package,))

    def imported(self, modules: dict[str, ModuleType]) -> Ready | Failed:  # noqa: ARG002 (the protocol names it)
        """Model the API of the module."""
        self._at_import = self._recorder.trace()
        target = self._start.target
        source = self._sources.of_module(target.module)
        if isinstance(source, Unknown):
            return Failed("target", f"{source.reason}.", facts={"advice": "Only modules with Python source can be tested."})
        self._source = source
        self._api = ApiModel(target.package, _loaded(target.package), target.module)
        self._callables = callables_of(self._api, target.module, target.names)
        if not self._callables and not private_callables_of(self._api, target.module, target.names):
            what = f"{', '.join(target.names)} in {target.module}" if target.names else target.module
            return Failed("empty", f"There is nothing to call: {what} defines no functions or classes that a test can reach.")
        return Ready(platform.python_version(), 0.0, f"{len(self._callables)} callables")

    def run(self, bench: Workbench, resume: Resume) -> None:
        """Search to the end of the budget, make the suite small, send it."""
        parts = Parts(self._start, self._recorder, self._instrumentation, self._sources, self._source, self._api)
        _Run(parts, self._callables, self._at_import, bench, resume).run()


def session() -> SuiteSession:
    """For the zygote."""
    return SuiteSession()


class Parts(NamedTuple):
    """What the zygote has made for its forks."""

    start: StartSuite
    recorder: Recorder
    instrumentation: Instrumentation
    sources: Sources
    source: ModuleSource
    api: ApiModel


class _Run:
    """One fork's search."""

    def __init__(
        self, parts: Parts, callables: tuple[Callee, ...], at_import: Trace, bench: Workbench, resume: Resume
    ) -> None:
        start = parts.start
        settings = start.settings.search
        self._parts = parts
        self._bench = bench
        self._resume = resume
        self._callables = callables
        self._private = private_callables_of(parts.api, start.target.module, start.target.names)
        self._saved = Saved.load(resume.checkpoint)
        self._rng = random.Random(f"{settings.seed}/{resume.generation}")
        self._pool = SeedPool()
        module = sys.modules[start.target.module]
        fill_pool_for_module(self._pool, (parts.source.tree,), (vars(module),), self._rng)
        entry = callables or self._private
        self._factory = Factory(parts.api, self._pool, entry, min(settings.length, 40))
        self._operators = SuiteOperators(self._factory, settings.length)
        self._meter = BudgetMeter(start.settings.budget, time.monotonic, self._saved.evaluations + resume.lost, resume.seconds)
        watched = tuple(dict.fromkeys((*callables, *self._private)))
        self._catalogue = Catalogue(parts.recorder.functions, parts.sources, start.target, facts_of(watched, parts.api), (), footprint(at_import))
        places = RaisePlaces(parts.source.path, parts.source.tree)
        facts = Facts(watched, output_classes, places)
        bench.executor.note_results(facts.note)
        self._evaluator = SuiteEvaluator(bench.executor, parts.recorder, facts, self._catalogue, self._meter, resume.quarantine)
        self._algorithm = ALGORITHMS[settings.algorithm](
            self._catalogue, self._operators, settings.suite, self._rng, lambda: self._catalogue.asked, settings.secondary == "bbc"
        )
        self._subjects = {callee.address: callee for callee in watched}
        self._told = 0.0
        self._timeouts = 0
        self._learning = True
        self._last_first = 0
        if start.settings.budget.seconds is None:
            self._watch: Callable[[], float] = lambda: KEEP_SECONDS * self._meter.evaluations / KEPT_EVERY
        else:
            self._watch = time.monotonic
        self._safe = Safekeeping(bench.channel, self._meter, self._worth_keeping, self._saved, self._watch, bench.waiting)

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
        self._bench.channel.send(Finished("budget", self._meter.evaluations, self._meter.seconds))

    def _search(self) -> None:
        algorithm, meter = self._algorithm, self._meter
        if not self._saved.tests:
            explore(self._factory, self._bench.executor, self._bench.executor.observed, meter, self._rng, EXPLORED)
        first = [*foreign_tests(self._saved.tests, self._parts.api), *foreign_tests(self._parts.start.seeds, self._parts.api)]
        batch, told = (first, algorithm.inject) if first else (algorithm.ask(), algorithm.tell)
        while True:
            placed = told(self._evaluator.evaluate_all(batch))
            if placed:
                tests = tuple([encode(one.ran.individual) for one in placed])
                self._bench.channel.send(Archived(tests, meter.evaluations))
            if any(one.first for one in placed):
                self._last_first = meter.evaluations
            done = not self._catalogue.asked & ~algorithm.archive.covered
            if meter.check() or (done and meter.evaluations - self._last_first > QUIET):
                return
            self._generation()
            batch, told = algorithm.ask(), algorithm.tell

    def _generation(self) -> None:
        """Learn from the last tests, report, save."""
        if self._learning:
            self._learning = self._bench.executor.observing
            for callee, classes in self._bench.executor.observed.items():
                for cls in classes:
                    self._factory.observe(callee, cls)
        for value in self._parts.recorder.take_wanted():
            self._pool.add_dynamic(value)
        self._give_time()
        now = time.monotonic()
        if now - self._told >= PROGRESS_SECONDS:
            self._progress("search")
            self._incidents()
        if self._safe.due(self._watch()):
            self._safe.keep()

    def _reduced(self) -> Suite:
        """The suite that the host gets."""
        archive, meter = self._algorithm.archive, self._meter
        seconds = self._parts.start.settings.budget.seconds
        until = math.inf if seconds is None else time.monotonic() + REDUCTION_SHARE * seconds
        self._progress("minimise")
        reduction = Reduction(self._evaluator, self._catalogue.goals, lambda: time.monotonic() < until)
        kept = reduction.run({number: archive.best(number) for number in numbers(archive.covered)})
        covered = covered_by(kept)
        return Suite(
            tuple(self._suite_test(one) for one in kept),
            self._coverage(covered),
            (),
            meter.evaluations,
            meter.seconds,
        )

    def _suite_test(self, kept: Kept) -> SuiteTest:
        first = kept.goals[0]
        subject = self._subject(kept)
        return SuiteTest(encode(kept.test), subject, tuple(goal.label for goal in kept.goals), first.line)

    def _subject(self, kept: Kept) -> str:
        """The qualified name of the callable that the test is about: the last one under test that it calls."""
        for statement in reversed(kept.test.statements):
            callee = getattr(statement, "callee", None)
            if isinstance(callee, Callee) and callee.address in self._subjects:
                return callee.qualname
        return kept.goals[0].qualname

    def _worth_keeping(self) -> list[TestCase]:
        archived = [ran.individual for ran in self._algorithm.archive.tests()]
        return list({id(test): test for test in (*archived, *self._algorithm.survivors())}.values())

    def _give_time(self) -> None:
        """Raise the limit of a test where many need more: the subject is slow, or slow with probes."""
        evaluator, clock = self._evaluator, self._bench.clock
        timeouts = evaluator.timeouts - self._timeouts
        self._timeouts = evaluator.timeouts
        if timeouts > MANY_TIMEOUTS * max(10, self._algorithm.population_size) and clock.limit < LONGEST_TEST:
            clock.set_limit(min(LONGEST_TEST, clock.limit * 2))

    def _progress(self, phase: str) -> None:
        self._told = time.monotonic()
        algorithm, meter = self._algorithm, self._meter
        self._bench.channel.send(
            SuiteProgress(
                meter.seconds,
                meter.evaluations,
                self._coverage(algorithm.archive.covered),
                algorithm.aimed_at.bit_count(),
                len(algorithm.archive),
                algorithm.population_size,
                phase,
            )
        )

    def _coverage(self, covered: Goals) -> tuple[CriterionCoverage, ...]:
        found = []
        for criterion in self._parts.start.target.criteria:
            goals = self._catalogue.of(criterion)
            found.append(CriterionCoverage(criterion, (goals & covered).bit_count(), goals.bit_count()))
        return tuple(found)

    def _incidents(self) -> None:
        for refusal in self._bench.guard.take_refusals():
            self._bench.channel.send(Incident("refused", f"crashwright refused to {refusal}"))


def _loaded(package: str) -> list[str]:
    return [name for name in list(sys.modules) if name == package or name.startswith(package + ".")]
