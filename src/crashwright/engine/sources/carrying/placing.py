"""A value put into a test where something else is: in the place of a variable, within a literal, as an argument of a constructor,
by setting an attribute or an item."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, cast

from crashwright.engine.sources.carrying.arrivals import PathStep, Spot
from crashwright.engine.sources.carrying.supplies import Supply
from crashwright.engine.subject.api.callee import CalleeKind, ParameterKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Display, Literal, Ref, Scalar, Statement, Value, Variable, same_value
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.variables import defined, map_used

_BY_POSITION = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)


_NOWHERE: Value = Ref(-1)
"""None is a value."""


class _DefinedAt(NamedTuple):
    place: int
    statement: Statement


def placed(test: TestCase, spot: Spot, supply: Supply, fresh: Callable[[], Variable]) -> Iterator[TestCase]:
    """``test`` with the value at ``spot``, in each way that there is."""
    found = _defining(test, spot.variable)
    if found is not None:
        ways = _inside(test, spot, found, supply, fresh) if spot.path else _instead(test, found, supply, fresh)
        yield from (one for one in ways if one.is_valid())


def _defining(test: TestCase, variable: Variable) -> _DefinedAt | None:
    places = range(len(test.statements) - 2, -1, -1)
    return next(
        (_DefinedAt(place, test.statements[place]) for place in places if defined(test.statements[place]) == variable), None
    )


def _instead(test: TestCase, at: _DefinedAt, supply: Supply, fresh: Callable[[], Variable]) -> Iterator[TestCase]:
    own = supply.copied(fresh)
    variable = cast(Variable, defined(at.statement))
    before, behind = test.statements[: at.place], test.statements[at.place + 1 :]
    if type(own.value) is not Ref:
        yield TestCase((*before, *own.statements, Literal(variable, own.value), *behind))
        return
    new = own.value.variable
    renamed = tuple(map_used(one, lambda one: new if one == variable else one) for one in behind)
    without = TestCase((*before, *own.statements, *renamed))
    yield without if without.is_valid() else TestCase((*before, at.statement, *own.statements, *renamed))


def _inside(test: TestCase, spot: Spot, at: _DefinedAt, supply: Supply, fresh: Callable[[], Variable]) -> Iterator[TestCase]:
    before, behind = test.statements[: at.place], test.statements[at.place + 1 :]
    own = supply.copied(fresh)
    if isinstance(at.statement, Literal):
        whole = _with(at.statement.value, spot.path, own.value)
        if whole is not _NOWHERE:
            yield TestCase((*before, *own.statements, Literal(at.statement.variable, whole), *behind))
            return
    if isinstance(at.statement, st.Call) and len(spot.path) == 1 and spot.path[0].kind == "attribute":
        value, extra = _as_variable(own, fresh)
        for call in _constructing(at.statement, cast(str, spot.path[0].key), value):
            yield TestCase((*before, *own.statements, *extra, call, *behind))
    if any(step.fixed for step in spot.path[-1:]):
        return
    own = supply.copied(fresh)
    value, extra = _as_variable(own, fresh)
    yield TestCase((*test.statements[:-1], *own.statements, *extra, *_setting(spot, value, fresh), test.statements[-1]))


def _as_variable(supply: Supply, fresh: Callable[[], Variable]) -> tuple[Variable, tuple[Statement, ...]]:
    if type(supply.value) is Ref:
        return supply.value.variable, ()
    literal = Literal(fresh(), supply.value)
    return literal.variable, (literal,)


def _constructing(call: st.Call, name: str, value: Variable) -> Iterator[st.Call]:
    """With an argument of that name, which constructors mostly store under it."""
    if call.callee.kind is not CalleeKind.CLASS:
        return
    arguments = call.arguments
    taking = [one for one in call.callee.parameters if one.kind in _BY_POSITION]
    for index, parameter in enumerate(taking):
        if parameter.name != name:
            continue
        if index < len(arguments.positional):
            positional = (*arguments.positional[:index], value, *arguments.positional[index + 1 :])
            yield call._replace(arguments=arguments._replace(positional=positional))
            return
    if any(one.name == name and one.kind is not ParameterKind.POSITIONAL_ONLY for one in call.callee.parameters):
        others = tuple(pair for pair in arguments.keywords if pair[0] != name)
        yield call._replace(arguments=arguments._replace(keywords=(*others, (name, value))))


def _setting(spot: Spot, value: Variable, fresh: Callable[[], Variable]) -> list[Statement]:
    statements: list[Statement] = []
    held = spot.variable
    *steps, last = spot.path
    for step in steps:
        if step.kind == "attribute":
            statements.append(st.GetAttribute(fresh(), held, cast(str, step.key)))
        else:
            key = Literal(fresh(), cast(Scalar, step.key))
            statements += [key, st.GetItem(fresh(), held, key.variable)]
        held = cast(Variable, defined(statements[-1]))
    if last.kind == "attribute":
        return [*statements, st.SetAttribute(held, cast(str, last.key), value)]
    key = Literal(fresh(), cast(Scalar, last.key))
    return [*statements, key, st.SetItem(held, key.variable, value)]


def _with(whole: Value, path: Sequence[PathStep], new: Value) -> Value:
    """``whole`` with ``new`` at ``path``; a key that a dict lacks is added. ``_NOWHERE`` if the path leads elsewhere."""
    if not path:
        return new
    step, *rest = path
    if not isinstance(whole, Display) or step.kind != "item":
        return _NOWHERE
    if whole.kind == "dict":
        pairs = cast("tuple[tuple[Value, Value], ...]", whole.items)
        for place, (key, held) in enumerate(pairs):
            if same_value(key, cast(Value, step.key)):
                inner = _with(held, rest, new)
                return _NOWHERE if inner is _NOWHERE else whole._replace(items=(*pairs[:place], (key, inner), *pairs[place + 1 :]))
        return _NOWHERE if rest else whole._replace(items=(*pairs, (cast(Value, step.key), new)))
    if whole.kind not in ("list", "tuple") or type(step.key) is not int or not 0 <= step.key < len(whole.items):
        return _NOWHERE
    inner = _with(cast(Value, whole.items[step.key]), rest, new)
    return _NOWHERE if inner is _NOWHERE else whole._replace(items=(*whole.items[: step.key], inner, *whole.items[step.key + 1 :]))
