"""What the factory is told of the module under test before the search: how its functions use untyped parameters, and which
constants each of them is likely to ask for (EvoSuite's seeding of constants, here by function)."""

from __future__ import annotations

import ast
import random

from crashwright.engine.sources.values.given_callables import teach_callables
from crashwright.engine.sources.values.seeding import FEW_WORDS, Written, add_matches, add_written, patterns_of_names, written_in
from crashwright.engine.sources.values.understood_keywords import teach_keywords
from crashwright.engine.sources.values.used_types import UsedTypes, suggest
from crashwright.engine.sources.values.wanted_types import WantedTypes
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.module_api import private_callables_of
from crashwright.engine.subject.introspection import loaded_dict
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.subject.usage.caught import caught_in, waited_for
from crashwright.engine.subject.usage.usage import called_name
from crashwright.engine.subject.usage.uses_of_values import Function
from crashwright.engine.subject.usage.vocabulary import Vocabulary, merged, vocabulary_of
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool

OWN, CALLED = 2.0, 1.0
"""Weights of constants in a function and in those that it calls."""
MATCHES = 8
"""Strings made for each regular expression of a function."""
MOST_POOLS = 300
"""Callables with seeds of their own: each pool takes a few milliseconds."""
FOLLOWED = 2
"""Calls within the module from a function to one whose constants count for it."""


def teach(
    factory: Factory, api: ApiModel, sources: Sources, module: str, rng: random.Random, wanted: WantedTypes | None = None
) -> None:
    """Tell ``factory`` of ``module``. Reads syntax trees only."""
    private = private_callables_of(api, module)
    callables = tuple(dict.fromkeys((*factory.entry, *private, *factory.relatives)))
    used = UsedTypes(api, sources, module, wanted=wanted)
    suggest(factory, used.hints, callables)
    for callee in callables:
        for parameter in callee.parameters:
            place = used.names_in(callee, parameter.name)
            if place:
                factory.paths.learn(callee, parameter, place)
    teach_keywords(factory, api, sources, callables, ())
    source = sources.of_module(module)
    if isinstance(source, ModuleSource):
        factory.favourites.thrown = (*waited_for(source.tree, loaded_dict(module)), RuntimeError)
        teach_callables(factory, api, sources, module, callables, caught_in(source.tree))
        seeds = _OwnSeeds(source, module, rng, factory.pool)
        for callee in callables[:MOST_POOLS]:
            pool = seeds.pool(api, callee)
            if pool is not None:
                factory.seed(callee, pool)


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
            calls = [called_name(node) for node in ast.walk(caller) if isinstance(node, ast.Call)]
            self._calls[id(caller)] = tuple(function for name in dict.fromkeys(calls) for function in self._by_name.get(name, ()))
        return self._calls[id(caller)]
