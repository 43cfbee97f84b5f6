"""Frozen dataclasses and named tuples to JSON values and back: the one schema of messages between the wings.

What is decoded is checked: data of another type, a field that is missing and a word that is none of an enum's raise
:class:`Undecodable`, which says where. Fields that the schema does not know are passed over.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import Any, Generic, NoReturn, TypeVar

T = TypeVar("T")


_SCALARS = frozenset({str, int, bool, float, type(None)})


class Undecodable(ValueError):
    """The data is no value of the type that was asked for."""


def to_json(value: object) -> Any:
    """``value`` (dataclasses, named tuples, tuples, dicts, enums, scalars) as lists, dicts and scalars."""
    kind = type(value)
    if kind in _SCALARS:  # most values by far: whether it is a dataclass takes longer to ask
        return value
    if kind is dict:
        return {str(key): to_json(item) for key, item in typing.cast(dict[object, object], value).items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"no JSON form for {type(value).__name__}")


def from_json(kind: type[T], data: Any) -> T:
    """The inverse of :func:`to_json` for a value of type ``kind``. Raises Undecodable on other data."""
    return typing.cast(T, _decode(kind, data, kind.__name__))


class TaggedUnion(Generic[T]):
    """Several classes whose values go the same way: each carries the name of its class under ``tag``."""

    def __init__(self, tag: str, kinds: Iterable[type[T]]) -> None:
        self._tag = tag
        self._kinds = {kind.__name__: kind for kind in kinds}

    @property
    def kinds(self) -> tuple[type[T], ...]:
        """The classes."""
        return tuple(self._kinds.values())

    def to_json(self, value: T) -> dict[str, Any]:
        """``value`` with its tag."""
        return {self._tag: type(value).__name__, **to_json(value)}

    def from_json(self, data: Any) -> T:
        """The inverse of :meth:`to_json`. Raises Undecodable on other data, and on a tag that is none of these classes'."""
        name = data.get(self._tag) if isinstance(data, dict) else None
        kind = self._kinds.get(name) if isinstance(name, str) else None
        if kind is None:
            raise Undecodable(f"no {self._tag}: {_shown(data)}")
        return from_json(kind, data)


@lru_cache(maxsize=256)
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _decode(kind: Any, data: Any, where: str) -> Any:
    if kind in (Any, object):
        return data
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        (arm,) = (arm for arm in typing.get_args(kind) if arm is not type(None))
        return None if data is None else _decode(arm, data, where)
    if origin is tuple:
        return _decode_tuple(typing.get_args(kind), data, where)
    if origin is dict:
        item_kind = typing.get_args(kind)[1]
        return {key: _decode(item_kind, item, where) for key, item in _of(dict, data, where).items()}
    if origin is typing.Literal:
        return data if data in typing.get_args(kind) else _refuse(f"one of {typing.get_args(kind)}", data, where)
    if issubclass(kind, tuple):
        hints = _hints(kind)
        return kind(*_decode_tuple([hints[name] for name in kind._fields], data, where))
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return kind(**_decode_fields(kind, _of(dict, data, where), where))
    return _decode_scalar(kind, data, where)


def _decode_tuple(kinds: typing.Sequence[Any], data: Any, where: str) -> tuple[Any, ...]:
    items = _of(list, data, where)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple([_decode(kinds[0], item, where) for item in items])
    if len(items) != len(kinds):
        _refuse(f"{len(kinds)} values", data, where)
    return tuple([_decode(kind, item, where) for kind, item in zip(kinds, items, strict=True)])


def _decode_fields(kind: Any, data: dict[str, Any], where: str) -> dict[str, Any]:
    hints, decoded = _hints(kind), {}
    for field in dataclasses.fields(kind):
        if field.name in data:
            decoded[field.name] = _decode(hints[field.name], data[field.name], f"{where}.{field.name}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise Undecodable(f"{where}.{field.name} is missing")
    return decoded


def _decode_scalar(kind: type, data: Any, where: str) -> Any:
    if kind is float and type(data) is int:
        return data
    if not issubclass(kind, Enum):
        return _of(kind, data, where)
    try:
        return kind(data)
    except ValueError:
        _refuse(kind.__name__, data, where)


def _of(kind: type[T], data: Any, where: str) -> T:
    """Exactly: a truth value is no number here."""
    if type(data) is not kind:
        _refuse(kind.__name__, data, where)
    return data


def _refuse(wanted: str, data: Any, where: str) -> NoReturn:
    raise Undecodable(f"{where}: {wanted} expected, not {_shown(data)}")


def _shown(data: Any) -> str:
    return f"{data!r:.80}"
