"""Frozen dataclasses and named tuples to JSON values and back: the one schema of messages between the wings."""

from __future__ import annotations

import dataclasses
import types
import typing
from functools import lru_cache
from typing import Any, TypeVar

SCHEMA_VERSION = 1
T = TypeVar("T")


def to_json(value: object) -> Any:
    """``value`` (dataclasses, named tuples, tuples, dicts, scalars) as lists, dicts and scalars."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): to_json(item) for key, item in value.items()}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"no JSON form for {type(value).__name__}")


def from_json(kind: type[T], data: Any) -> T:
    """The inverse of :func:`to_json` for a value of type ``kind``. Raises TypeError, KeyError or ValueError on other data."""
    return typing.cast(T, _decode(kind, data))


@lru_cache(maxsize=256)
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _decode(kind: Any, data: Any) -> Any:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        if data is None:
            return None
        return _decode(next(arm for arm in typing.get_args(kind) if arm is not type(None)), data)
    if origin is tuple:
        arms = typing.get_args(kind)
        if len(arms) == 2 and arms[1] is Ellipsis:
            return tuple(_decode(arms[0], item) for item in data)
        return tuple(_decode(arm, item) for arm, item in zip(arms, data, strict=True))
    if origin is dict:
        return {key: _decode(typing.get_args(kind)[1], item) for key, item in data.items()}
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = _hints(kind)
        return kind(*(_decode(hints[name], item) for name, item in zip(kind._fields, data, strict=True)))
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        hints = _hints(kind)
        return kind(**{f.name: _decode(hints[f.name], data[f.name]) for f in dataclasses.fields(kind) if f.name in data})
    return data
