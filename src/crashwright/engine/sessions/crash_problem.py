"""A crash as a problem of a search run: what is tried first, what is told of tests that come near it, when it is found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import islice

from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import EndReason, Message, Progress
from crashwright.core.portions import EXPLORED_PART
from crashwright.core.target import TargetFrame
from crashwright.engine.passes.finishing import Finishing
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.crash_search import CrashSearch
from crashwright.engine.search.diagnosis import hints, unmet_condition
from crashwright.engine.search.evaluator import LONGEST_HELD, RunSurroundings
from crashwright.engine.search.repeats import Repeats
from crashwright.engine.search.slow_callables import SlowCallables
from crashwright.engine.sessions.crash_set_up import echo_names, known_of_good_tests, operators_for, set_limits
from crashwright.engine.sessions.crash_telling import CrashTelling
from crashwright.engine.sessions.inner_turns import InnerTurns
from crashwright.engine.sessions.insights import Insights
from crashwright.engine.sessions.module_run import PROPOSING, reproduced_at_once
from crashwright.engine.sessions.search_run import Setup, tell_refusals
from crashwright.engine.sources.carrying.around import around
from crashwright.engine.sources.carrying.arrivals import Arrival, Arrivals
from crashwright.engine.sources.carrying.inverses import of_keys
from crashwright.engine.sources.crash_seeds import CrashSeeds
from crashwright.engine.sources.crash_so_far import CrashSoFar, ToldMeanwhile
from crashwright.engine.sources.crash_subject import (
    CrashSubject,
    blocking,
    granted_names,
    needed_by,
)
from crashwright.engine.sources.runner import SourceRun
from crashwright.engine.sources.table import crash_sources
from crashwright.engine.sources.values.frame_types import owners_in
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.teaching.taught import taught_for_crash
from crashwright.engine.testcase.legality import is_legal
from crashwright.engine.testcase.testcase import TestCase

EXPLORED, EXPLORED_WITHIN = 250, 40
"""Random tests that are run before the search to learn from, and of a search within another."""
AT_ONCE = 16
"""Tests around another that are run before one looks whether that is over."""
MARKS = 60
"""Texts of the code that are looked at for marks."""
FRESH_KEPT = 5
"""How many tests of an unfinished generation are kept before the population is."""


class CrashProblem:
    """See ``sessions.search_run.Problem``."""

    def __init__(self, subject: CrashSubject, setup: Setup, inner: bool = False) -> None:
        """``inner``: it is a search within another (``inner_turns``)."""
        start, bench, rng = subject.start, setup.bench, setup.rng
        settings, target = start.settings.search, start.target
        self._subject = subject
        self._setup = setup
        self._is_inner = inner
        self._target = target
        lesson = taught_for_crash(subject, rng)
        self.factory = factory = lesson.factory
        self._operators = operators_for(lesson, setup)
        indispensable = needed_by(factory, owners_in(target))
        set_limits(lesson, setup, indispensable)
        names = echo_names(lesson)
        seeds = CrashSeeds(
            target=target,
            requests=subject.requests,
            clients=frozenset(subject.clients),
            examples=subject.examples,
            names=names,
            factory=factory,
            operators=self._operators,
            quarantine=setup.quarantine,
        )
        self._repeats = Repeats(self._operators.identity)
        if factory.diverse:
            self._operators.diversify(seeds.quoted)
        self._granted = frozenset(granted_names(target))
        clues, evidence = known_of_good_tests(lesson, setup, names, seeds, self._is_legal)
        surroundings = RunSurroundings(
            bench.executor,
            subject.recorder,
            setup.meter,
            setup.quarantine,
            self._after_run,
            bench.guard.take_last,
            # No clock decides anything without seconds, not even what the next fork begins with where a test has killed this one.
            longest_held=LONGEST_HELD if setup.is_timed else math.inf,
            patience=SlowCallables(bench.clock, indispensable, bench.clocks.cpu),
        )
        self._is_symbolic = settings.engine == "symbolic"
        self._insights = insights = Insights(subject, setup)
        self._search = CrashSearch(
            operators=self._operators,
            settings=settings,
            surroundings=surroundings,
            fitness=insights.fitness(),
            rng=rng,
            told=self._better,
            clues=clues,
            on_scored=self._scored,
            blocking=blocking(subject, bench.guard.redefined.clear, factory.pool) if settings.uses(Mechanism.GUIDANCE) else None,
        )
        self._finishing = Finishing(
            self._search.measure, self._operators, evidence, setup.meter, rng, self._search.see, settings.without_rows
        )
        self._telling = CrashTelling(target, setup, seeds.origin_of, self._is_legal)
        self.evaluator = self._search.evaluator
        turns = not (inner or target.beyond)
        self._inner = InnerTurns(subject, setup, partial(CrashProblem, inner=True)) if turns else None
        self._fresh: list[tuple[float, TestCase]] = []
        self._so_far = CrashSoFar(
            search=self._search,
            seeds=seeds,
            factory=factory,
            operators=self._operators,
            bench=bench,
            resume=setup.resume,
            warm=setup.warm_up,
            quarantine=setup.quarantine,
            told=ToldMeanwhile(insights.composed, insights.required, setup.foreign, setup.safe.note),
            saved=setup.saved,
            state_lines=lesson.state_lines,
            go_inwards=self._go_inwards,
            explore=self._explore,
            forget=self._repeats.forget,
            operand_probes=setup.operand_probes,
            rng=setup.draws("warming up"),
        )
        only = ("composed",) if self._is_symbolic else () if subject.entry.module is None else PROPOSING
        sources = crash_sources(settings, only)
        self._sources = SourceRun(sources, subject, self._so_far, setup.draws, settings.uses(Mechanism.EARNED))

    # See Problem

    @property
    def population_size(self) -> int:
        """Of the algorithm."""
        return self._search.algorithm.population_size

    def begin(self) -> list[TestCase]:
        """What the sources bring ahead of the first generation."""
        if self._is_symbolic:
            self._so_far.seeds.echoed(self._setup.draws("echoed"))  # what its calls look like has to be known
        return self._sources.begin()

    def ask(self) -> list[TestCase]:
        """Of the algorithm, without what was run before."""
        return self._repeats.new_of(self._search.algorithm.ask())

    def tell(self, scores: Sequence[Evaluation], asked: bool) -> None:
        """They compete for a place in the population."""
        self._search.tell(scores, asked)

    def is_over(self) -> bool:
        """The crash is reproduced, and no better test of it is worth the time."""
        return self._is_symbolic or self._search.is_settled

    def advance(self) -> None:
        """The generation is in the population."""
        self._fresh.clear()
        if self._insights.take(self._so_far.best) or self._insights.is_refuted(self._search.scorer.led):
            self._search.measure_anew(self._insights.fitness())
            self._repeats.forget()
            self._sources.begin_anew()
        self._sources.between()
        self._search.advance()

    # See ``inner_turns.InnerProblem``

    @property
    def found(self) -> TestCase | None:
        """The test that reproduces the crash, as far as it ran."""
        best = self._search.scorer.best_exception if self._search.reproduced else None
        return best and TestCase(best.test.statements[: best.ran])

    @property
    def nearest(self) -> float:
        """The fitness of the best test."""
        return best.score.fitness if (best := self._search.scorer.best) else math.inf

    def carry(self, tests: Sequence[TestCase]) -> None:
        """Try what was found from other frames."""
        if not self._setup.meter.stopped:
            self._search.try_first([one for one in tests if self.factory.has_room(one.statements)], once=True)

    def arriving(self, test: TestCase, frame: TargetFrame, outside: TargetFrame | None) -> list[Arrival] | None:
        """What arrives in ``frame``, called from ``outside``, if ``test`` is run, which competes as others do. None if nothing is
        to be run any more."""
        if self._setup.meter.stopped or self.is_over() or not self.factory.has_room(test.statements):
            return None if self._setup.meter.stopped or self.is_over() else []
        with Arrivals(frame, outside, lambda: self._setup.bench.executor.variables) as arrivals:
            scores = self.evaluator.evaluate_all([test], once=True)
        self._search.tell(scores)
        return arrivals.found

    def around(self, test: TestCase, most: int) -> None:
        """Run what is one change away from ``test``, at most so many tests of each kind."""
        near = around(test, self.factory.pool, self._so_far.seeds.quoted, self.factory.new, most)
        while not (self._setup.meter.stopped or self.is_over()) and (batch := list(islice(near, AT_ONCE))):
            self.carry(batch)

    def marks(self) -> list[str]:
        """Short texts of the code without letters."""
        texts = [one for one in self.factory.pool.likeliest(str, MARKS) if type(one) is str]
        return [one for one in texts if 0 < len(one) <= 2 and not any(map(str.isalnum, one))]

    def inverses(self, frames: Sequence[TargetFrame]) -> list[Callee]:
        """What undoes the conversions that these functions make."""
        return of_keys([frame.key for frame in frames], self._subject.sources.node_of, self._subject.api.callee_of)

    def handing(self, test: TestCase, frame: TargetFrame) -> list[Arrival]:
        """What a test that makes the crash hands to ``frame``."""
        with Arrivals(frame, None, lambda: self._setup.bench.executor.variables) as arrivals:
            self.evaluator.measure(test)
        return arrivals.found

    def mention(self, test: TestCase) -> None:
        """Tell the host of a test that starts further in. It has no place in the population: it would soon be full of its like."""
        if (evaluation := self.evaluator.measure(test)).score.level:
            self._setup.bench.channel.send(self._telling.found(self._search, evaluation, False))

    def bases(self) -> list[TestCase]:
        """Tests that something may be carried into: the best ones, or else those that the report shows."""
        return self._search.algorithm.survivors() or self._so_far.seeds.echoed(self._setup.rng)[:2]

    def worth_keeping(self) -> list[TestCase]:
        """The best test, the best of the generation that is being run, the population: each with the best first."""
        best = self._search.scorer.best
        self._fresh = sorted(self._fresh, key=lambda pair: pair[0])[: self.population_size]
        return self._setup.quarantine.admitted(
            (
                *([] if best is None else [best.test]),
                *(test for _, test in self._fresh[:FRESH_KEPT]),
                *self._search.algorithm.survivors(),
                *(test for _, test in self._fresh[FRESH_KEPT:]),
            )
        )

    def emigrants(self) -> list[TestCase]:
        """The population."""
        return self._search.algorithm.survivors()

    def progress(self) -> Progress | None:
        """Where the best test stands."""
        return self._telling.progress(self._search)

    def finish(self) -> list[Message]:
        """The best test is made small, and told of as that is done."""
        self._search.finish(self._finishing.made_of)
        progress = self.progress()
        unmet = unmet_condition(self._target, self._search.scorer.best, self._subject.sources)
        told = () if self._search.reproduced else tuple(hints(self._target, self._search.scorer.best, unmet))
        failed = EndReason.EXHAUSTED if self._is_symbolic else EndReason.BUDGET
        last = self._telling.finished(self._search, EndReason.REPRODUCED if self._search.reproduced else failed, told, unmet)
        return [last] if progress is None else [progress, last]

    # A crash at import, or of a script

    def run_module(self, module: str) -> None:
        """There is nothing to search for but what a program that it runs is given: files, and commands before the last one."""
        subject, setup = self._subject, self._setup
        reproduced = reproduced_at_once(subject, self.factory, self.evaluator)
        asks = not reproduced and bool(subject.start.target.invocations.commands)
        if asks:
            self._sources.begin()
        tell_refusals(setup.bench)
        if asks and self._search.reproduced:
            for message in self.finish():
                setup.bench.channel.send(message)
            return
        told = f"{'running' if subject.entry.script else 'importing'} {module} did not raise the exception of the report"
        reason = EndReason.REPRODUCED if reproduced else EndReason.EXHAUSTED
        setup.bench.channel.send(self._telling.finished(self._search, reason, () if reproduced else (told,)))

    # In the course of it

    def _explore(self) -> None:
        """A later fork has to learn again what its predecessor knew of the subject."""
        setup = self._setup
        whole = EXPLORED_WITHIN if self._is_inner else EXPLORED
        tests = whole // 4 if setup.saved or setup.resume.generation else whole
        setup.explore(self.factory, self._subject.recorder, tests, setup.meter.until(EXPLORED_PART))

    def _go_inwards(self) -> None:
        if self._inner is not None:
            self._inner.go_on(self)

    def _better(self, evaluation: Evaluation, minimised: bool) -> None:
        """Tell the host of tests that raise the right exception; the rest is progress."""
        score, setup = evaluation.score, self._setup
        if setup.resume.generation or score.level == 4:
            setup.safe.keep(self.worth_keeping())  # where engines die, the next one shall not have to find this again
        if not score.level:
            return
        setup.bench.channel.send(self._telling.found(self._search, evaluation, minimised))

    def _is_legal(self, test: TestCase) -> bool:
        return is_legal(test, self._setup.bench.executor.observed, self._granted)

    def _after_run(self, test: TestCase) -> bool:
        if warmer := self._setup.warm_up.after_run(test):
            self._repeats.forget()
        return warmer

    def _scored(self, evaluations: Sequence[Evaluation]) -> None:
        """Where a generation takes long, keep what there is of it."""
        setup = self._setup
        self._repeats.note(one.test for one in evaluations if not one.hung)
        if not setup.is_timed:
            return
        self._fresh += [(one.score.fitness, one.test) for one in evaluations]
        if setup.safe.due(setup.watch()):
            setup.safe.keep(self.worth_keeping())
            progress = self.progress()
            if progress is not None:
                setup.bench.channel.send(progress)
