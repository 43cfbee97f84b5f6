"""The first values of a suite: constants of the module under test, strings for its regular expressions, what its documentation
shows, and for each callable the constants that it is likely to ask for (EvoSuite's seeding of constants, here by function; no value
comes from a report here)."""

from __future__ import annotations

import ast
import random
from collections.abc import Mapping, Sequence

from crashwright.engine.sources.values.example_seeds import fill_from_values
from crashwright.engine.sources.values.seeding import (
    FEW_WORDS,
    IN_MODULE,
    MOST_LAYOUTS,
    MOST_PATTERNS,
    Written,
    add_constants,
    add_matches,
    add_written,
    patterns_in,
    patterns_named,
    patterns_of_names,
    written_in,
)
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.introspection import loaded_dict
from crashwright.engine.subject.source import ModuleSource
from crashwright.engine.subject.usage.layouts import layouts_in
from crashwright.engine.subject.usage.looked_up import looked_up
from crashwright.engine.subject.usage.usage import called_name
from crashwright.engine.subject.usage.uses_of_values import Function
from crashwright.engine.subject.usage.vocabulary import Vocabulary, merged, vocabulary_of
from crashwright.engine.subject.walking import walk
from crashwright.engine.teaching.lesson import SuiteLesson
from crashwright.engine.testcase.seeds import SeedPool

OWN, CALLED = 2.0, 1.0
"""Weights of constants in a function and in those that it calls."""
MATCHES = 8
"""Strings made for each regular expression, of the module or of a function."""
MOST_POOLS = 300
"""Callables with seeds of their own: each pool takes a few milliseconds."""
FOLLOWED = 2
"""Calls within the module from a function to one whose constants count for it."""


def tell_constants(lesson: SuiteLesson) -> None:
    """Constants and regular expressions of the module."""
    if lesson.source is not None:
        fill_pool_for_module(lesson.factory.pool, (lesson.source.tree,), (loaded_dict(lesson.module),), lesson.rng)


def tell_examples(lesson: SuiteLesson) -> None:
    """Values of usage examples."""
    fill_from_values(lesson.factory.pool, lesson.shown)


def tell_looked_up(lesson: SuiteLesson) -> None:
    """By name, what the module compares with, and looks up among, values of that name."""
    if lesson.source is not None:
        lesson.factory.suggestions.show_more(looked_up(lesson.source.tree))


def tell_own_constants(lesson: SuiteLesson) -> None:
    """To each callable the constants of the functions that a call of it runs."""
    if lesson.source is None:
        return
    seeds = _OwnSeeds(lesson.source, lesson.module, lesson.rng, lesson.factory.pool)
    for callee in lesson.callables[:MOST_POOLS]:
        pool = seeds.pool(lesson.api, callee)
        if pool is not None:
            lesson.factory.seed(callee, pool)


def fill_pool_for_module(
    pool: SeedPool, trees: Sequence[ast.AST], live: Sequence[Mapping[str, object]], rng: random.Random
) -> None:
    """Add every seed that needs no running of the subject. ``trees`` are the module under test and what else may matter, ``live``
    the names of these modules, where compiled patterns are found."""
    for tree in trees:
        add_constants(pool, tree, IN_MODULE, "a constant of the module")
    found = dict.fromkeys((*patterns_in(trees), *patterns_named(trees, live)))
    for text, flags in list(found)[:MOST_PATTERNS]:
        add_matches(pool, text, flags, MATCHES, 1.0, rng)
    if pool.structured:
        functions = [node for tree in trees for node in walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        pool.layouts = layouts_in(functions, trees, live)[:MOST_LAYOUTS]


class _OwnSeeds:
    """The pools of single callables of one module."""

    def __init__(self, source: ModuleSource, module: str, rng: random.Random, common: SeedPool) -> None:
        self._source = source
        self._module = module
        self._rng = rng
        self._common = common
        self._names = loaded_dict(module)
        self._written: dict[int, Written] = {}
        self._vocabularies: dict[int, Vocabulary] = {}
        self._calls: dict[int, tuple[Function, ...]] = {}
        self._by_name: dict[str, list[Function]] = {}
        for _, node in source.codes():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._by_name.setdefault(node.name, []).append(node)

    def pool(self, api: ApiModel, callee: Callee) -> SeedPool | None:
        """The constants of the functions that a call of ``callee`` runs, and strings for their patterns; None without any."""
        keys = sorted(key for key in api.keys_of(callee) if key.module == self._module)
        own: list[ast.AST] = [node for key in keys for node in self._source.nodes_of(key)]
        if not own:
            return None
        pool = SeedPool(varied=True, structured=self._common.structured)
        reached: dict[int, ast.AST] = {id(node): node for node in own}
        level: list[ast.AST] = list(own)
        for node in own:
            add_written(pool, self._read(node), OWN, "a constant of the function")
        for _ in range(FOLLOWED):
            called = [node for caller in level for node in self._called(caller)]
            level = [node for node in dict.fromkeys(called) if id(node) not in reached]
            for node in level:
                reached[id(node)] = node
                add_written(pool, self._read(node), CALLED, "a constant of a function that is called")
        if pool.structured:
            pool.layouts = self._common.layouts
            said = merged([self._said(node) for node in reached.values()])
            pool.vocabulary = said if len(said.strings) >= FEW_WORDS else None
        read = [self._read(node) for node in reached.values()]
        own_patterns = [(pattern.text, 0) for one in read for pattern in one.patterns]
        for text, flags in dict.fromkeys((*own_patterns, *patterns_of_names(read, (self._names,)))):
            add_matches(pool, text, flags, MATCHES, OWN, self._rng)
        return pool if pool.tokens or any(pool.has(cls) for cls in (str, bytes, int, float)) else None

    def _read(self, node: ast.AST) -> Written:
        """Each function once: many callables run the same ones."""
        if id(node) not in self._written:
            self._written[id(node)] = written_in(node)
        return self._written[id(node)]

    def _said(self, node: ast.AST) -> Vocabulary:
        """As :meth:`_read`."""
        if id(node) not in self._vocabularies:
            self._vocabularies[id(node)] = vocabulary_of((node,))
        return self._vocabularies[id(node)]

    def _called(self, caller: ast.AST) -> tuple[Function, ...]:
        if id(caller) not in self._calls:
            calls = [called_name(node) for node in walk(caller) if isinstance(node, ast.Call)]
            self._calls[id(caller)] = tuple(function for name in dict.fromkeys(calls) for function in self._by_name.get(name, ()))
        return self._calls[id(caller)]
