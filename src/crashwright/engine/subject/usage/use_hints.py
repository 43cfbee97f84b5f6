"""From what is done with a value to the types that can take it: weights for builtins, a few types of the standard library, and
the classes of the subject."""

from __future__ import annotations

import collections.abc
import datetime
import decimal
import enum
import fractions
import io
import pathlib
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, cast

from crashwright.engine.subject.api.hints import HintScope, hint_of
from crashwright.engine.subject.api.types import ANY, NONE, ClassHint, Hint, TypeHint, UnionHint, is_any, union_of
from crashwright.engine.subject.introspection import class_dict, class_module, class_mro, derives, own_annotations
from crashwright.engine.subject.usage.roles import ROLES
from crashwright.engine.subject.usage.use import FILE, FOLDER, Use

Weighted = tuple[tuple[Hint, float], ...]

_CALLABLE = cast(type, collections.abc.Callable)
_SEQUENCE = "iterate length contains index slice item add multiply order unpack"
_NUMBER = "number add multiply modulo subtract order combine"
BUILTINS: tuple[tuple[type, float, str], ...] = (
    (str, 3.0, _SEQUENCE + " text modulo"),
    (list, 3.0, _SEQUENCE + " store"),
    (int, 3.0, _NUMBER),
    (float, 1.5, _NUMBER.replace(" combine", "")),
    (dict, 2.0, "iterate length contains key item store combine"),
    (tuple, 1.0, _SEQUENCE),
    (set, 0.7, "iterate length contains subtract combine order"),
    (bytes, 0.5, _SEQUENCE + " bytes modulo"),
    (_CALLABLE, 1.0, "call"),
    (collections.abc.Iterator, 0.5, "iterate next unpack"),
)
"""Class, weight, and what its values take part in."""
OTHERS: tuple[tuple[type, float, str], ...] = (
    (datetime.datetime, 1.0, "subtract add order"),
    (datetime.date, 0.7, "subtract add order"),
    (datetime.time, 0.4, "order"),
    (datetime.timedelta, 0.7, _NUMBER),
    (decimal.Decimal, 0.4, _NUMBER),
    (fractions.Fraction, 0.4, _NUMBER),
    (pathlib.Path, 1.0, "text order"),
    (io.StringIO, 0.8, "iterate with next"),
    (io.BytesIO, 0.8, "iterate with next"),
    (re.Pattern, 0.8, ""),
)
"""Taken where an attribute asks for them."""
METHODS: dict[str, tuple[str, ...]] = {
    "iterate": ("__iter__", "__getitem__"),
    "length": ("__len__",),
    "contains": ("__contains__", "__iter__"),
    **dict.fromkeys(("index", "slice", "key", "item"), ("__getitem__",)),
    "store": ("__setitem__",),
    "call": ("__call__",),
    "add": ("__add__", "__radd__"),
    "multiply": ("__mul__", "__rmul__"),
    "modulo": ("__mod__",),
    "subtract": ("__sub__", "__rsub__"),
    "combine": ("__and__", "__or__", "__xor__"),
    "order": ("__lt__", "__gt__", "__le__", "__ge__"),
    "number": ("__add__", "__mul__", "__sub__", "__neg__", "__truediv__"),
    "with": ("__enter__",),
    "await": ("__await__",),
    "next": ("__next__",),
    "unpack": ("__iter__",),
}
_OWN, _NEIGHBOUR = 4.0, 1.5
_TELLING_NO_TYPE = ROLES | {"optional", FILE, FOLDER}
_TESTED = 3.0
_NONE_SHARE = 0.12
_PARTLY = 0.5  # where nothing supports everything: how much of the use a type must support


class Owned(NamedTuple):
    """A class of the subject with the attributes that its instances have."""

    cls: type
    attributes: frozenset[str]


class UseReader:
    """Hints for uses in the functions of one module. ``classes`` are those of the subject."""

    __slots__ = ("_classes", "_module", "_scope")

    def __init__(self, module: str, scope: HintScope, classes: Iterable[Owned]) -> None:
        self._module = module
        self._scope = scope
        self._classes = tuple(classes)

    def hints(self, use: Use, depth: int = 0) -> Weighted:
        """The types that support the use, with weights; those that support most of it where none supports all. Empty where the use
        tells nothing."""
        wanted = [operation for operation in use.operations if operation not in _TELLING_NO_TYPE]
        found: dict[Hint, float] = {}
        for hint in (*self._tested(use), *self._equal(use)):
            found[hint] = found.get(hint, 0.0) + _TESTED
        if wanted or use.attributes:
            scored = list(self._scored(use, wanted))
            best = max((share for _, _, share in scored), default=0.0)
            for cls, weight, share in scored:
                if share == best and best >= _PARTLY:
                    hint = self._with_elements(cls, use, depth)
                    found[hint] = found.get(hint, 0.0) + weight
        if found and "optional" in use.operations:
            found[NONE] = found.get(NONE, 0.0) + _NONE_SHARE * sum(found.values())
        return tuple(found.items())

    def _tested(self, use: Use) -> Iterable[Hint]:
        """The classes that ``isinstance`` asks for."""
        for name in use.classes:
            hint = hint_of(name, self._scope)
            for part in hint.members if isinstance(hint, UnionHint) else (hint,):
                if not is_any(part) and not (isinstance(part, ClassHint) and part.cls is object):
                    yield TypeHint(object) if isinstance(part, ClassHint) and part.cls is type else part

    def _equal(self, use: Use) -> Iterable[Hint]:
        """The classes that it may be, and those of the members of enumerations."""
        for name in use.equals:
            hint = hint_of(name, self._scope)
            if isinstance(hint, ClassHint) and not hint.arguments and hint != NONE:
                yield TypeHint(hint.cls)
                continue
            owner = hint_of(name.rpartition(".")[0], self._scope) if "." in name else ANY
            if isinstance(owner, ClassHint) and derives(owner.cls, enum.Enum):
                yield owner

    def _scored(self, use: Use, wanted: list[str]) -> Iterable[tuple[type, float, float]]:
        """(class, weight, share of the use that it supports) of all classes that may do."""
        total = len(wanted) + len(use.attributes)
        for table in (BUILTINS, OTHERS):
            for cls, weight, operations in table:
                attributes = sum(_has(cls, name) for name in use.attributes)
                if table is OTHERS and not attributes:
                    continue
                known = operations.split()
                yield cls, weight, (sum(operation in known for operation in wanted) + attributes) / total
        for cls, own in self._classes:
            attributes = sum(name in own for name in use.attributes)
            methods = sum(any(name in own for name in METHODS.get(operation, ())) for operation in wanted)
            if attributes or methods:
                yield cls, _OWN if class_module(cls) == self._module else _NEIGHBOUR, (attributes + methods) / total

    def _with_elements(self, cls: type, use: Use, depth: int) -> Hint:
        if use.element is None or depth > 1 or cls not in (list, tuple, set, collections.abc.Iterator):
            return ClassHint(cls)
        element = use.element.merged()
        if element.width and not element.attributes:
            part: Hint = ClassHint(tuple, (ANY,) * element.width)
        else:
            part = union_of(hint for hint, _ in self._strongest(self.hints(element, depth + 1)))
        if is_any(part):
            return ClassHint(cls)
        return ClassHint(cls, (part,)) if cls is not tuple else ClassHint(list, (part,))

    def _strongest(self, weighted: Weighted) -> Weighted:
        most = max((weight for _, weight in weighted), default=0.0)
        return tuple((hint, weight) for hint, weight in weighted if weight >= most / 2)


def attributes_of(cls: type, on_self: Callable[[type], Iterable[str]]) -> frozenset[str]:
    """The names that instances of ``cls`` have: of classes, slots and annotations, and what methods set on ``self``."""
    names: dict[str, None] = {}
    for parent in class_mro(cls):
        if parent is object:
            continue
        own: Mapping[str, object] = class_dict(parent)
        names.update(dict.fromkeys(own))
        names.update(dict.fromkeys(own_annotations(parent)))
        names.update(dict.fromkeys(on_self(parent)))
    return frozenset(names)


def _has(cls: type, name: str) -> bool:
    return any(name in class_dict(parent) for parent in class_mro(cls))
