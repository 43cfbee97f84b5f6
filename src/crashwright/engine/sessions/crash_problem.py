"""A crash as a problem of a search run: what is tried first, what is told of tests that come near it, when it is found."""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Sequence
from functools import partial

from crashwright.core.mechanisms import Mechanism
from crashwright.core.messages import EndReason, Message, Progress
from crashwright.core.recursion import is_recursion
from crashwright.engine.execution.warm_up import varied
from crashwright.engine.search.adaptive_timeout import LONGEST_TEST
from crashwright.engine.search.ambient_seeds import ambient_seeds
from crashwright.engine.search.asking import Plateau
from crashwright.engine.search.clues import Clues
from crashwright.engine.search.corresponding_parts import CorrespondingParts
from crashwright.engine.search.crash_classes import classes_of, quoted_names, raised_by
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.search.crash_search import CrashSearch
from crashwright.engine.search.crash_seeds import CrashSeeds
from crashwright.engine.search.diagnosis import hints
from crashwright.engine.search.evaluator import LONGEST_HELD, Surroundings
from crashwright.engine.search.example_seeds import values_by_parameter
from crashwright.engine.search.feeding import Feeding, feed, feedings, lines_read
from crashwright.engine.search.frame_types import FrameTypes, owners_in
from crashwright.engine.search.furthest import furthest
from crashwright.engine.search.handed_in import HandedIn
from crashwright.engine.search.handed_over import called_over, handed_over, handed_seeds
from crashwright.engine.search.ordinary import Ordinary
from crashwright.engine.search.parameter_looks import learn_looks
from crashwright.engine.search.path_words import add_dispatched, add_patterns, add_written
from crashwright.engine.search.records import records_of
from crashwright.engine.search.repairs import Repairs
from crashwright.engine.search.repeats import Repeats
from crashwright.engine.search.seeding import written_in
from crashwright.engine.search.settable_fields import field_seeds, settable_fields
from crashwright.engine.search.slow_callables import SlowCallables
from crashwright.engine.search.suite.plain_values import PlainLooks
from crashwright.engine.search.suite.standard_values import standard_plain
from crashwright.engine.search.understood_keywords import teach_keywords
from crashwright.engine.search.unguided_operators import ALL_OPERATORS, aim_at_module
from crashwright.engine.search.used_types import suggest
from crashwright.engine.sessions.candidate_stage import Candidates
from crashwright.engine.sessions.crash_parts import (
    Parts,
    asking,
    blocking,
    closure_entered,
    commanded,
    granted_names,
    guarding,
    needed_by,
    setters_entered,
    usual_types,
)
from crashwright.engine.sessions.crash_telling import CrashTelling
from crashwright.engine.sessions.first_values import filled_pool
from crashwright.engine.sessions.fulfilment import Fulfilment
from crashwright.engine.sessions.inner_turns import InnerTurns
from crashwright.engine.sessions.insights import Insights
from crashwright.engine.sessions.reconciling import Reconciling
from crashwright.engine.sessions.sample_stage import SampleStage
from crashwright.engine.sessions.search_run import Setup, tell_refusals
from crashwright.engine.sessions.text_stage import SAMPLES, TextStage
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.subject.introspection import loaded_dict
from crashwright.engine.testcase.echoing.names import EchoNames
from crashwright.engine.testcase.echoing.shape import unlikeness
from crashwright.engine.testcase.echoing.source import goes_through
from crashwright.engine.testcase.editing.substitution import answered, lessened
from crashwright.engine.testcase.legality import is_legal
from crashwright.engine.testcase.making.definitions import Definer
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.variety import CRASH, PLAIN
from crashwright.engine.testcase.statements import RunModule
from crashwright.engine.testcase.testcase import TestCase

EXPLORED = 250
"""Random tests that are run before the search to learn from."""
STAGE = 0.12
"""Part of the seconds that this may take, and trying variants of the echoed call: where tests are slow, something has to be left
for what comes after."""
ASKING_RUNS = 48
"""Runs before the search that ask what the code wants of values without a type."""
ASKED_TESTS = 2
"""Tests of each kind (echoed calls, usage examples) whose values they begin with."""
GUARDED_AFTER, GUARDED = 500, 2
"""Evaluations without progress after which arguments that the code decides on are set, and in how many of the best tests; and in as
many others, since the best may be beside the way."""
MOST_NEAR = 40
"""Tests that are then made of one by giving comparisons what they wanted, and by leaving out something."""
ASKED_AFTER, ASKED_AGAIN = 1500, 3
"""Evaluations without progress after which it is asked again, and of how many of the best tests."""
WARM_UPS = 4
"""Tests of each kind (echoed calls, usage examples) with which the subject is warmed up."""
COLD_TESTS = 3
"""Tests of each kind that are run before that."""
FEW_DEATHS = 2
"""So many engines may be killed before what is tried ahead of the search is left out."""
AHEAD = 0.5
"""How much of the budget may be used up before the search itself begins."""
USUAL = 0.5
"""How often an untyped parameter of a callable on the way gets what its function expects: what crashes is often another type."""
FRESH_KEPT = 5
"""How many tests of an unfinished generation are kept before the population is."""


class CrashProblem:
    """See ``sessions.search_run.Problem``."""

    def __init__(self, parts: Parts, setup: Setup, inner: bool = False) -> None:
        """``inner``: it is a search within another (``inner_turns``)."""
        start, entry, bench, rng = parts.start, parts.entry, setup.bench, setup.rng
        settings, target = start.settings.search, start.target
        self._parts = parts
        self._setup = setup
        self._target = target
        self._uses_words = settings.uses(Mechanism.WORDS)
        names = dict.fromkeys(frame.key.module for frame in target.package_frames)
        live = [loaded_dict(name) for name in names]
        pool = filled_pool(parts, live, rng)
        defines = settings.uses(Mechanism.OBJECTS)
        definer = Definer(classes_of(target), quoted_names(target.message), raised_by(target)) if defines else None
        diverse = settings.uses(Mechanism.DIVERSITY) and settings.operators == "extended"
        crash = CRASH if pool.structured else CRASH._replace(at_hand=0.0)
        length, variety = min(settings.length, 40), crash if diverse else PLAIN
        self.factory = factory = Factory(parts.api, pool, entry.callees, length, variety=variety, definer=definer, diverse=diverse)
        self._writers = writers = parts.writers
        if settings.uses(Mechanism.GUIDANCE):
            add_dispatched(pool, target, parts.sources, parts.path[1])
            add_written(pool, writers)
            add_patterns(pool, target, writers, live, rng)
            factory.favourites.add(writers.callees)
            for cls, fields in settable_fields(target, parts.sources).items():
                factory.favourites.fields.learn(cls, fields)
        self._feedings: list[Feeding] = []
        if writers.callees and settings.uses(Mechanism.TEXTS):
            reading = (*writers.functions, *(node for _, node in parts.called))
            self._feedings = feedings(writers.callees, lines_read(reading, target, live, rng), parts.used.hints)
            feed(factory, self._feedings)
        factory.favourites.closure = closure = closure_entered(parts)
        factory.favourites.setters = setters_entered(parts)
        for cls, makers in entry.makers:
            factory.learn_makers(cls, makers)
        used = parts.used
        needed = needed_by(factory)
        seen = FrameTypes(target, parts.api, parts.sources) if self._uses_words else None
        hints = used.hints if seen is None else lambda callee, name: (*seen.of(callee, name), *used.hints(callee, name))
        # Of these alone: to read all that a large package does takes seconds.
        suggest(factory, hints, dict.fromkeys((*needed, *writers.callees)), USUAL)
        if self._uses_words:
            open_to_any = dict.fromkeys((*needed, *writers.callees, *factory.relatives))
            teach_keywords(factory, parts.api, parts.sources, open_to_any, [frame.key.module for frame in target.package_frames])
        if settings.uses(Mechanism.TEXTS):
            beside = [*parts.path[0], *(node for _, node in parts.called)]
            learn_looks(factory, needed, beside, parts.api, parts.sources, parts.known, parts.said)
            feed(factory, feedings(needed, parts.matched, used.hints))
        if closure is not None:
            suggest(factory, used.of_inner, (*closure.levels, closure.last))
        if self._uses_words:
            factory.suggestions.show(values_by_parameter(parts.examples, needed))
        self._operators = ALL_OPERATORS[settings.operators](factory, settings.length, setup.quarantine)
        aim_at_module(self._operators, factory, parts.api, target.package_frames[0].key.module)
        self._operators.add_drivers(parts.clients)
        indispensable = needed_by(factory, owners_in(target))
        if setup.quarantine.spare(frozenset(callee.address for callee in indispensable)):
            bench.clock.set_limit(LONGEST_TEST)  # forks were killed in one of them, which may be no more than slow
        if target.outer or target.members:
            bench.executor.look_inside()
        if is_recursion(target.exception):
            bench.clock.set_limit(LONGEST_TEST)  # a thousand frames take their time
            self._operators.close_circles(frozenset().union(*(written_in(node).attributes for node in parts.path[0])))
        exports = Exports(parts.api.package, tuple(names), target.between) if self._uses_words else None
        echo_names = EchoNames(parts.api, entry.callees, parts.names, exports=exports, defines=defines)
        self._seeds = seeds = CrashSeeds(
            target=target,
            requests=parts.requests,
            clients=frozenset(parts.clients),
            examples=parts.examples,
            names=echo_names,
            factory=factory,
            operators=self._operators,
            quarantine=setup.quarantine,
            rng=rng,
        )
        self._repeats = Repeats(self._operators.identity)
        self._candidates = Candidates(parts, setup, factory, seeds.suggested)
        self._asking = asking(parts, setup, factory, used, needed, seeds.quoted) if settings.uses(Mechanism.OBJECTS) else None
        self._guarding = guarding(parts, factory, seeds.quoted) if settings.uses(Mechanism.OBJECTS) else None
        self._plateau, self._standstill = Plateau(ASKED_AFTER), Plateau(min(GUARDED_AFTER, self._candidates.patience))
        if diverse:
            self._operators.diversify(seeds.quoted)
        self._granted = frozenset(granted_names(target))
        handed_in = HandedIn(target, parts.path[0], seeds.quoted)
        if handed_in.is_telling and settings.uses(Mechanism.GUIDANCE):
            bench.executor.keep_variables()
        usual, kept = usual_types(parts, echo_names, factory.names, used.hints), ChainMap(seeds.quoted, seeds.given.literals)
        clues = Clues(
            self._is_legal,
            lambda: seeds.calls,
            seeds.quoted,
            Repairs(target.exception, target.message, parts.filled, lambda: seeds.calls, factory, rng).of,
            Ordinary(usual, factory, rng, kept),
            Ordinary(usual, factory, rng, kept, PlainLooks()),
            records_of(target, parts.path[0]),
            handed_in=handed_in.of,
            standard=lambda test, good: standard_plain(test, factory, good, kept),
            loops=any(goes_through(site.source) for site in target.call_sites),
            lost=(lambda test: unlikeness(test, seeds.calls)) if self._uses_words else (lambda _test: 0.0),
            shown=seeds.given,
            observed=factory.observed,
        )
        surroundings = Surroundings(
            bench.executor,
            parts.recorder,
            setup.meter,
            setup.quarantine,
            self._after_run,
            bench.guard.take_last,
            # No clock decides anything without seconds, not even what the next fork begins with where a test has killed this one.
            longest_held=LONGEST_HELD if setup.is_timed else math.inf,
            patience=SlowCallables(bench.clock, indispensable, bench.clocks.cpu),
        )
        self._is_symbolic = settings.engine == "symbolic"
        insights = Insights(parts, setup)
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
            blocking=blocking(parts, setup, pool) if settings.uses(Mechanism.GUIDANCE) else None,
        )
        self._fulfilment = Fulfilment(insights, self._search, seeds, factory, lambda: self.is_over() or setup.meter.stopped)
        self._reconciling = (
            Reconciling(self._search, CorrespondingParts(factory, seeds.quoted, rng), self.is_over)
            if settings.uses(Mechanism.OBJECTS)
            else None
        )
        self._telling = CrashTelling(target, setup, seeds.origin_of, self._is_legal)
        self.evaluator = self._search.evaluator
        self._texts = TextStage.of(parts, setup, self._search, self.is_over) if settings.uses(Mechanism.EDITS) else None
        turns = not (inner or target.beyond or self._is_symbolic) and settings.uses(Mechanism.LIFT)
        self._inner = InnerTurns(parts, setup, partial(CrashProblem, inner=True)) if turns else None
        self._fresh: list[tuple[float, TestCase]] = []
        self._varied_until = AHEAD

    # See Problem

    @property
    def population_size(self) -> int:
        """Of the algorithm."""
        return self._search.algorithm.population_size

    def begin(self) -> list[TestCase]:
        """What the report echoes, usage examples and tests of earlier runs; then look round. Returns seeds."""
        echoed = self._seeds.echoed()
        composed = self._fulfilment.composed()
        if self._is_symbolic:
            self._search.try_each(composed, self._setup.warm_up.unhurried)
            return []
        first = [*self._seeds.invoked(), *self._seeds.reported(), *echoed]
        if self._candidates.begin(self._search):
            return []
        if not self._setup.saved:
            first = [*self._seeds.earlier(self._setup.foreign(self._parts.start.seeds)), *first]
        return [] if self._try_first(first) or self._search.try_made(composed) else self._learnt()

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
        if self._candidates.advance(self._search):
            return
        if self._fulfilment.advance():
            self._repeats.forget()
            self._plateau, self._standstill = Plateau(ASKED_AFTER), Plateau(min(GUARDED_AFTER, self._candidates.patience))
        if self._reconciling is not None:
            self._reconciling.advance()
        best, asking = self._search.scorer.best, self._asking
        if asking and best and self._plateau.is_reached(best.score.fitness, self._setup.meter.evaluations):
            stuck = self._search.algorithm.survivors()[:ASKED_AGAIN]
            self._search.try_first(asking.built(stuck, ASKING_RUNS // 2, only=True))
        if best and self._standstill.is_reached(best.score.fitness, self._setup.meter.evaluations):
            survivors = self._search.algorithm.survivors()
            others = survivors[GUARDED:]
            for test in (*survivors[:GUARDED], *self._setup.rng.sample(others, min(GUARDED, len(others)))):
                self._search.try_first(self._near(test))
        if self._texts is not None and best and self._texts.is_due(best.score.fitness):
            self._texts.advance(self._search.algorithm.survivors, self._seeds.quoted)
        if self._inner:
            self._inner.go_on(self)
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
        return self._search.algorithm.survivors() or self._seeds.echoed()[:2]

    def _near(self, test: TestCase) -> list[TestCase]:
        """What is one telling step away from ``test``, and rarely made by chance."""
        answers = answered(test, self.factory.pool.answers, MOST_NEAR)
        if self._guarding is None:
            return answers
        return [*self._guarding.varied(test), *answers, *lessened(test, self._seeds.quoted, MOST_NEAR)]

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
        """There is one test, and nothing to search for."""
        path = None if all(part.isidentifier() for part in module.split(".")) else self._target.frames[0].path
        script = self._parts.entry.script
        [evaluation] = self.evaluator.evaluate_all([TestCase((RunModule(0, module, path, script),))])
        reproduced = evaluation.score.level == 4
        tell_refusals(self._setup.bench)
        told = () if reproduced else (f"{'running' if script else 'importing'} {module} did not raise the exception of the report",)
        self._setup.bench.channel.send(
            self._telling.finished(self._search, EndReason.REPRODUCED if reproduced else EndReason.EXHAUSTED, told)
        )

    # Before the first generation

    def _try_first(self, tests: list[TestCase]) -> bool:
        """The first of them, and of the usage examples, start cold as in a fresh interpreter, and without the time limit of a test;
        then the subject is warmed up."""
        warm_up = self._setup.warm_up
        patiently = warm_up.unhurried
        if self._search.try_each(tests[:COLD_TESTS], patiently):
            return True
        shown = self._seeds.shown()[:WARM_UPS]
        if self._search.try_each(shown[:COLD_TESTS], patiently):
            return True
        warm_up.begin(varied([*tests[:WARM_UPS], *shown], self._operators.mutate, self._setup.rng))
        # What the fork before was left with is all that there is of the search: it keeps its scores.
        kept = [test for test in self._setup.foreign(self._setup.saved) if test.is_valid()]
        return self._search.try_first(tests[COLD_TESTS:]) or self._search.try_each(kept, patiently)

    def _learnt(self) -> list[TestCase]:
        """Learn about the subject; the tests to begin with."""
        # A later fork has to learn again what its predecessor knew of the subject; it already has tests to go on with.
        again = self._setup.saved or self._setup.resume.generation
        self._setup.explore(
            self.factory, self._parts.recorder, EXPLORED // 4 if again else EXPLORED, self._setup.meter.until(STAGE)
        )
        echoed, reported, examples = self._seeds.echoed(), self._seeds.reported(), self._seeds.shown()
        self._setup.warm_up.begin([*[*reported, *echoed][:WARM_UPS], *examples[:WARM_UPS]])
        self._varied_until = min(AHEAD, self._setup.meter.until(STAGE))
        far = furthest(self._seeds.variants(), self._varied) if self._uses_words and self._is_early else []
        answers = self._asked([*(far or echoed)[:ASKED_TESTS], *examples[:ASKED_TESTS]])
        reached = self._samples_tried(far or echoed) if self._is_early else []
        self._operators.plant([*self._candidates.tests, *reported, *(far or echoed), *examples, *answers, *reached])
        self._repeats.forget()  # the subject was cold when the first of them were run
        fresh = [*self._candidates.tests, *reported, *(far or echoed), *examples, *answers]
        return [] if self._setup.saved else [test for test in (*self._seeds.earlier(()), *fresh) if test.is_valid()]

    @property
    def _is_early(self) -> bool:
        """Nothing is known yet, and the subject does not seem to kill its engines: each of them would begin all over again."""
        setup = self._setup
        return not setup.saved and setup.resume.generation < FEW_DEATHS and setup.meter.share() <= AHEAD

    def _varied(self, tests: list[TestCase]) -> Sequence[Evaluation]:
        meter = self._setup.meter
        if meter.check() or self._search.is_settled or meter.share() > self._varied_until:
            return ()
        return self.evaluator.evaluate_all(tests)  # those that get furthest compete later: so many would leave no room for others

    def _asked(self, tests: list[TestCase]) -> list[TestCase]:
        """Tests with values that answer what the code asks of those of ``tests``, and in the state that it asks for."""
        if not self._is_early:
            return []
        around = field_seeds(tests, self.factory)
        if self._asking is None:
            return around
        around += ambient_seeds(*self._parts.path, tests, self.factory, self._setup.rng)
        handed, themselves = handed_over(self._target, self.factory.entry), called_over(self._target)
        around += handed_seeds(handed, self.factory, self._setup.rng, themselves)
        around += commanded(self._parts, self._asking.around, self.factory, self._setup.rng)
        return [*self._asking.built(tests, ASKING_RUNS), *around]

    def _samples_tried(self, echoed: list[TestCase]) -> list[TestCase]:
        stage = SampleStage(self._setup, self.factory, self.evaluator, self._search.tell, self._parts.samples)
        stage.feed(self._feedings, self.is_over)
        if self.is_over():
            return stage.reached
        stage.fill(echoed, self._seeds.quoted, self.is_over)
        if self._texts is not None:
            self._texts.begin(stage.templates, [sample.content for sample in self._parts.samples[:SAMPLES]], stage.reached)
        return stage.reached

    # In the course of it

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
