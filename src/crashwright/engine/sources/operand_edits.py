"""A test in which a value is what a decision of its run wanted (``instrument.operand_log``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import cast

from crashwright.engine.instrument.operand_log.changes import ChangeKind, WantedChange
from crashwright.engine.sources.carrying.arrivals import PathStep, Spot
from crashwright.engine.sources.carrying.placing import placed
from crashwright.engine.sources.carrying.supplies import Supply, taken
from crashwright.engine.subject.api.addresses import is_private
from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.statements import Display, Literal, Ref, Scalar, Statement, Value, same_value
from crashwright.engine.testcase.testcase import TestCase

SPOTS = 2
"""Places of one value that are tried."""
HELD: tuple[Value, ...] = ("a", 1, Display("list", ("a",)), Display("dict", (("a", 1),)))
"""What a key that is lacking may hold, at first."""


def with_wanted(test: TestCase, wanted: WantedChange, factory: Factory, rng: Random) -> Iterator[TestCase]:
    """In each way that there is, the nearest place of the value first. What is private is left to the code that it belongs to: a
    test that sets it does not say how that comes about."""
    if wanted.way is ChangeKind.ATTRIBUTE and is_private(cast(str, wanted.what)):
        return
    for spot in [spot for spot in cast("tuple[Spot, ...]", wanted.spots) if _is_open(spot)][:SPOTS]:
        yield from _at(test, spot, wanted, factory, rng)


def _is_open(spot: Spot) -> bool:
    return not any(step.kind == "attribute" and is_private(cast(str, step.key)) for step in spot.path)


def _at(test: TestCase, spot: Spot, wanted: WantedChange, factory: Factory, rng: Random) -> Iterator[TestCase]:
    way, what = wanted.way, wanted.what
    if way is ChangeKind.VALUE:
        yield from placed(test, spot, Supply((), cast(Scalar, what)), factory.new)
    elif way is ChangeKind.SAME:
        yield from placed(test, spot, _from(cast(Spot, what), factory), factory.new)
    elif way is ChangeKind.INSTANCE:
        statements: list[Statement] = []
        variable = factory.argument(statements, ClassHint(cast(type, what)), rng, legal=True)
        yield from placed(test, spot, Supply(tuple(statements), Ref(variable)), factory.new)
    elif way is ChangeKind.ATTRIBUTE:
        yield from placed(test, _within(spot, "attribute", what), Supply((), True), factory.new)
    elif way is ChangeKind.ITEM:
        yield from _with_item(test, spot, cast(Scalar, what), factory)
    else:
        yield from _with_length(test, spot, cast(int, what), factory)


def _from(spot: Spot, factory: Factory) -> Supply:
    statements: list[Statement] = []
    variable = spot.variable
    for step in spot.path:
        variable = taken(statements, variable, step, factory.new)
    return Supply(tuple(statements), Ref(variable))


def _within(spot: Spot, kind: str, key: object) -> Spot:
    return Spot(spot.variable, (*spot.path, PathStep(kind, key)))


def _with_item(test: TestCase, spot: Spot, item: Scalar, factory: Factory) -> Iterator[TestCase]:
    whole = _value_at(test, spot)
    if isinstance(whole, Display) and whole.kind not in ("dict", "bytearray"):
        more = whole._replace(items=(*whole.items, item))
        yield from placed(test, spot, Supply((), more), factory.new)
        yield from placed(test, spot, Supply((), whole._replace(items=(item,))), factory.new)
        return
    for held in HELD:
        yield from placed(test, _within(spot, "item", item), Supply((), held), factory.new)


def _with_length(test: TestCase, spot: Spot, length: int, factory: Factory) -> Iterator[TestCase]:
    whole = _value_at(test, spot)
    if type(whole) is str:
        made: Value = (whole * length or "a" * length)[:length]
    elif isinstance(whole, Display) and whole.kind in ("list", "tuple"):
        items = whole.items or (1,)
        made = whole._replace(items=tuple(items[place % len(items)] for place in range(length)))
    elif isinstance(whole, Display) and whole.kind != "bytearray":
        items = whole.items[:length]
        more = range(len(items), length)
        made = whole._replace(items=(*items, *((f"a{one}", one) if whole.kind == "dict" else one for one in more)))
    else:
        return
    yield from placed(test, spot, Supply((), made), factory.new)


def _value_at(test: TestCase, spot: Spot) -> Value:
    """What a literal of the test has there; a reference to nothing where it has none."""
    found = next((one for one in test.statements if isinstance(one, Literal) and one.variable == spot.variable), None)
    value: Value = Ref(-1) if found is None else found.value
    for step in spot.path:
        value = _part(value, step)
    return value


def _part(whole: Value, step: PathStep) -> Value:
    if isinstance(whole, Display) and step.kind == "item":
        if whole.kind == "dict":
            pairs = cast("tuple[tuple[Value, Value], ...]", whole.items)
            return next((held for key, held in pairs if same_value(key, cast(Value, step.key))), Ref(-1))
        if whole.kind in ("list", "tuple") and type(step.key) is int and 0 <= step.key < len(whole.items):
            return cast(Value, whole.items[step.key])
    return Ref(-1)
