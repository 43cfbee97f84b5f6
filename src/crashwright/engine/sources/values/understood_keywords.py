"""What a factory is told of callables that take any keywords: which of them mean something (``subject.usage.keyword_names``)."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from itertools import islice

from crashwright.engine.subject.api.api import ApiModel, takes_keywords
from crashwright.engine.subject.api.callee import Callee, Parameter, ParameterKind
from crashwright.engine.subject.api.types import ANY, ClassHint
from crashwright.engine.subject.source import ModuleSource, Sources
from crashwright.engine.subject.usage.keyword_names import Keywords
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.vocabulary import is_keyword_name

MOST_CALLABLES = 60
"""That are read."""


def teach_keywords(factory: Factory, api: ApiModel, sources: Sources, callables: Iterable[Callee], modules: Iterable[str]) -> None:
    """Tell ``factory`` which keywords ``callables`` understand, in their own modules and in ``modules``, where what they make may
    be used."""
    around = tuple(dict.fromkeys(modules))
    readings: dict[str, Keywords] = {}
    open_ones = filter(takes_keywords, callables)
    for callee in islice(open_ones, MOST_CALLABLES):
        found: dict[str, type | None] = {}
        for key in sorted(api.keys_of(callee)):
            node = sources.node_of(key)
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if key.module not in readings:
                read = [sources.of_module(module) for module in dict.fromkeys((key.module, *around))]
                readings[key.module] = Keywords([one.tree for one in read if isinstance(one, ModuleSource)])
            found = readings[key.module].understood(node) | found
        named = {part.name for part in callee.parameters}
        parameters = [_keyword(name, kind) for name, kind in found.items() if name not in named and is_keyword_name(name)]
        if parameters:
            factory.understood.add(callee, parameters)


def _keyword(name: str, kind: type | None) -> Parameter:
    return Parameter(name, ParameterKind.KEYWORD_ONLY, ANY if kind is None else ClassHint(kind), required=False)
