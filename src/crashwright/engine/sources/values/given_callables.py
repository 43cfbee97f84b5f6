"""What the factory is told of functions that are handed over and given back: parameters that are decorated, inspected or called get
functions and classes of the test, and what a callable makes and returns is called in its turn."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from random import Random

from crashwright.engine.sources.values.used_types import UsedAnywhere
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.closures import Closure, closures_in
from crashwright.engine.subject.introspection import identities, loaded_dict
from crashwright.engine.subject.source import Sources
from crashwright.engine.subject.usage.roles import DATACLASS
from crashwright.engine.testcase.making.calls_in_turn import followed
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.given_callables import FIELDS, callables_for
from crashwright.engine.testcase.statements import Definition, Named, Statement
from crashwright.engine.testcase.testcase import TestCase

MOST_TESTS = 80
_ALIASES = identities(*(type(value) for value in (dict[str, int], int | None, typing.Optional[int], typing.List[int])))  # noqa: UP006, UP045
"""The classes of such types, by what is written."""


def teach_callables(
    factory: Factory, api: ApiModel, sources: Sources, module: str, callables: Sequence[Callee], errors: Sequence[str]
) -> None:
    """Tell ``factory`` of ``module``; ``errors`` are what it catches."""
    used, aliases = UsedAnywhere(api, sources), _aliases(module)
    by_key = {key: callee for callee in reversed(callables) for key in sorted(api.keys_of(callee)) if key.module == module}
    for outer, closure in closures_in(module, sources):
        callee = by_key.get(outer)
        if callee is not None:
            factory.preferences.returned.setdefault(callee, []).append(closure)
            _teach(factory, used, (*closure.levels, closure.last), errors, aliases, inner=True)
    _teach(factory, used, callables, errors, aliases)


def callable_tests(factory: Factory, rng: Random) -> list[TestCase]:
    """Each definition once for each parameter that it is for, the functions that are made within others called. At most
    ``MOST_TESTS``, of every callable some."""
    ways = [
        (callee, closure)
        for callee in dict.fromkeys((*factory.preferences.returned, *factory.entry))
        for closure in factory.preferences.returned.get(callee, (None,))
    ]
    made = [_tests_of(factory, callee, closure, rng) for callee, closure in ways]
    rounds = (test for round_ in zip_longest(*made) for test in round_ if test is not None)
    return list(islice(rounds, MOST_TESTS))


def _tests_of(factory: Factory, callee: Callee, closure: Closure | None, rng: Random) -> Iterator[TestCase]:
    levels = () if closure is None else (*closure.levels, closure.last)
    for owner in (callee, *levels):
        for parameter in owner.parameters:
            for part in factory.shaped.known(owner, parameter.name):
                if any(isinstance(one, Definition) for one in part):
                    with factory.shaped.only(owner, parameter.name, part):
                        test = _test(factory, callee, closure, rng)
                    if test.is_valid() and factory.has_room(test.statements):
                        yield test


def _test(factory: Factory, callee: Callee, closure: Closure | None, rng: Random) -> TestCase:
    statements: list[Statement] = []
    made = factory.call(statements, callee, rng, 1)
    if closure is not None:
        followed(factory, statements, made, closure, rng)
    return TestCase(tuple(statements))


def _aliases(module: str) -> list[Named]:
    """The types that the module has names for, and that are no classes: ``Rest = Optional[Mapping[str, Any]]``."""
    return [Named(module, name, value) for name, value in loaded_dict(module).items() if id(type(value)) in _ALIASES]


def _teach(
    factory: Factory,
    used: UsedAnywhere,
    callables: Iterable[Callee],
    errors: Sequence[str],
    aliases: Sequence[Named],
    inner: bool = False,
) -> None:
    for callee in callables:
        for parameter in callee.parameters:
            roles = used.roles(callee, parameter.name, inner)
            if roles is not None:
                for part in callables_for(parameter.name, roles, errors, factory.new, aliases):
                    factory.shaped.learn(callee, parameter.name, part)
                if DATACLASS in roles.kinds:
                    for field in FIELDS:
                        factory.pool.add(field)
