"""How a value would be made by one call: numbers, dates, zones, paths and patterns of the standard library, data classes.

Nothing here runs code of the subject: fields are read where the instance keeps them, and classes are asked for what ``dataclass``
has written into them.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import fractions
import operator
import pathlib
import re
import types
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, cast

from crashwright.engine.subject.introspection import (
    MODULES,
    class_dict,
    class_mro,
    identities,
    instance_dict,
    module_dict,
    static_attribute,
)

MAPPINGS = identities(collections.OrderedDict, collections.defaultdict, collections.Counter)
"""They compare as a ``dict`` does."""


class Parts(NamedTuple):
    """``callee(*positional, **keywords)`` is the value."""

    callee: object
    positional: tuple[object, ...] = ()
    keywords: tuple[tuple[str, object], ...] = ()


def parts_of(value: object) -> Parts | None:
    """How ``value`` is made; None where that is not known."""
    cls = type(value)
    maker = _MAKERS.get(id(cls))
    if maker is not None:
        return maker(value)
    return _zone_parts(value) if cls is _zone_class() else _data_class(value)


def is_standard(cls: type) -> bool:
    """Whether all of a value of the class is known, without a look at its attributes."""
    return id(cls) in _MAKERS or cls is _zone_class()


def is_plain_record(cls: type) -> bool:
    """Whether instances keep what they are given and do nothing else: a data class without code of its own for that."""
    return _fields(cls) is not None and static_attribute(cls, "__post_init__") is None


def has_written_repr(cls: type) -> bool:
    """Whether ``dataclass`` wrote the ``__repr__``, which says what the fields say."""
    found = static_attribute(cls, "__repr__")
    return _fields(cls) is not None and found is not None and _is_written(found[1])


def _data_class(value: object) -> Parts | None:
    cls = type(value)
    fields = _fields(cls)
    equal = static_attribute(cls, "__eq__")
    if fields is None or equal is None or equal[0] is object:
        return None
    keywords: list[tuple[str, object]] = []
    for name, field in fields.items():
        held = _held(value, name)
        if not field.init or held is _MISSING:
            if field.init or field.compare:
                return None
            continue
        if name.startswith("_"):
            return None
        if not _is_default(held, field):
            keywords.append((name, held))
    return Parts(cls, (), tuple(keywords))


def _fields(cls: type) -> Mapping[str, dataclasses.Field[object]] | None:
    """The fields of a data class whose ``__init__`` ``dataclass`` wrote."""
    fields = class_dict(cls).get("__dataclass_fields__")
    made = static_attribute(cls, "__init__")
    if type(fields) is not dict or made is None or not _is_written(made[1]):
        return None
    known = {name: field for name, field in fields.items() if type(field) is dataclasses.Field}
    kinds = {name: _KIND(field) for name, field in known.items()}
    if "_FIELD_INITVAR" in kinds.values():
        return None
    return {name: field for name, field in known.items() if kinds[name] == "_FIELD"}


def _is_written(function: object) -> bool:
    """Whether ``dataclass`` made the function: it has no file."""
    if type(function) is not types.FunctionType:
        return False
    inner = instance_dict(function).get("__wrapped__", function)
    return type(inner) is types.FunctionType and inner.__code__.co_filename == "<string>"


def _held(value: object, name: str) -> object:
    """What the instance keeps under the name, found without running anything."""
    kept = instance_dict(value)
    if name in kept:
        return kept[name]
    for cls in class_mro(type(value)):
        member = class_dict(cls).get(name)
        if type(member) is types.MemberDescriptorType:
            try:
                return cast(object, member.__get__(value))
            except AttributeError:
                return _MISSING
    return _MISSING


def _is_default(held: object, field: dataclasses.Field[object]) -> bool:
    default = field.default
    if default is dataclasses.MISSING:
        made = field.default_factory
        return (made is list or made is dict or made is set) and type(held) is made and not held
    return type(held) is type(default) and id(type(held)) in _SIMPLE and bool(held == default)


def _date_parts(value: datetime.date) -> Parts:
    return Parts(datetime.date, (value.year, value.month, value.day))


def _time_parts(value: datetime.time) -> Iterator[int]:
    parts = [value.hour, value.minute, value.second, value.microsecond]
    while len(parts) > 2 and not parts[-1]:
        parts.pop()
    yield from parts


def _datetime_parts(value: datetime.datetime) -> Parts | None:
    day = (value.year, value.month, value.day)
    time = tuple(_time_parts(value.timetz()))
    if value.fold:
        return None
    return Parts(datetime.datetime, day if time == (0, 0) else (*day, *time), _zone(value.tzinfo))


def _plain_time(value: datetime.time) -> Parts | None:
    return None if value.fold else Parts(datetime.time, tuple(_time_parts(value)), _zone(value.tzinfo))


def _zone(zone: datetime.tzinfo | None) -> tuple[tuple[str, object], ...]:
    return () if zone is None else (("tzinfo", zone),)


def _zone_class() -> object:
    """That of named zones, where the subject has loaded their module: we do not."""
    module = MODULES.get("zoneinfo")
    return _MISSING if module is None else module_dict(module).get("ZoneInfo", _MISSING)


def _zone_parts(value: object) -> Parts | None:
    key = cast(str | None, operator.attrgetter("key")(value))
    return None if key is None else Parts(type(value), (key,))


def _fixed_zone_parts(value: datetime.timezone) -> Parts:
    offset = value.utcoffset(None)
    named = value.tzname(None)
    usual = datetime.timezone(offset).tzname(None)
    return Parts(datetime.timezone, (offset,) if named == usual else (offset, named))


def _pattern_parts(value: re.Pattern[str] | re.Pattern[bytes]) -> Parts | None:
    plain = re.UNICODE if type(value.pattern) is str else 0
    return Parts(re.compile, (value.pattern,)) if value.flags == plain else None


def _delta_parts(value: datetime.timedelta) -> Parts:
    held = (("days", value.days), ("seconds", value.seconds), ("microseconds", value.microseconds))
    return Parts(datetime.timedelta, (), tuple((name, count) for name, count in held if count))


def _decimal_parts(value: decimal.Decimal) -> Parts | None:
    return None if value.is_nan() else Parts(decimal.Decimal, (str(value),))


_MISSING = object()
_KIND = operator.attrgetter("_field_type.name")
_SIMPLE = identities(type(None), bool, int, float, str, bytes)
_MAKERS: dict[int, Callable[..., Parts | None]] = {
    id(decimal.Decimal): _decimal_parts,
    id(fractions.Fraction): lambda value: Parts(fractions.Fraction, (value.numerator, value.denominator)),
    id(datetime.date): _date_parts,
    id(datetime.time): _plain_time,
    id(datetime.datetime): _datetime_parts,
    id(datetime.timedelta): _delta_parts,
    id(datetime.timezone): _fixed_zone_parts,
    id(re.Pattern): _pattern_parts,
    **{id(cls): lambda value: Parts(pathlib.Path, (str(value),)) for cls in (pathlib.PosixPath, pathlib.WindowsPath)},
    **{id(cls): lambda value: Parts(type(value), (str(value),)) for cls in (pathlib.PurePosixPath, pathlib.PureWindowsPath)},
    id(uuid.UUID): lambda value: Parts(uuid.UUID, (str(value),)),
}
