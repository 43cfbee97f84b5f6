"""Real values that answer what was asked of one (``making.demands``): dicts with the keys, texts that were compared, instances of a
class that has the attributes, or a plain namespace with them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence
from random import Random
from types import SimpleNamespace
from typing import cast

from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.introspection import identities
from crashwright.engine.testcase.definitions.source import parsed, source_of
from crashwright.engine.testcase.making.demands import Demand, DemandKind, How
from crashwright.engine.testcase.making.guessing import NameModel
from crashwright.engine.testcase.making.recipes import call_on
from crashwright.engine.testcase.making.vocabulary import StatementBuilder
from crashwright.engine.testcase.statements import (
    Arguments,
    Call,
    Definition,
    Display,
    Ref,
    Scalar,
    Statement,
    StubCallable,
    Value,
    Variable,
)
from crashwright.engine.testcase.structure.documents import text_of

Classes = Callable[[Collection[str]], Sequence[type]]
"""The classes whose instances have all these names, the nearest first."""
FILLING = "1"
"""A text, and a number for those that read one."""
_PLAIN = "types", "SimpleNamespace"
NAMESPACES = {id(SimpleNamespace): _PLAIN, id(argparse.Namespace): ("argparse", "Namespace")}
"""Classes whose instances have the attributes that they are made with, by identity."""
_IN_JSON = identities(str, int, float, bool, type(None))
_TESTED = (DemandKind.TEXT, DemandKind.MAPPING, DemandKind.LIST, DemandKind.NUMBER)
_OWN_CLASS, _RAISES, _MISSING = 0.7, 0.2, 0.2
_DROPPED, _OTHER, _EMPTY, _NOTHING, _NO_ITEM = 0.4, 0.3, 0.15, 0.2, 0.08
_SCALAR_HINTS: dict[type, Value] = {int: 1, float: 1.5, bool: True, bytes: b"1"}


class Demanded:
    """Builds values for one demand at a time. ``is_full``: all keys are there, and texts are what was asked for last; else some
    keys that may lack do, and values differ."""

    def __init__(
        self, builder: StatementBuilder, names: NameModel, classes: Classes, rng: Random, is_full: bool, errors: Sequence[str] = ()
    ) -> None:
        """``errors``: exceptions that functions raise now and then."""
        self._errors = errors
        self._builder = builder
        self._names = names
        self._classes = classes
        self._rng = rng
        self._varies = not is_full

    def part(self, demand: Demand) -> tuple[Statement, ...]:
        """The statements that make the value, the last of them defines it."""
        statements: list[Statement] = []
        value = self._value(statements, demand)
        if type(value) is not Ref or not statements or statements[-1][0] != value.variable:
            self._builder.literal(statements, value)
        return tuple(statements)

    def _value(self, statements: list[Statement], demand: Demand) -> Value:
        kind = demand.kind
        if demand.hint is not None:
            return Ref(self._builder.argument(statements, demand.hint, self._rng, 1, legal=True))
        if demand.is_decided_on and demand.name and self._chance(_MISSING):
            return None
        if kind is DemandKind.OPEN and demand.is_tested:
            kind = _TESTED[int(self._rng.random() * len(_TESTED))]
        if kind is DemandKind.OPEN:
            return self._leaf(demand)
        return _BUILDERS[kind](self, statements, demand)

    def _chance(self, share: float) -> bool:
        return self._varies and self._rng.random() < share

    def _leaf(self, demand: Demand) -> Value:
        """Of a value of which nothing was asked: by its name."""
        if demand.is_decided_on and demand.name:
            return not self._chance(0.5)
        said = self._names.said(demand.name) if demand.name else None
        if isinstance(said, ClassHint) and said.cls in _SCALAR_HINTS:
            return _SCALAR_HINTS[said.cls]
        return None if self._chance(_OTHER) else FILLING

    def _mapping(self, statements: list[Statement], demand: Demand) -> Value:
        items: list[object] = []
        for place, below in demand.keys.items():
            if self._chance(_DROPPED if place in demand.optional else _DROPPED / 8):
                continue
            nothing = place in demand.optional and self._chance(_NOTHING)  # there, and None: who asks whether forgets that
            items.append((place[1], None if nothing else self._value(statements, below)))
        return Display("dict", tuple(items))

    def _items(self, kind: str, statements: list[Statement], demand: Demand) -> Value:
        items = demand.items or [Demand("", demand.depth + 1)]
        if not demand.width and self._chance(_EMPTY):
            return Display(kind, ())
        return Display(kind, tuple(None if self._chance(_NO_ITEM) else self._value(statements, item) for item in items))

    def _list(self, statements: list[Statement], demand: Demand) -> Value:
        return self._items("list", statements, demand)

    def _tuple(self, statements: list[Statement], demand: Demand) -> Value:
        return self._items("tuple", statements, demand)

    def _text(self, _statements: list[Statement], demand: Demand) -> Value:
        return composed(demand, str, self._drawn(demand)) if demand.document is None else self._document(demand.document)

    def _bytes(self, _statements: list[Statement], demand: Demand) -> Value:
        return composed(demand, bytes, self._drawn(demand)) if demand.document is None else self._document(demand.document).encode()

    def document(self, demand: Demand) -> Value:
        """What a document holds that has what was asked of it. What no document can hold is None."""
        return _in_document(self._value([], demand))

    def _document(self, demand: Demand) -> str:
        return cast(str, text_of(self.document(demand)))

    def _drawn(self, demand: Demand) -> int:
        """Which of the wanted values: the last, or one of them, or none (-1)."""
        if not self._varies:
            return len(demand.wanted) - 1
        return int(self._rng.random() * (len(demand.wanted) + 1)) - 1

    def _number(self, _statements: list[Statement], demand: Demand) -> Value:
        return number_of(demand) + (int(self._rng.random() * 3) - 1 if self._chance(_OTHER) else 0)

    def _real(self, _statements: list[Statement], demand: Demand) -> Value:
        return float(number_of(demand))

    def _nothing(self, _statements: list[Statement], _demand: Demand) -> Value:
        return None

    def _manager(self, statements: list[Statement], demand: Demand) -> Value:
        inner = self._variable(statements, demand.returned())
        return Ref(call_on(self._builder, statements, "contextlib", "nullcontext", inner))

    def _callable(self, statements: list[Statement], demand: Demand) -> Value:
        raises = self._errors[int(self._rng.random() * len(self._errors))] if self._errors and self._chance(_RAISES) else None
        result = None if raises else self._value(statements, demand.returned())
        variable = self._builder.new()
        statements.append(StubCallable(variable, "*args, **kwargs", result, raises))
        return Ref(variable)

    def _async(self, statements: list[Statement], demand: Demand) -> Value:
        """What was asked of no result need not be there."""
        asked = [place for place, one in enumerate(demand.items) if one.size() > 1]
        results = [self._value(statements, one) for one in demand.items[: max(asked, default=-1) + 1]]
        names: tuple[tuple[str, Ref], ...] = ()
        if results:
            del results[len(results) - self._chance(_EMPTY) :]
            names = (("results", Ref(self._builder.literal(statements, Display("list", tuple(results))))),)
        text = f"async def function(*args, **kwargs):\n    return {'results.pop(0)' if names else None}\n"
        variable = self._builder.new()
        statements.append(Definition(variable, source_of(parsed(text)), names))
        return Ref(variable)

    def _object(self, statements: list[Statement], demand: Demand) -> Value:
        classes = () if demand.cls is not None else self._classes(tuple(demand.attributes))
        if classes and self._rng.random() < _OWN_CLASS:
            cls = classes[int(self._rng.random() * self._rng.random() * len(classes))]
            return Ref(self._builder.argument(statements, ClassHint(cls), self._rng, 1, legal=True))
        keywords = tuple((name, self._variable(statements, below)) for name, below in demand.attributes.items())
        variable = self._builder.new()
        module, name = NAMESPACES.get(id(demand.cls), _PLAIN)
        maker = self._builder.api.standard(module, name)
        statements.append(Call(variable, maker, Arguments((), keywords)))
        return Ref(variable)

    def _variable(self, statements: list[Statement], demand: Demand) -> Variable:
        value = self._value(statements, demand)
        return value.variable if type(value) is Ref else self._builder.literal(statements, value)


def _in_document(value: Value) -> Value:
    if isinstance(value, Display) and value.kind == "dict":
        pairs = cast("tuple[tuple[Value, Value], ...]", value.items)
        return Display("dict", tuple((str(key), _in_document(held)) for key, held in pairs))
    if isinstance(value, Display):
        return Display("list", tuple(map(_in_document, cast("tuple[Value, ...]", value.items))))
    return value if id(type(value)) in _IN_JSON else None


def composed(demand: Demand, cls: type, chosen: int) -> Value:
    """A text, or bytes, that begins, ends and holds as was asked, or is the ``chosen`` one of the wanted values where that was
    compared as a whole."""
    wanted = list(demand.wanted)
    if 0 <= chosen < len(wanted) and wanted[chosen][0] is How.EQUAL and wanted[chosen][1] is cls:
        return wanted[chosen][2]
    parts = {how: [value for one, kind, value in wanted if one is how and kind is cls] for how in How}
    filling: Scalar = FILLING if cls is str else FILLING.encode()
    inner = [part for one in parts[How.HOLDS] for part in (filling, one)]
    pieces = [*parts[How.STARTS][-1:], *inner, filling, *parts[How.ENDS][-1:]] if chosen >= 0 else [filling]
    return "".join(pieces) if cls is str else b"".join(pieces)  # type: ignore[arg-type]


def number_of(demand: Demand) -> int:
    """The number that it was last compared with."""
    return next((value for _, _, value in reversed(demand.wanted) if type(value) is int), 1)


_BUILDERS: dict[DemandKind, Callable[[Demanded, list[Statement], Demand], Value]] = {
    DemandKind.OBJECT: lambda maker, statements, demand: maker._object(statements, demand),
    DemandKind.CALLABLE: lambda maker, statements, demand: maker._callable(statements, demand),
    DemandKind.ASYNC: Demanded._async,
    DemandKind.MANAGER: Demanded._manager,
    DemandKind.MAPPING: Demanded._mapping,
    DemandKind.LIST: Demanded._list,
    DemandKind.TUPLE: Demanded._tuple,
    DemandKind.TEXT: lambda maker, statements, demand: maker._text(statements, demand),
    DemandKind.BYTES: Demanded._bytes,
    DemandKind.NUMBER: lambda maker, statements, demand: maker._number(statements, demand),
    DemandKind.REAL: Demanded._real,
    DemandKind.NOTHING: Demanded._nothing,
}
