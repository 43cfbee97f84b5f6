"""What happens between two steps of something that is under way: a generator or iterator is advanced by hand, and something else is
done to what it goes through before it is advanced again; so is what a block was entered for, within the block or after it.

Chance hardly comes by them: it takes an item, a call on the same object and another item, in that order, where each alone is no
news.

# Deviation: the papers' tests drive what they iterate to its end at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from crashwright.engine.subject.api.callee import Callee, CalleeKind, ParameterKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.binding import passed_before
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Arguments, Statement, Variable
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.testcase.variables import defined, used

_POSITIONAL = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)
_TAKEN = (1, 2)
"""Items that are taken before something else is done."""


def is_under_way(test: TestCase) -> bool:
    """Whether the test goes through something, or enters a block."""
    return any(isinstance(one, st.Enter) or _is_driven(one) for one in test.statements)


def interleaved_tests(test: TestCase, factory: Factory, rng: Random) -> Iterator[TestCase]:
    """``test`` with one call between two steps of each thing that is under way, on what that was got from: with the values that
    came up before, and with others."""
    statements = test.statements
    for index, one in enumerate(statements):
        if isinstance(one, st.Iterate) and _is_driven(one):
            for call in _calls(statements, index, one.iterable, factory, rng):
                for taken in _TAKEN:
                    steps = [st.Iterate(factory.new(), one.iterable, "next") for _ in range(taken)]
                    yield TestCase((*statements[:index], *steps, *call, *statements[index:]))
        elif isinstance(one, st.Enter):
            before, after = statements[: index + 1], statements[index + 1 :]
            for call in _calls(statements, index, one.manager, factory, rng):
                yield TestCase((*before, *call, *after))
            left = st.Within(factory.new(), one.manager, is_async=one.is_async)
            yield TestCase((*before[:-1], left, *before[-1:], *after))
            yield TestCase((*before, one._replace(variable=factory.new()), *after))


def _is_driven(one: Statement) -> bool:
    return isinstance(one, st.Iterate) and one.mode != "next"


def _calls(
    statements: Sequence[Statement], index: int, made: Variable, factory: Factory, rng: Random
) -> Iterator[tuple[Statement, ...]]:
    """Calls of methods of the objects that ``made`` was got from, each with what it needs."""
    for owner, cls in _owners(statements[:index], made, factory):
        for method in factory.methods_of(cls):
            if method.kind is not CalleeKind.METHOD or method.private or method.name.startswith("__"):
                continue
            for same in (True, False) if method.parameters else (True,):
                appended = list(statements[:index])
                arguments = needed_arguments(appended, method, passed_before(appended) if same else {}, factory, rng)
                appended.append(st.MethodCall(factory.new(), owner, method.name, arguments, method))
                factory.drive(appended, method, appended[-1][0], rng, 1)
                yield tuple(appended[index:])


def _owners(statements: Sequence[Statement], made: Variable, factory: Factory) -> Iterator[tuple[Variable, type]]:
    """The objects of the subject's classes that it was got from, however far back."""
    by_variable = {variable: one for one in statements if (variable := defined(one)) is not None}
    waiting, seen = [made], {made}
    while waiting:
        variable = waiting.pop(0)
        one = by_variable.get(variable)
        if one is None:
            continue
        cls = None if isinstance(one, st.Literal) else type_of(one, factory.observed)
        if variable != made and cls is not None and factory.is_own(cls):
            yield variable, cls
        further = [each for each in used(one) if each not in seen]
        seen.update(further)
        waiting += further


def needed_arguments(
    statements: list[Statement], method: Callee, passed: Mapping[str, Variable], factory: Factory, rng: Random
) -> Arguments:
    """What a method cannot do without: what was ``passed`` under the same names, else new values, which are appended."""
    positional: list[Variable] = []
    keywords: list[tuple[str, Variable]] = []
    for parameter in method.parameters:
        if not parameter.required or parameter.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD):
            continue
        given = passed.get(parameter.name)
        if given is None:
            given = factory.parameter(statements, method, parameter, rng, 1)
        if parameter.kind in _POSITIONAL:
            positional.append(given)
        else:
            keywords.append((parameter.name, given))
    return Arguments(tuple(positional), tuple(keywords))
