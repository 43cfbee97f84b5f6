"""Samples of the formats that a module reads, in what its callables leave open, and what a search in these texts makes of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from random import Random

from crashwright.engine.search.suite.scorer import SuiteRan
from crashwright.engine.sources.source import When
from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.sources.text_search import Attempt
from crashwright.engine.sources.text_stage import TextStage
from crashwright.engine.sources.values.samples import (
    TEMPLATES,
    entry_templates,
    fields_for,
    holes_of,
    kinds_for,
    sample_tests,
    samples_for,
    stock,
)
from crashwright.engine.subject.introspection import loaded_dict
from crashwright.engine.subject.usage.lookups import keys_by_name
from crashwright.engine.testcase.testcase import TestCase


class SuiteSamples:
    """See ``sources.source.Source``."""

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:
        """Tests that are made later draw the samples too."""
        source, pool = subject.source, so_far.factory.pool
        functions = [node for _, node in source.codes() if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        names = [source.module]
        named = keys_by_name((node, loaded_dict(source.module)) for node in functions)
        kinds = kinds_for(functions, names, named, rng)
        package = source.module.partition(".")[0]
        samples = samples_for(functions, [source.tree], names, package, rng, named=named, apart=kinds)
        stock(pool, samples)
        pool.fields = fields_for(functions, names, named)
        pool.lines = kinds
        templates = entry_templates(so_far.factory.entry, so_far.factory, rng)
        return sample_tests(templates, samples, so_far.factory, TEMPLATES)


MOST_PLACES = 24
"""Open texts of calls that are begun with one character."""


class SuiteEdits:
    """See ``sources.source.Source``. It looks at what became of each text, and tells of tests that cover something at once."""

    def __init__(self) -> None:
        self._stage: _SuiteTexts | None = None

    def tests(self, subject: SuiteSubject, so_far: SuiteSoFar, rng: Random) -> Iterator[TestCase]:
        """None."""
        if so_far.moment is When.AHEAD:
            self._stage = _SuiteTexts(subject, so_far)
            templates = entry_templates(so_far.factory.entry, so_far.factory, rng)
            places = [(test, hole) for test, quoted in templates for hole in holes_of(test, quoted)]
            self._stage.begin(places[:MOST_PLACES], ["a"], so_far.reached)
            so_far.reached += self._stage.reached
        elif self._stage is not None:
            self._stage.go_on()
        return iter(())


class _SuiteTexts(TextStage[SuiteRan]):
    def __init__(self, subject: SuiteSubject, so_far: SuiteSoFar) -> None:
        functions = [function.key for function in subject.recorder.functions]
        super().__init__(subject.source.module, functions, so_far, so_far.bench, so_far.quarantine)
        self._so_far = so_far

    def _looked_at(self, score: SuiteRan, is_new: Callable[[], bool]) -> Attempt:
        covers = self._so_far.is_new(score)
        if covers:
            self._so_far.tell([score])
            self.reached.append(score.individual)
        return Attempt((is_new() or covers) and not score.timed_out, 1.0)
