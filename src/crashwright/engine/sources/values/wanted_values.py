"""Values for what the package wants of parameters (``engine.wants``): records with the keys, objects of the classes that have the
attributes, the literals that it compares with, and texts of the formats that it reads."""

from __future__ import annotations

import collections.abc
from collections.abc import Sequence
from random import Random
from typing import cast

from crashwright.engine.sources.values.used_types import suggest
from crashwright.engine.sources.values.wanted_types import WantedTypes
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.api.types import ANY, NONE, ClassHint, Hint, UnionHint, accepts, is_any
from crashwright.engine.subject.usage.shapes import MOMENT
from crashwright.engine.testcase.making.demanded import NAMESPACES, Demanded
from crashwright.engine.testcase.making.demands import Demand, DemandKind, How
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.making.matching_text import matching_text
from crashwright.engine.testcase.seeds import class_of_value
from crashwright.engine.testcase.statements import Literal, Scalar
from crashwright.engine.testcase.typed import type_of
from crashwright.engine.wants.want import Want

VARIANTS = 4
"""Values of one parameter, the first with all that is wanted."""
MOST_FURTHER = 24
"""Constructors of wanted classes whose own parameters are looked at."""
_LIKELY = 2
"""Types of a parameter that are followed to their constructors."""
_KINDS: dict[type, DemandKind] = {
    dict: DemandKind.MAPPING,
    cast(type, collections.abc.Mapping): DemandKind.MAPPING,
    cast(type, collections.abc.MutableMapping): DemandKind.MAPPING,
    list: DemandKind.LIST,
    cast(type, collections.abc.Sequence): DemandKind.LIST,
    cast(type, collections.abc.Iterable): DemandKind.LIST,
    tuple: DemandKind.TUPLE,
    str: DemandKind.TEXT,
    bytes: DemandKind.BYTES,
    int: DemandKind.NUMBER,
    float: DemandKind.REAL,
    cast(type, collections.abc.Callable): DemandKind.CALLABLE,
}
_COMPARED = {DemandKind.TEXT: str, DemandKind.BYTES: bytes, DemandKind.NUMBER: int}
_PARTS = {"prefix": How.STARTS, "suffix": How.ENDS, "split": How.HOLDS}
_PARSED = {"datetime.datetime.fromisoformat": MOMENT.isoformat(), "base64.b64decode": "MQ=="}


def teach_wants(factory: Factory, wanted: WantedTypes, callables: Sequence[Callee], rng: Random) -> None:
    """Let ``factory`` pass to ``callables`` what is wanted of their parameters, and to what makes the classes that they take."""
    further = _further(factory, wanted, callables)
    suggest(factory, wanted.hints, further)
    for callee in (*callables, *further):
        for parameter in callee.parameters:
            want = wanted.want(callee, parameter.name)
            for number in range(VARIANTS if want else 0):
                demand = demand_of(want, rng, parameter.name, is_full=number == 0)
                if not _tells(demand):
                    continue
                part = Demanded(factory, factory.names, wanted.classes_with, rng, is_full=number == 0).part(demand)
                last = part[-1]
                cls = class_of_value(last.value) if type(last) is Literal else type_of(last, factory.observed)
                if is_any(parameter.hint) or (cls is not None and accepts(parameter.hint, cls)):
                    factory.shaped.learn(callee, parameter.name, part)


def _further(factory: Factory, wanted: WantedTypes, callables: Sequence[Callee]) -> list[Callee]:
    """What makes the classes of the package that ``callables`` want, and those that these want in turn."""
    found = dict.fromkeys(callables)
    waiting = list(found)
    for callee in waiting:
        for parameter in callee.parameters:
            hints = [parameter.hint, *(hint for hint, _ in wanted.hints(callee, parameter.name)[:_LIKELY])]
            own = [hint for hint in hints if isinstance(hint, ClassHint) and factory.is_own(hint.cls)]
            for maker in [maker for hint in own for maker in factory.constructors_of(hint)]:
                if maker not in found and len(found) < len(callables) + MOST_FURTHER:
                    found[maker] = None
                    waiting.append(maker)
    return waiting[len(dict.fromkeys(callables)) :]


def demand_of(want: Want, rng: Random, name: str = "", depth: int = 0, is_full: bool = True) -> Demand:
    """A want as what builds values takes it: of its likeliest type, of any of its types unless ``is_full``."""
    hint = _hint(want, rng, is_full)
    kind = _kind(want, hint)
    demand = Demand(name, depth, kind)
    if isinstance(hint, ClassHint) and id(hint.cls) in NAMESPACES:
        demand.cls = hint.cls
    elif not is_any(hint) and not (isinstance(hint, ClassHint) and hint.cls in _KINDS):
        demand.hint = hint
        return demand
    demand.is_decided_on = want.optional and kind is not DemandKind.OPEN

    def inner(part: Want, name: str = "") -> Demand:
        return demand_of(part, rng, name, depth + 1, is_full)

    if kind is DemandKind.OBJECT:
        demand.attributes = {name: inner(part, name) for name, part in want.attributes}
    elif kind is DemandKind.MAPPING:
        for key, part in want.keys:
            demand.keys[type(key), key] = inner(part, key if type(key) is str else "")
            if part.optional:
                demand.optional[type(key), key] = None
    elif kind in (DemandKind.LIST, DemandKind.TUPLE):
        places = {key: part for key, part in want.keys if type(key) is int and key >= 0}
        most = max(places, default=0 if is_full or rng.random() < 0.5 else 1)
        for place in range(most + 1):
            demand.items.append(inner(places.get(place) or want.items or Want()))
    elif kind is DemandKind.CALLABLE and want.result:
        demand.result = inner(want.result, name)
        demand.result.caller = demand
    _compare(demand, want, rng)
    return demand


def _hint(want: Want, rng: Random, is_full: bool) -> Hint:
    """One of the types."""
    drawn = 0.0 if is_full else rng.random() * sum(weight for _, weight in want.types)
    for hint, weight in want.types:
        drawn -= weight
        if drawn < 0:
            members = [one for one in hint.members if one != NONE] if isinstance(hint, UnionHint) else [hint]
            return members[0 if is_full else int(rng.random() * len(members))] if members else ANY
    return ANY


def _kind(want: Want, hint: Hint) -> DemandKind:
    if isinstance(hint, ClassHint) and hint.cls in _KINDS:
        return _KINDS[hint.cls]
    if want.attributes:
        return DemandKind.OBJECT
    if want.keys or want.items is not None:
        return DemandKind.MAPPING if any(type(key) is str for key, _ in want.keys) else DemandKind.LIST
    if want.arities:
        return DemandKind.CALLABLE
    kinds = [kind for kind, cls in _COMPARED.items() if any(type(literal) is cls for literal in want.literals)]
    return next(iter(kinds), DemandKind.TEXT if want.texts else DemandKind.OPEN)


def _compare(demand: Demand, want: Want, rng: Random) -> None:
    """What it is compared with, and what a text has to look like."""
    cls = _COMPARED.get(demand.kind)
    literals = [cast(Scalar, literal) for literal in want.literals if type(literal) is cls]
    rng.shuffle(literals)
    for literal in literals:
        demand.want(How.EQUAL, literal)
    for kind, text in want.texts if cls is str else ():
        if kind in _PARTS:
            demand.want(_PARTS[kind], text)
        elif kind == "format":
            demand.want(How.EQUAL, MOMENT.strftime(text))
        elif kind == "regex" and (match := matching_text(text, rng)) is not None:
            demand.want(How.EQUAL, match)
        elif text in _PARSED:
            demand.want(How.EQUAL, _PARSED[text])


def _tells(demand: Demand) -> bool:
    """Whether it says more than a type, which is drawn anyway."""
    return any(node.wanted or node.keys or node.attributes for node in demand.nodes())
