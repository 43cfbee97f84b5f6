"""Texts that grammars of the package derive, in what its calls leave open.

Where one of them reaches something new or comes nearer to the crash, its parts are changed by the rules of the grammar: so what is
alone becomes one of several, and a recursion that of the report.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
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
from crashwright.engine.testcase.making.derived_texts import Derivations, in_turns, targets_in
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
MOST_CHANGED = 20
"""Texts of which parts are changed: the best."""
MOST_CHANGES = 5000
"""That are drawn for a suite; its share of tests is less."""
BARREN = 100
"""Turns in a row in which there is nothing to be tried, after which there will be none."""
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
    """Texts of all of these in turn, and in turns with them changes of those that reached something new or came nearer. It must see
    what became of each before it gives the next."""
    kept: list[tuple[float, int, str]] = []
    numbers, best = itertools.count(), inf
    for text in _once(_in_turns_with(in_turns(derived), _changed(derived, kept))):
        yield text
        nearest = min((one.score.fitness for one in so_far.latest), default=inf)
        if nearest < best or any(map(so_far.is_new, so_far.latest)):
            best = min(best, nearest)
            bisect.insort(kept, (nearest, -next(numbers), text))


def _changed(derived: Sequence[Derivations], kept: Sequence[tuple[float, int, str]]) -> Iterator[str | None]:
    """One change of one of these, the best first; None where there is none just now."""
    for one in itertools.cycle(derived):
        yield one.changed([text for *_, text in kept[:MOST_CHANGED]]) if kept else None


def _in_turns_with(texts: Iterator[str], changes: Iterator[str | None]) -> Iterator[str]:
    barren = 0
    while barren < BARREN:
        given = [one for one in (next(texts, None), next(changes)) if one is not None]
        yield from given
        barren = 0 if given else barren + 1


class SuiteDerivedTexts:
    """See ``sources.source.Source``."""

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:
        """One for each production; then changes of those that covered something."""
        module = subject.source.module
        package = module.partition(".")[0]
        found = grammars_near(package, [module])
        templates = entry_templates(so_far.factory.entry, so_far.factory, rng)
        if _is_all_loose(found) and may_be_made_later():
            tests = [test for test, quoted in templates if holes_of(test, quoted) and not so_far.quarantine.holds(test)]
            found = grammars_in(tests, so_far.bench, package, lambda held: grammars_near(package, [module], (), held)) or found
        derived = [Derivations(one, (), rng) for one in found]
        texts = [*_once(in_turns([one.covering() for one in derived]))]
        for text in texts[:KEPT_TEXTS]:
            so_far.factory.pool.add_sample(text)
        return sample_tests(templates, map(Sample, changed_too(derived, texts, so_far)), so_far.factory, TEMPLATES)


def changed_too(derived: Sequence[Derivations], texts: Sequence[str], so_far: SuiteSoFar) -> Iterator[str]:
    """``texts``, and changes of those that covered something, the latest first. See :func:`led_on`."""
    kept: list[tuple[float, int, str]] = []
    changes = itertools.takewhile(lambda _: bool(kept), itertools.islice(_changed(derived, kept), MOST_CHANGES))
    for number, text in enumerate(_once(itertools.chain(texts, (one for one in changes if one is not None)))):
        before = so_far.gained
        yield text
        if so_far.gained > before:
            kept.insert(0, (0.0, number, text))


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
