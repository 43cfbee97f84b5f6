"""The crash search as a session of the worker: prepares and imports the subject, searches in the fork, tells the host."""

from __future__ import annotations

import math
import os
import platform
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType

from crashwright.core.messages import (
    EndReason,
    Failed,
    FailureKind,
    Finished,
    Found,
    Incident,
    IncidentKind,
    Progress,
    Ready,
    Start,
)
from crashwright.core.recursion import is_recursion
from crashwright.core.report import Unknown
from crashwright.core.target import CrashTarget
from crashwright.engine.execution.interpreter import Spoiled
from crashwright.engine.execution.virtual_time import VirtualTime
from crashwright.engine.execution.warm_up import SHARE as WARM_UP_SHARE
from crashwright.engine.execution.warm_up import WarmUp, varied
from crashwright.engine.goals.crash.fitness import CrashFitness
from crashwright.engine.instrument.hook import Instrumentation
from crashwright.engine.instrument.probes import Recorder
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.crash_goals import (
    chosen_functions,
    crash_fitness,
    crash_sites,
    flag_analysis,
    flag_callees,
)
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.crash_search import CrashSearch
from crashwright.engine.search.diagnosis import furthest_point, hints
from crashwright.engine.search.evaluator import LONGEST_HELD, Surroundings
from crashwright.engine.search.example_seeds import example_seeds, fill_from_examples
from crashwright.engine.search.exploration import explore
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.search.ordinary import Ordinary
from crashwright.engine.search.origin import Origins
from crashwright.engine.search.records import records_of
from crashwright.engine.search.repairs import Repairs
from crashwright.engine.search.request_seeds import request_seeds
from crashwright.engine.search.seeding import calls_shown, echo_seeds, fill_pool, reported_seeds, written_in
from crashwright.engine.subject.api import ApiModel
from crashwright.engine.subject.callee import Callee
from crashwright.engine.subject.entry import entries
from crashwright.engine.subject.flags import FlagAnalysis
from crashwright.engine.subject.introspection import loaded_names, module_dict
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.types import ClassHint
from crashwright.engine.testcase.codec import encode
from crashwright.engine.testcase.echo_names import EchoNames
from crashwright.engine.testcase.factory import Factory
from crashwright.engine.testcase.legality import is_legal, judged_arguments
from crashwright.engine.testcase.quarantine import Quarantine
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.slices import graft
from crashwright.engine.testcase.statements import RunModule
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.crash_parts import Parts, parts_of, usual_types
from crashwright.engine.worker.exchange import Exchange
from crashwright.engine.worker.protocol import Resume, Subject, Workbench
from crashwright.engine.worker.resolver import foreign_tests
from crashwright.engine.worker.safekeeping import KEEP_SECONDS, Safekeeping, Saved

PROGRESS_SECONDS = 0.5
OBSERVED_RUNS = 300
"""Tests at the beginning whose results' classes are noted, for the many packages without annotations."""
EXPLORED = 250
"""Random tests that are run before the search to learn from."""
WARM_UPS = 4
"""Tests of each kind (echoed calls, usage examples) with which the subject is warmed up."""
COLD_TESTS = 3
"""Tests of each kind that are run before that."""
LONGEST_TEST = 1.0
"""CPU seconds that a test of a slow subject may take at most."""
MANY_TIMEOUTS = 0.1
"""Share of a generation that may time out before tests are given more time."""
KEPT_EVERY = 1000
"""Evaluations after which tests are kept where evaluations alone are the budget."""
FRESH_KEPT = 5
"""How many tests of an unfinished generation are kept before the population is."""


class CrashSession:
    """See ``worker.protocol.Session``."""

    def __init__(self) -> None:
        self._recorder = Recorder()
        self._start: Start
        self._instrumentation: Instrumentation
        self._left_alone: frozenset[str] = frozenset()
        self._sources = Sources()
        self._time = VirtualTime()
        self._parts: Parts

    def prepare(self, start: Start) -> Subject:
        """Install the import hook for the functions on the path."""
        self._start = start
        self._left_alone = frozenset(sys.modules)
        self._instrumentation = Instrumentation(
            self._recorder, chosen_functions(start.target), None, crash_sites(start.target), resumptions=True
        )
        self._instrumentation.install()
        self._time.install()
        target = start.target
        modules = dict.fromkeys([target.package, *(frame.key.module for frame in target.package_frames)])
        if _module_level(target):
            modules.pop(target.frames[0].key.module, None)
        return Subject(tuple(modules), (target.package.partition(".")[0],))

    def imported(self, modules: dict[str, ModuleType]) -> Ready | Failed:  # noqa: ARG002 (the protocol names it)
        """Model the API and find the way in."""
        target = self._start.target
        api = ApiModel(target.package.partition(".")[0], loaded_names(target.package.partition(".")[0]))
        flags: FlagAnalysis | None = None
        if self._start.settings.search.flags == "interprocedural":
            flags = flag_analysis(target, self._sources)
            Instrumentation(self._recorder, flag_callees(target, flags, self._left_alone)).install()
        entry = entries(api, target, self._sources)
        if isinstance(entry, Unknown):
            told = f"There is no way in for a test: {entry.reason}."
            return Failed(FailureKind.TARGET, told, advice="Choose another frame with --frame.")
        self._parts = parts_of(self._start, self._recorder, api, entry, self._sources, flags)
        first = entry.callees[0].address.replace(":", ".") if entry.callees else f"import {entry.module}"
        return Ready(platform.python_version(), 0.0, f"{first} ({entry.how})")

    def run(self, bench: Workbench, resume: Resume) -> None:
        """Search to the end of the budget or the crash."""
        bench.executor.use(self._time)
        bench.blame(resume)
        _Run(self._parts, bench, resume).run()


def session() -> CrashSession:
    """For the zygote."""
    return CrashSession()


class _Run:
    """One fork's search."""

    def __init__(self, parts: Parts, bench: Workbench, resume: Resume) -> None:
        start, recorder, api, entry = parts.start, parts.recorder, parts.api, parts.entry
        settings = start.settings.search
        self._target = start.target
        self._seeds = start.seeds
        self._bench = bench
        self._resume = resume
        self._recorder = recorder
        self._saved = Saved.load(resume.checkpoint)
        self._rng = random.Random(f"{settings.seed}/{resume.generation}")
        self._pool = SeedPool()
        names = dict.fromkeys(frame.key.module for frame in start.target.package_frames)
        live = [module_dict(sys.modules[name]) for name in names if name in sys.modules]
        fill_pool(self._pool, start.target, *parts.path, live, self._rng)
        self._entry_names = frozenset(callee.name for callee in entry.callees)
        self._examples = parts.examples
        fill_from_examples(self._pool, self._examples, self._entry_names)
        self._api = api
        self._module = entry.module
        self._script = entry.script
        self._factory = Factory(api, self._pool, entry.callees, min(settings.length, 40))
        self._names = EchoNames(api, entry.callees, parts.names)
        self._requests = parts.requests
        self._operators = TestOperators(self._factory, settings.length)
        meter = BudgetMeter(start.settings.budget, time.monotonic, self._saved.evaluations + resume.lost, resume.seconds)
        fitness: CrashFitness = crash_fitness(settings, start.target, recorder.functions, parts.sources, parts.flags)
        self._quarantine = self._operators.quarantine = Quarantine(resume.quarantine, resume.banned)
        self._quarantine.trust(foreign_tests(self._saved.tests, api))
        self._quarantine.spare(self._needed(entry.callees))
        seconds = start.settings.budget.seconds
        allowance = None if seconds is None else WARM_UP_SHARE * max(0.0, seconds - resume.seconds)
        self._warm_up = WarmUp(bench.executor, bench.isolation, bench.clock, allowance, self._quarantine)
        surroundings = Surroundings(
            bench.executor,
            recorder,
            meter,
            self._quarantine,
            self._warm_up.after_run,
            bench.guard.take_last,
            # No clock decides anything without seconds, not even what the next fork begins with where a test has killed this one.
            longest_held=math.inf if seconds is None else LONGEST_HELD,
        )
        self._search = CrashSearch(self._operators, settings, surroundings, fitness, self._rng, self, self._scored)
        self._echoed: list[TestCase] = []
        self._earlier: list[TestCase] = []
        self._reported: list[TestCase] = []
        self._origins = Origins(self._pool, ())
        self._granted = frozenset(_names(start.target))
        self._search.is_legal = self._is_legal
        self._search.records = records_of(start.target, parts.path[0])
        self._search.ordinary = Ordinary(usual_types(parts, self._names, self._factory.names), self._factory, self._rng)
        target = start.target
        self._search.repairs = Repairs(target.exception, target.message, lambda: self._search.shown, self._factory, self._rng).of
        bench.executor.looks_inside = bool(start.target.outer or start.target.members)
        self._scratch = os.path.basename(start.settings.scratch).rpartition("-")[0] or "crashwright"
        self._learning = True
        self._told = 0.0
        self._timeouts = 0
        if is_recursion(start.target.exception):
            bench.clock.set_limit(LONGEST_TEST)  # a thousand frames take their time
            self._operators.close_circles(frozenset().union(*(written_in(node).attributes for node in parts.path[0])))
        self._fresh: list[tuple[float, TestCase]] = []
        self._is_timed = seconds is not None
        self._watch: Callable[[], float] = (
            time.monotonic if self._is_timed else lambda: KEEP_SECONDS * meter.evaluations / KEPT_EVERY
        )
        self._safe = Safekeeping(bench.channel, meter, self._worth_keeping, self._saved, self._watch, bench.waiting)
        self._exchange = Exchange(
            bench.channel,
            start.settings.migration,
            start.settings.budget.evaluations is not None,
            meter.evaluations,
            bench.waiting,
            meter.check,
        )

    def run(self) -> None:
        if self._module is not None:
            self._run_module(self._module)
            return
        self._bench.executor.observe(OBSERVED_RUNS)
        self._recorder.note_wanted(True)
        try:
            first = self._echo()
            if not self._saved.tests:
                # Fresh variables: by them it is told later what a test started from.
                seeds = foreign_tests(self._seeds, self._api)
                self._earlier += [TestCase(tuple(graft(seed.statements, self._factory.fresh))) for seed in seeds]
                self._origins = Origins(self._pool, self._echoed, (), self._earlier, self._reported)
                first = [*self._earlier, *first]
            reason = EndReason.REPRODUCED if self._try_first(first) else self._search.run(self._begin())
        except Spoiled:
            self._safe.keep()
            raise
        self._progress(time.monotonic())
        self._incidents()
        self._finish(reason, () if reason is EndReason.REPRODUCED else tuple(hints(self._target, self._search.scorer.best)))

    def _try_first(self, tests: list[TestCase]) -> bool:
        """The first of them, and of the usage examples, start cold as in a fresh interpreter, and without the time limit of a test;
        then the subject is warmed up."""
        patiently = self._warm_up.unhurried
        if self._search.try_each(tests[:COLD_TESTS], patiently):
            return True
        shown = self._shown()[:WARM_UPS]
        if self._search.try_each(shown[:COLD_TESTS], patiently):
            return True
        self._warm_up.begin(varied([*tests[:WARM_UPS], *shown], self._operators.mutate, self._rng))
        # What the fork before was left with is all that there is of the search: it keeps its scores.
        kept = [test for test in foreign_tests(self._saved.tests, self._api) if test.is_valid()]
        return self._search.try_first(tests[COLD_TESTS:]) or self._search.try_each(kept, patiently)

    def _begin(self) -> list[TestCase]:
        """Learn about the subject; the tests to begin with."""
        # A later fork has to learn again what its predecessor knew of the subject; it already has tests to go on with. Where random
        # calls kill engines, exploring on would never come to an end.
        tests = (EXPLORED // 4 if self._saved.tests else EXPLORED) >> 2 * len(self._resume.quarantine)
        executor = self._bench.executor
        meter, after_run = self._search.meter, self._warm_up.after_run
        explore(self._factory, executor, executor.observed, meter, self._rng, tests, 1.0, after_run, self._quarantine)
        seeds, examples = self._echo(), self._shown()
        self._warm_up.begin([*seeds[:WARM_UPS], *examples[:WARM_UPS]])
        self._origins = Origins(self._pool, self._echoed, examples, self._earlier, self._reported)
        seeds += examples
        self._operators.plant(seeds)
        initial = [] if self._saved.tests else [*self._earlier, *seeds]
        return [test for test in initial if test.is_valid()]

    def _needed(self, entries: Sequence[Callee]) -> frozenset[str]:
        """The addresses of what a test has to call to come to the target."""
        owners = [ClassHint(entry.owner) for entry in entries if entry.owner is not None]
        makers = [maker for owner in owners for maker in self._factory.constructors_of(owner)]
        return frozenset(callee.address for callee in (*entries, *makers))

    def _shown(self) -> list[TestCase]:
        """Tests that make the calls of usage examples, and those with a request, by what is known of the subject now."""
        echoes = request_seeds(self._requests, self._names, self._factory, self._rng)
        echoes += example_seeds(self._examples, self._entry_names, self._names, self._factory, self._rng)
        return [echo.test for echo in echoes if echo.test.is_valid()]

    def _echo(self) -> list[TestCase]:
        """Tests that make the call that the report echoes, by what is known of the subject now."""
        echoes = echo_seeds(self._target, self._names, self._factory, self._rng)
        self._search.quoted |= {variable: value for echo in echoes for variable, value in echo.quoted.items()}
        seeds = [test for echo in echoes for test in dict.fromkeys((echo.test, self._operators.circled(echo.test, self._rng)))]
        self._echoed += seeds
        self._quarantine.spare_circles(seeds)
        self._search.shown = self._search.shown or calls_shown(self._target, self._entry_names, seeds)
        reported = [echo.test for echo in reported_seeds(self._target, self._names, self._factory, self._rng)]
        self._reported += reported
        self._origins = Origins(self._pool, self._echoed, (), self._earlier, self._reported)
        return [*reported, *seeds]

    def _run_module(self, module: str) -> None:
        """A crash at import, or of a script: there is one test, and nothing to search for."""
        named = all(part.isidentifier() for part in module.split("."))
        path = None if named else self._target.frames[0].path
        test = TestCase((RunModule(0, module, path, self._script),))
        score = self._search.evaluator.evaluate_all([test])[0].score
        self._incidents()
        reason = EndReason.REPRODUCED if score.level == 4 else EndReason.EXHAUSTED
        what = "running" if self._script else "importing"
        told = () if score.level == 4 else (f"{what} {module} did not raise the exception of the report",)
        self._finish(reason, told)

    def _finish(self, reason: EndReason, told: tuple[str, ...]) -> None:
        meter, endings = self._search.meter, self._search.scorer.endings
        if reason is EndReason.REPRODUCED:
            self._bench.channel.send(Finished(reason, meter.evaluations, meter.seconds, told))
            return
        told = (*endings.told(), *told)
        self._bench.channel.send(Finished(reason, meter.evaluations, meter.seconds, told, endings.refused, endings.allowances()))

    # The search's listener

    def better(self, evaluation: Evaluation, minimised: bool) -> None:
        """Tell the host of tests that raise the right exception; the rest is progress."""
        score = evaluation.score
        if self._resume.generation or score.level == 4:
            self._safe.keep()  # where engines die, the next one shall not have to find this again
        if not score.level:
            return
        meter = self._search.meter
        test = evaluation.test
        original = self._search.scorer.best_exception
        judged = judged_arguments(test)
        self._bench.channel.send(
            Found(
                encode(test),
                score.level,
                score.agreeing,
                score.fitness,
                meter.evaluations if minimised else self._search.scorer.at,
                meter.seconds,
                self._is_legal(test),
                judged.arguments - judged.declared,
                judged.arguments,
                self._origins.of(original.test if minimised and original is not None else test),
                minimised,
                minimised or score.fitness == 0,
                evaluation.slept or (original.slept if minimised and original is not None else 0.0),
            )
        )

    def _is_legal(self, test: TestCase) -> bool:
        return is_legal(test, self._bench.executor.observed, self._granted)

    def generation(self, search: CrashSearch) -> bool:
        """Learn from the last tests, report, save."""
        if self._learning:
            self._learning = self._bench.executor.observing
            for callee, classes in self._bench.executor.observed.items():
                for cls in classes:
                    self._factory.observe(callee, cls)
        for value in self._recorder.take_wanted():
            if not self._names_scratch(value):
                self._pool.add_dynamic(value)
        self._give_time()
        now = time.monotonic()
        if now - self._told >= PROGRESS_SECONDS:
            self._progress(now)
            self._incidents()
        self._fresh.clear()
        if self._safe.due(self._watch()):
            self._safe.keep()
        arrived = self._exchange.pass_by(search.meter.evaluations, search.algorithm.survivors)
        search.guests = foreign_tests(arrived, self._api)
        return True

    def _scored(self, evaluations: Sequence[Evaluation]) -> None:
        """Where a generation takes long, keep what there is of it."""
        if not self._is_timed:
            return
        self._fresh += [(one.score.fitness, one.test) for one in evaluations]
        now = time.monotonic()
        if self._safe.due(now):
            self._safe.keep()
            self._progress(now)

    def _worth_keeping(self) -> list[TestCase]:
        """The best test, the best of the generation that is being run, the population: each with the best first."""
        best = self._search.scorer.best
        self._fresh = sorted(self._fresh, key=lambda pair: pair[0])[: self._search.algorithm.population_size]
        return self._quarantine.admitted(
            (
                *([] if best is None else [best.test]),
                *(test for _, test in self._fresh[:FRESH_KEPT]),
                *self._search.algorithm.survivors(),
                *(test for _, test in self._fresh[FRESH_KEPT:]),
            )
        )

    def _names_scratch(self, value: object) -> bool:
        """Whether ``value`` has (the beginning of) the name of the scratch folder in it, which is another one in each run."""
        return (type(value) is str and self._scratch in value) or (type(value) is bytes and self._scratch.encode() in value)

    def _give_time(self) -> None:
        """Raise the limit of a test where many need more: the subject is slow, or slow with probes."""
        evaluator, clock = self._search.evaluator, self._bench.clock
        timeouts = evaluator.timeouts - self._timeouts
        self._timeouts = evaluator.timeouts
        if timeouts > MANY_TIMEOUTS * self._search.algorithm.population_size and clock.limit < LONGEST_TEST:
            clock.set_limit(min(LONGEST_TEST, clock.limit * 2))

    def _progress(self, now: float) -> None:
        self._told = now
        best = self._search.scorer.best
        if best is None:
            return
        meter = self._search.meter
        self._bench.channel.send(
            Progress(
                meter.seconds,
                meter.evaluations,
                best.score.frames,
                len(self._target.package_frames),
                best.score.fitness,
                furthest_point(self._target, best.score),
                self._search.algorithm.population_size,
                self._warm_up.spent,
            )
        )

    def _incidents(self) -> None:
        for refusal in self._bench.guard.take_refusals():
            self._bench.channel.send(Incident(IncidentKind.REFUSED, f"crashwright refused to {refusal}"))


def _names(target: CrashTarget) -> Iterator[str]:
    """The names that a test of this crash may use though they are private: those of the report's outermost package frame."""
    key = target.package_frames[0].key
    for address in (key.module, key.qualname, target.exception):
        yield from address.split(".")


def _module_level(target: CrashTarget) -> bool:
    return target.frames[0].key.qualname == "<module>"
