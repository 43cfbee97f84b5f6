"""Texts that grammars of the package derive, in what its calls leave open.

Where one of them raises the exception of the report at its line, and only the frames are not yet right, what it was derived for is
put elsewhere: into each other place of the grammar, and so on from what comes of it. So a recursion becomes that of the report.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from crashwright.core.location import CodeKey
from crashwright.engine.execution.executor import release
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.sources.values.samples import TEMPLATES, entry_templates, holes_of, sample_tests
from crashwright.engine.sources.written_texts import open_templates
from crashwright.engine.subject.grammars.live_parts import HeldMeanwhile, HeldObject
from crashwright.engine.subject.grammars.registry import grammars_of, may_be_made_later
from crashwright.engine.subject.grammars.text_grammar import TextGrammar
from crashwright.engine.subject.usage.parsers import neighbours
from crashwright.engine.testcase.making.derived_texts import Derivations, covering_texts, in_turns, targets_in
from crashwright.engine.testcase.samples.formats import Sample
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Workbench

MOST_GRAMMARS = 6
"""That take turns."""
EVERYWHERE = 15
"""Texts that are tried in each of the calls: the first are the likeliest."""
FAR = 3
MOST_RUNS = 4
"""In which a grammar may be made that no module holds."""
MOST_PLACES = 60
"""In which what was derived is put."""
KEPT_TEXTS = 40
"""Of those that tests draw later on."""


class DerivedTexts:
    """See ``sources.source.Source``."""

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterable[TestCase]:
        """Those first that go through the productions which functions of the report's frames handle."""
        target = subject.start.target
        path = [frame.key for frame in target.package_frames]
        near = [key.module for key in path]
        package = target.package.partition(".")[0]
        found = grammars_near(package, near, path)
        if _is_all_loose(found) and may_be_made_later():
            tests = [test for test, _ in open_templates(so_far, rng) if not so_far.quarantine.holds(test)]
            found = grammars_in(tests, so_far.bench, package, lambda held: grammars_near(package, near, path, held)) or found
        if not found:
            return ()
        texts = led_on([Derivations(one, path, rng) for one in found], so_far)
        templates, samples = open_templates(so_far, rng), map(Sample, texts)
        early = sample_tests(templates, itertools.islice(samples, EVERYWHERE), so_far.factory, len(templates))
        return itertools.chain(early, sample_tests(templates, samples, so_far.factory))


def led_on(derived: Sequence[Derivations], so_far: CrashSoFar) -> Iterator[str]:
    """Texts of all of these in turn, and in turns with them what those were derived for that raised the right exception, elsewhere.
    It must see what became of each before it gives the next."""
    raising: list[tuple[float, int, str]] = []
    numbers = itertools.count()
    for text in _once(_in_turns_with(in_turns(derived), _elsewhere(derived, raising))):
        yield text
        nearest = min((one.score.fitness for one in so_far.latest if one.score.level), default=None)
        if nearest is not None:
            heapq.heappush(raising, (nearest, next(numbers), text))


def _elsewhere(derived: Sequence[Derivations], raising: list[tuple[float, int, str]]) -> Iterator[str | None]:
    """Of the nearest first; None where there is none just now."""
    while True:
        if not raising:
            yield None
            continue
        *_, text = heapq.heappop(raising)
        yield from itertools.islice(itertools.chain.from_iterable(one.elsewhere(text) for one in derived), MOST_PLACES)


def _in_turns_with(texts: Iterator[str], others: Iterator[str | None]) -> Iterator[str]:
    for text in texts:
        yield text
        other = next(others)
        if other is not None:
            yield other
    yield from itertools.takewhile(lambda one: one is not None, others)


class SuiteDerivedTexts:
    """See ``sources.source.Source``."""

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:
        """One for each production."""
        module = subject.source.module
        package = module.partition(".")[0]
        found = grammars_near(package, [module])
        templates = entry_templates(so_far.factory.entry, so_far.factory, rng)
        if _is_all_loose(found) and may_be_made_later():
            tests = [test for test, quoted in templates if holes_of(test, quoted) and not so_far.quarantine.holds(test)]
            found = grammars_in(tests, so_far.bench, package, lambda held: grammars_near(package, [module], (), held)) or found
        texts = [*_once(in_turns([iter(covering_texts(one, rng)) for one in found]))]
        for text in texts[:KEPT_TEXTS]:
            so_far.factory.pool.add_sample(text)
        return sample_tests(templates, [Sample(text) for text in texts], so_far.factory, TEMPLATES)


def grammars_near(
    package: str, modules: Sequence[str], path: Sequence[CodeKey] = (), beside: Sequence[HeldObject] = ()
) -> list[TextGrammar]:
    """Those of which functions of ``path`` handle productions, then those of ``modules`` and of what these import from, and others
    that are more than tokens; ``beside``: see ``registry.GrammarReader``."""
    around = neighbours(modules)

    def distance(grammar: TextGrammar) -> int:
        if targets_in(grammar, path):
            return 0
        return min((1 if one in modules else 2 if one in around else FAR for one in grammar.modules), default=FAR)

    found = sorted(((distance(one), at, one) for at, one in enumerate(grammars_of(package, beside))), key=lambda three: three[:2])
    return [one for far, _, one in found if far < FAR or not one.is_loose][:MOST_GRAMMARS]


def _is_all_loose(grammars: Sequence[TextGrammar]) -> bool:
    return all(one.is_loose for one in grammars)


def grammars_in(
    tests: Sequence[TestCase], bench: Workbench, package: str, read: Callable[[Sequence[HeldObject]], list[TextGrammar]]
) -> list[TextGrammar]:
    """What is read when the first of these tests that made a grammar has just ended: what functions had in a variable, whether they
    returned or raised, or what is kept for the next time."""
    for test in tests[:MOST_RUNS]:
        with HeldMeanwhile(package) as held:
            outcome = bench.executor.run_and_keep(test)
        try:
            found = read(held.found)
        finally:
            release(outcome)
            spoiled = bench.isolation.restore()
        if spoiled is not None:
            bench.executor.spoiled = spoiled
        if spoiled is not None or not _is_all_loose(found):
            return found
    return []


def _once(texts: Iterator[str]) -> Iterator[str]:
    """Dialects have most of their texts in common."""
    seen: set[str] = set()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text
