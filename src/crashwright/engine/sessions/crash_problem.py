"""A crash as a problem of a search run: what is tried first, what is told of tests that come near it, when it is found."""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Sequence
from functools import partial

from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import EndReason, Message, Progress
from crashwright.core.recursion import is_recursion
from crashwright.engine.search.adaptive_timeout import LONGEST_TEST
from crashwright.engine.search.clues import Clues
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.crash_search import CrashSearch
from crashwright.engine.search.diagnosis import hints
from crashwright.engine.search.evaluator import LONGEST_HELD, Surroundings
from crashwright.engine.search.handed_in import HandedIn
from crashwright.engine.search.ordinary import Ordinary
from crashwright.engine.search.records import records_of
from crashwright.engine.search.repairs import Repairs
from crashwright.engine.search.repeats import Repeats
from crashwright.engine.search.slow_callables import SlowCallables
from crashwright.engine.search.suite.plain_values import PlainLooks
from crashwright.engine.search.suite.standard_values import standard_plain
from crashwright.engine.search.unguided_operators import ALL_OPERATORS, aim_at_module
from crashwright.engine.sessions.crash_telling import CrashTelling
from crashwright.engine.sessions.first_values import filled_pool
from crashwright.engine.sessions.inner_turns import InnerTurns
from crashwright.engine.sessions.insights import Insights
from crashwright.engine.sessions.module_run import run_once
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sources.crash_seeds import CrashSeeds
from crashwright.engine.sources.crash_so_far import CrashSoFar, Told
from crashwright.engine.sources.crash_subject import (
    CrashSubject,
    blocking,
    class_statements_entered,
    closure_entered,
    granted_names,
    needed_by,
    setters_entered,
    usual_types,
)
from crashwright.engine.sources.feeding import Feeding, feed, feedings, lines_read
from crashwright.engine.sources.path_words import add_dispatched, add_patterns, add_written
from crashwright.engine.sources.runner import SourceRun
from crashwright.engine.sources.settable_fields import settable_fields
from crashwright.engine.sources.table import crash_sources
from crashwright.engine.sources.values.crash_classes import classes_of, quoted_names, raised_by
from crashwright.engine.sources.values.example_seeds import values_by_parameter
from crashwright.engine.sources.values.frame_types import FrameTypes, owners_in
from crashwright.engine.sources.values.parameter_looks import learn_looks
from crashwright.engine.sources.values.seeding import written_in
from crashwright.engine.sources.values.understood_keywords import teach_keywords
from crashwright.engine.sources.values.used_types import suggest
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.subject.introspection import loaded_dict
from crashwright.engine.testcase.echoing.names import EchoNames
from crashwright.engine.testcase.echoing.shape import unlikeness
from crashwright.engine.testcase.echoing.source import goes_through
from crashwright.engine.testcase.legality import is_legal
from crashwright.engine.testcase.making.definitions import Definer
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.variety import CRASH, PLAIN
from crashwright.engine.testcase.testcase import TestCase

EXPLORED = 250
"""Random tests that are run before the search to learn from."""
STAGE = 0.12
"""Part of the seconds that this may take: where tests are slow, something has to be left for what comes after."""
USUAL = 0.5
"""How often an untyped parameter of a callable on the way gets what its function expects: what crashes is often another type."""
FRESH_KEPT = 5
"""How many tests of an unfinished generation are kept before the population is."""


class CrashProblem:
    """See ``sessions.search_run.Problem``."""

    def __init__(self, subject: CrashSubject, setup: Setup, inner: bool = False) -> None:
        """``inner``: it is a search within another (``inner_turns``)."""
        start, entry, bench, rng = subject.start, subject.entry, setup.bench, setup.rng
        settings, target = start.settings.search, start.target
        self._subject = subject
        self._setup = setup
        self._target = target
        self._uses_words = settings.uses(Mechanism.WORDS)
        names = dict.fromkeys(frame.key.module for frame in target.package_frames)
        live = [loaded_dict(name) for name in names]
        pool = filled_pool(subject, live, rng)
        defines = settings.uses(Mechanism.OBJECTS)
        definer = Definer(classes_of(target), quoted_names(target.message), raised_by(target)) if defines else None
        diverse = settings.uses(Mechanism.DIVERSITY) and settings.operators == "extended"
        crash = CRASH if pool.structured else CRASH._replace(at_hand=0.0)
        length, variety = min(settings.length, 40), crash if diverse else PLAIN
        self.factory = factory = Factory(
            subject.api, pool, entry.callees, length, variety=variety, definer=definer, diverse=diverse
        )
        self._writers = writers = subject.writers
        if settings.uses(Mechanism.GUIDANCE):
            add_dispatched(pool, target, subject.sources, subject.path[1])
            add_written(pool, writers)
            add_patterns(pool, target, writers, live, rng)
            factory.favourites.add(writers.callees)
            for cls, fields in settable_fields(target, subject.sources).items():
                factory.favourites.fields.learn(cls, fields)
        given: list[Feeding] = []
        if writers.callees and settings.uses(Mechanism.TEXTS):
            reading = (*writers.functions, *(node for _, node in subject.called))
            given = feedings(writers.callees, lines_read(reading, target, live, rng), subject.used.hints)
            feed(factory, given)
        factory.favourites.closure = closure = closure_entered(subject)
        factory.favourites.setters = setters_entered(subject)
        factory.favourites.class_statements = class_statements_entered(subject, definer)
        for cls, makers in entry.makers:
            factory.learn_makers(cls, makers)
        used = subject.used
        needed = needed_by(factory)
        seen = FrameTypes(target, subject.api, subject.sources) if self._uses_words else None
        hints = used.hints if seen is None else lambda callee, name: (*seen.of(callee, name), *used.hints(callee, name))
        # Of these alone: to read all that a large package does takes seconds.
        suggest(factory, hints, dict.fromkeys((*needed, *writers.callees)), USUAL)
        if self._uses_words:
            open_to_any = dict.fromkeys((*needed, *writers.callees, *factory.relatives))
            teach_keywords(
                factory, subject.api, subject.sources, open_to_any, [frame.key.module for frame in target.package_frames]
            )
        if settings.uses(Mechanism.TEXTS):
            beside = [*subject.path[0], *(node for _, node in subject.called)]
            learn_looks(factory, needed, beside, subject.api, subject.sources, subject.known, subject.said)
            feed(factory, feedings(needed, subject.matched, used.hints))
        if closure is not None:
            suggest(factory, used.of_inner, (*closure.levels, closure.last))
        if self._uses_words:
            factory.suggestions.show(values_by_parameter(subject.examples, needed))
        self._operators = ALL_OPERATORS[settings.operators](factory, settings.length, setup.quarantine)
        aim_at_module(self._operators, factory, subject.api, target.package_frames[0].key.module)
        self._operators.add_drivers(subject.clients)
        indispensable = needed_by(factory, owners_in(target))
        if setup.quarantine.spare(frozenset(callee.address for callee in indispensable)):
            bench.clock.set_limit(LONGEST_TEST)  # forks were killed in one of them, which may be no more than slow
        if target.outer or target.members:
            bench.executor.look_inside()
        if is_recursion(target.exception):
            bench.clock.set_limit(LONGEST_TEST)  # a thousand frames take their time
            self._operators.close_circles(frozenset().union(*(written_in(node).attributes for node in subject.path[0])))
        exports = Exports(subject.api.package, tuple(names), target.between) if self._uses_words else None
        echo_names = EchoNames(subject.api, entry.callees, subject.names, exports=exports, defines=defines)
        seeds = CrashSeeds(
            target=target,
            requests=subject.requests,
            clients=frozenset(subject.clients),
            examples=subject.examples,
            names=echo_names,
            factory=factory,
            operators=self._operators,
            quarantine=setup.quarantine,
        )
        self._repeats = Repeats(self._operators.identity)
        if diverse:
            self._operators.diversify(seeds.quoted)
        self._granted = frozenset(granted_names(target))
        handed_in = HandedIn(target, subject.path[0], seeds.quoted)
        if handed_in.is_telling and settings.uses(Mechanism.GUIDANCE):
            bench.executor.keep_variables()
        usual, kept = usual_types(subject, echo_names, factory.names, used.hints), ChainMap(seeds.quoted, seeds.given.literals)
        clues = Clues(
            self._is_legal,
            lambda: seeds.calls,
            seeds.quoted,
            Repairs(target.exception, target.message, subject.filled, lambda: seeds.calls, factory, rng).of,
            Ordinary(usual, factory, rng, kept),
            Ordinary(usual, factory, rng, kept, PlainLooks()),
            records_of(target, subject.path[0]),
            handed_in=handed_in.of,
            standard=lambda test, good: standard_plain(test, factory, good, kept),
            loops=any(goes_through(site.source) for site in target.call_sites),
            lost=(lambda test: unlikeness(test, seeds.calls)) if self._uses_words else (lambda _test: 0.0),
            shown=seeds.given,
            observed=factory.observed,
        )
        surroundings = Surroundings(
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
        insights.take()
        self._search = CrashSearch(
            operators=self._operators,
            settings=settings,
            surroundings=surroundings,
            fitness=insights.fitness(),
            rng=rng,
            told=self._better,
            clues=clues,
            on_scored=self._scored,
            blocking=blocking(subject, bench.guard.redefined.clear, pool) if settings.uses(Mechanism.GUIDANCE) else None,
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
            told=Told(insights.composed, insights.wishes, setup.foreign, setup.safe.note),
            saved=setup.saved,
            feedings=given,
            go_inwards=self._go_inwards,
            explore=self._explore,
            forget=self._repeats.forget,
            rng=setup.draws("warming up"),
        )
        sources = crash_sources(settings, ("composed",) if self._is_symbolic else ())
        self._sources = SourceRun(sources, subject, self._so_far, setup.draws)

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
        if self._insights.take() or self._insights.is_refuted(self._search.scorer.led):
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
        self._search.finish()
        progress = self.progress()
        told = () if self._search.reproduced else tuple(hints(self._target, self._search.scorer.best))
        failed = EndReason.EXHAUSTED if self._is_symbolic else EndReason.BUDGET
        last = self._telling.finished(self._search, EndReason.REPRODUCED if self._search.reproduced else failed, told)
        return [last] if progress is None else [progress, last]

    # A crash at import, or of a script

    def run_module(self, module: str) -> None:
        """There is nothing to search for."""
        run_once(self._subject, self._setup, self.evaluator, partial(self._telling.finished, self._search), module)

    # In the course of it

    def _explore(self) -> None:
        """A later fork has to learn again what its predecessor knew of the subject."""
        setup = self._setup
        tests = EXPLORED // 4 if setup.saved or setup.resume.generation else EXPLORED
        setup.explore(self.factory, self._subject.recorder, tests, setup.meter.until(STAGE))

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
