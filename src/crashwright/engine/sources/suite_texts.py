"""Samples of the formats that a module reads, in what its callables leave open."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from random import Random

from crashwright.engine.sources.suite_so_far import SuiteSoFar
from crashwright.engine.sources.suite_subject import SuiteSubject
from crashwright.engine.sources.values.samples import (
    TEMPLATES,
    entry_templates,
    fields_for,
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
