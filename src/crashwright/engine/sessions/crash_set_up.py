"""The parts of a search for a crash as its report asks for them: operators, limits, names for its lines, clues for good tests."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Sequence

from crashwright.core.mechanisms import Mechanism
from crashwright.core.recursion import is_recursion
from crashwright.engine.passes.evidence import ValueEvidence
from crashwright.engine.passes.ordinary import Ordinary
from crashwright.engine.passes.past_the_crash import PastTheCrash
from crashwright.engine.passes.plain_values import PlainLooks
from crashwright.engine.passes.records import records_of
from crashwright.engine.passes.repairs import Repairs
from crashwright.engine.passes.standard_values import standard_plain
from crashwright.engine.search.adaptive_timeout import LONGEST_TEST
from crashwright.engine.search.clues import Clues
from crashwright.engine.search.earned_mix import EarnedMix
from crashwright.engine.search.operators import TestOperators
from crashwright.engine.search.passed_values import PassedValues
from crashwright.engine.search.unguided_operators import ALL_OPERATORS, aim_at_module
from crashwright.engine.sessions.search_run import Setup
from crashwright.engine.sources.corresponding_parts import CorrespondingParts
from crashwright.engine.sources.crash_seeds import CrashSeeds
from crashwright.engine.sources.values.seeding import written_in
from crashwright.engine.sources.values.usual_types import usual_in
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.exports import Exports
from crashwright.engine.teaching.lesson import CrashLesson
from crashwright.engine.testcase.echoing.shape import unlikeness
from crashwright.engine.testcase.echoing.source import goes_through
from crashwright.engine.testcase.names.chain import NameChain
from crashwright.engine.testcase.testcase import TestCase


def operators_for(lesson: CrashLesson, setup: Setup) -> TestOperators:
    """As the settings name them; they know what drives the entry, and which objects may hold each other."""
    subject, target, factory = lesson.subject, lesson.target, lesson.factory
    settings = subject.start.settings.search
    operators = ALL_OPERATORS[settings.operators](factory, settings.length, setup.quarantine)
    if settings.uses(Mechanism.EARNED):
        operators.vary_by(EarnedMix())
    aim_at_module(operators, factory, subject.api, target.package_frames[0].key.module)
    operators.add_drivers(subject.clients)
    if is_recursion(target.exception):
        operators.close_circles(frozenset().union(*(written_in(node).attributes for node in subject.path[0])))
    return operators


def set_limits(lesson: CrashLesson, setup: Setup, indispensable: Sequence[Callee]) -> None:
    """How long a test may take, and what is looked at in it."""
    bench, target = setup.bench, lesson.target
    if setup.quarantine.spare(frozenset(callee.address for callee in indispensable)):
        bench.clock.set_limit(LONGEST_TEST)  # forks were killed in one of them, which may be no more than slow
    if target.outer or target.members:
        bench.executor.look_inside()
    if is_recursion(target.exception):
        bench.clock.set_limit(LONGEST_TEST)  # a thousand frames take their time


def echo_names(lesson: CrashLesson) -> NameChain:
    """What names in lines of the report mean."""
    subject, settings = lesson.subject, lesson.subject.start.settings.search
    by_words = settings.uses(Mechanism.WORDS)
    exports = Exports(subject.api.package, lesson.modules, lesson.target.between) if by_words else None
    defines = settings.uses(Mechanism.OBJECTS)
    return NameChain(subject.api, subject.entry.callees, subject.names, exports=exports, defines=defines)


def known_of_good_tests(
    lesson: CrashLesson, setup: Setup, names: NameChain, seeds: CrashSeeds, is_legal: Callable[[TestCase], bool]
) -> tuple[Clues, ValueEvidence]:
    """What report and subject tell of them, for the search and for the passes after it."""
    subject, target, factory, rng = lesson.subject, lesson.target, lesson.factory, lesson.rng
    settings = subject.start.settings.search
    passed = PassedValues(target, subject.path[0], seeds.quoted)
    if passed.is_telling and settings.uses(Mechanism.GUIDANCE):
        setup.bench.executor.keep_variables()
    sessions = subject.requests + subject.examples.sessions
    usual = usual_in(sessions, subject.path[1], names, factory.names, subject.used.hints)
    kept = ChainMap(seeds.quoted, seeds.given.literals)
    repairs = Repairs(target.exception, target.message, subject.filled, lambda: seeds.calls, factory, rng).of
    ordinary = Ordinary(usual, factory, rng, kept)
    parts = CorrespondingParts(factory, kept, setup.draws("parts behind the crash"))
    past = PastTheCrash(factory, kept, setup.draws("behind the crash"), parts.tests)
    clues = Clues(
        is_legal,
        lambda: seeds.calls,
        seeds.quoted,
        repairs,
        ordinary.is_made_up,
        passed_by_test=passed.of,
        lost=(lambda test: unlikeness(test, seeds.calls)) if settings.uses(Mechanism.WORDS) else (lambda _test: 0.0),
    )
    evidence = ValueEvidence(
        is_legal,
        seeds.quoted,
        repairs,
        ordinary,
        plain=Ordinary(usual, factory, rng, kept, PlainLooks()),
        records=records_of(target, subject.path[0]),
        standard=lambda test, good: standard_plain(test, factory, good, kept),
        loops=any(goes_through(site.source) for site in target.call_sites),
        shown=seeds.given,
        past=past if factory.diverse and settings.uses(Mechanism.GUIDANCE) else None,
        observed=factory.observed,
    )
    return clues, evidence
