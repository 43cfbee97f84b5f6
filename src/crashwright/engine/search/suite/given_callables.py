"""What the factory is told of functions that are handed over and given back: parameters that are decorated, inspected or called get
functions and classes of the test, and what a callable makes and returns is called in its turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crashwright.engine.search.used_types import UsedAnywhere
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.closures import closures_in
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.given_callables import callables_for


def teach_callables(
    factory: Factory, api: ApiModel, sources: Sources, module: str, callables: Sequence[Callee], errors: Sequence[str]
) -> None:
    """Tell ``factory`` of ``module``; ``errors`` are what it catches."""
    used = UsedAnywhere(api, sources)
    by_key = {key: callee for callee in reversed(callables) for key in sorted(api.keys_of(callee)) if key.module == module}
    for outer, closure in closures_in(module, sources):
        callee = by_key.get(outer)
        if callee is not None:
            factory.favourites.returned.setdefault(callee, []).append(closure)
            _teach(factory, used, (*closure.levels, closure.last), errors, inner=True)
    _teach(factory, used, callables, errors)


def _teach(factory: Factory, used: UsedAnywhere, callables: Iterable[Callee], errors: Sequence[str], inner: bool = False) -> None:
    for callee in callables:
        for parameter in callee.parameters:
            roles = used.roles(callee, parameter.name, inner)
            if roles is not None:
                for definition in callables_for(parameter.name, roles, errors, factory.new):
                    factory.shaped.learn(callee, parameter.name, (definition,))
