"""The same content in another type: text as bytes, a number as text, a list as a tuple. Most TypeErrors ask for no more."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import cast

from crashwright.engine.testcase.making.displays import hashable
from crashwright.engine.testcase.statements import Display, Value

_LONGEST = 64


def cast_value(rng: Random, value: Value) -> Value:
    """``value`` as one of the types that can carry its content; itself where there is none."""
    casters = _CASTERS.get(type(value), ())
    return casters[int(rng.random() * len(casters))](value) if casters else value


def _bytes(value: str) -> Value:
    return value.encode("utf-8", "replace")


def _characters(value: str) -> Value:
    return Display("list", tuple(value[:_LONGEST]))


def _lines(value: str) -> Value:
    return Display("list", tuple(value.splitlines()[:_LONGEST]))


def _number(value: str) -> Value:
    try:
        return int(value)
    except ValueError:
        return len(value)


def _in_list(value: Value) -> Value:
    return Display("list", (value,))


def _as(kind: str) -> Callable[[Display], Value]:
    def cast(value: Display) -> Value:
        if value.kind == "dict":
            items: tuple[object, ...] = tuple(Display("tuple", pair) for pair in value.items if type(pair) is tuple)
        elif value.kind == "bytearray":
            return value
        else:
            items = value.items
        if kind == "set":
            items = tuple(item for item in items if hashable(item))  # type: ignore[arg-type]
        if kind == "dict":
            items = tuple((item, None) for item in items if hashable(item))  # type: ignore[arg-type]
        return Display(kind, items)

    return cast


def _first(value: Display) -> Value:
    return value.items[0] if value.items and type(value.items[0]) is not tuple else value  # type: ignore[return-value]


_CASTERS: dict[type, tuple[Callable[..., Value], ...]] = {
    str: (_bytes, _bytes, _characters, _lines, _number, _in_list),
    bytes: (lambda value: value.decode("latin-1"), lambda value: Display("bytearray", (value,))),
    int: (str, lambda value: float(value) if abs(value) < 1 << 1000 else str(value), _in_list),
    float: (lambda value: int(value) if value == value and abs(value) < 1e300 else 0, repr, _in_list),
    bool: (int, str),
    Display: (_as("list"), _as("tuple"), _as("set"), _as("dict"), _first, _in_list),
}


def recast(value: Value, cls: type) -> Value:
    """The content of ``value`` as a ``cls``; None where that cannot carry it, or where ``value`` is one already."""
    items = _content(value)
    kind = _KINDS.get(id(cls))
    if items is None or (type(value) is Display and value.kind == kind):
        return None
    if kind is not None:
        return Display(kind, items) if kind in ("list", "tuple") or all(map(hashable, items)) else None
    if cls is str and type(value) is bytes:
        return value.decode("latin-1")
    return value.encode("utf-8", "replace") if cls is bytes and type(value) is str else None


def _content(value: Value) -> tuple[Value, ...] | None:
    if type(value) is str or type(value) is bytes:
        return tuple(value[:_LONGEST])
    if type(value) is Display and value.kind not in ("dict", "bytearray"):
        return cast(tuple[Value, ...], value.items)
    return None


_KINDS = {id(list): "list", id(tuple): "tuple", id(set): "set", id(frozenset): "frozenset"}
"""By identity: any class of the subject may be asked for."""
