"""The first seeds of a suite: constants of the module under test, strings for its regular expressions, and what its
documentation shows (EvoSuite's static constant seeding; no value comes from a report here)."""

from __future__ import annotations

import ast
import random
import sys
from collections.abc import Mapping, Sequence

from crashwright.engine.search.seeding import (
    IN_MODULE,
    MOST_PATTERNS,
    add_constants,
    add_matches,
    patterns_in,
    patterns_named,
)
from crashwright.engine.subject.api import ApiModel
from crashwright.engine.subject.callee import Callee
from crashwright.engine.subject.hints import Scope
from crashwright.engine.subject.introspection import class_module, class_qualname, is_class, module_dict
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.subject.types import ClassHint, is_any
from crashwright.engine.subject.use_hints import Owned, UseReader, Weighted, attributes_of
from crashwright.engine.subject.uses_of_values import ModuleUses
from crashwright.engine.testcase.factory import Factory
from crashwright.engine.testcase.guessing import NameModel
from crashwright.engine.testcase.seeds import SeedPool

OBJECT_TESTS, THEMES, TWINS, ELSEWHERE = 0.35, 0.6, 0.25, 0.02
"""Shares of random tests, arguments and calls: see the attributes of ``Factory`` of these names."""
SAID_TOO = 4.0
"""By how much a type weighs more where use and name of a parameter agree on it."""
MATCHES = 8
"""Strings made for each regular expression."""


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


def teach(factory: Factory, api: ApiModel, sources: Sources, module: str) -> None:
    """Tell ``factory`` what the functions of ``module``, and those that its tests call besides, do with their untyped parameters;
    and that its tests are to call many methods of one object, too."""
    Teacher(factory, api, sources, module).teach()
    factory.object_tests = OBJECT_TESTS
    factory.themes = THEMES
    factory.twins = TWINS
    factory.elsewhere = ELSEWHERE


class Teacher:
    """Reads each module that is asked for once."""

    def __init__(self, factory: Factory, api: ApiModel, sources: Sources, module: str) -> None:
        self._factory = factory
        self._api = api
        self._sources = sources
        self._module = module
        self._uses: dict[str, ModuleUses | None] = {}
        self._readers: dict[str, UseReader] = {}
        self._classes: tuple[Owned, ...] = ()

    def teach(self) -> None:
        """See :func:`teach`."""
        live = sys.modules.get(self._module)
        named = [value for value in module_dict(live).values() if is_class(value)] if live is not None else []
        near = {id(cls) for cls in named} | {id(cls) for cls in self._api.classes_in(self._module)}
        self._classes = tuple(Owned(cls, attributes_of(cls, self._on_self)) for cls in self._api.classes if id(cls) in near)
        for callee in dict.fromkeys((*self._factory.entry, *self._factory.relatives)):
            for parameter in callee.parameters:
                if is_any(parameter.hint):
                    hints = self._hints(callee, parameter.name)
                    if hints:
                        said = _weighed(hints, parameter.name, self._factory.names)
                        self._factory.suggestions.add(callee, parameter.name, said)

    def _hints(self, callee: Callee, parameter: str) -> Weighted:
        for key in sorted(self._api.keys_of(callee)):
            uses = self._uses_in(key.module)
            use = None if uses is None else uses.use_of(key.qualname, parameter)
            if use is not None:
                return self._reader(key.module).hints(use)
        return ()

    def _reader(self, module: str) -> UseReader:
        if module not in self._readers:
            live = sys.modules.get(module)
            names = {} if live is None else module_dict(live)
            self._readers[module] = UseReader(module, Scope(names), self._classes)
        return self._readers[module]

    def _uses_in(self, module: str) -> ModuleUses | None:
        if module not in self._uses:
            source = self._sources.of_module(module)
            self._uses[module] = ModuleUses(source.tree) if isinstance(source, ModuleSource) else None
        return self._uses[module]

    def _on_self(self, cls: type) -> frozenset[str]:
        home = class_module(cls)
        uses = self._uses_in(home) if home.partition(".")[0] == self._api.package.partition(".")[0] else None
        return frozenset() if uses is None else uses.attributes_of(class_qualname(cls))


def _weighed(hints: Weighted, name: str, names: NameModel) -> Weighted:
    """A type that the parameter's name suggests as well weighs more."""
    said = names.said(name)
    if not isinstance(said, ClassHint):
        return hints
    return tuple((hint, weight * SAID_TOO if isinstance(hint, ClassHint) and hint.cls is said.cls else weight) for hint, weight in hints)
