"""What a factory is told of callables that take any keywords: which of them mean something to what gets them (``engine.wants``)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from crashwright.engine.sources.values.wanted_types import wanted_in
from crashwright.engine.subject.api.api import ApiModel, takes_keywords
from crashwright.engine.subject.api.callee import Callee, Parameter, ParameterKind
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.vocabulary import is_keyword_name

MOST_CALLABLES, MOST_NAMES = 60, 24
"""Callables that are looked at, and keywords of each."""


def teach_keywords(factory: Factory, api: ApiModel, callables: Iterable[Callee], modules: Iterable[str]) -> None:
    """Tell ``factory`` which keywords ``callables`` understand, in their own modules and in ``modules``, where what they make may
    be used."""
    keys = {callee: sorted(api.keys_of(callee)) for callee in islice(filter(takes_keywords, callables), MOST_CALLABLES)}
    wanted = wanted_in((*(key.module for known in keys.values() for key in known), *(modules if keys else ())))
    for callee, known in keys.items():
        found = {name: hint for key in known for name, hint in wanted.keywords(key.module, key.qualname).items()}
        named = {part.name for part in callee.parameters}
        names = [name for name in found if name not in named and is_keyword_name(name)][:MOST_NAMES]
        if names:
            kind = ParameterKind.KEYWORD_ONLY
            factory.understood.add(callee, [Parameter(name, kind, found[name], required=False) for name in names])
