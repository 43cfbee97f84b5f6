"""The models of a Django project that is set up: how a test stores one of each, read by asking the framework."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from crashwright.core.preparation import Preparation
from crashwright.engine.subject.introspection import class_module, class_name

MOST = 40
_VALUES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("CharField", "TextField", "SlugField", "FileField", "FilePathField", "ImageField"), "'x'"),
        **dict.fromkeys(("IntegerField", "SmallIntegerField", "BigIntegerField"), "1"),
        **dict.fromkeys(("PositiveIntegerField", "PositiveSmallIntegerField", "PositiveBigIntegerField"), "1"),
        "EmailField": "'ann@example.com'",
        "URLField": "'https://example.com'",
        "BooleanField": "False",
        "FloatField": "1.0",
        "DecimalField": "decimal.Decimal('1.00')",
        "DateField": "datetime.date(2026, 1, 1)",
        "DateTimeField": "datetime.datetime(2026, 1, 1, 12, 0)",
        "TimeField": "datetime.time(12, 0)",
        "DurationField": "datetime.timedelta(days=1)",
        "JSONField": "{}",
        "BinaryField": "b'x'",
        "UUIDField": "uuid.UUID(int=1)",
        "GenericIPAddressField": "'127.0.0.1'",
    }
)
"""A plain value of each type of field, as source."""


class Model(NamedTuple):
    """``needed`` and ``optional`` are fields with the source of a value, or with the name of the model that they refer to."""

    live: type
    needed: tuple[tuple[str, str], ...]
    optional: tuple[tuple[str, str], ...]
    refers: frozenset[str]

    @property
    def name(self) -> str:
        """Of its class."""
        return class_name(self.live)


def models_of(preparation: Preparation, packages: frozenset[str]) -> tuple[Model, ...]:
    """Those of the top-level ``packages``: what others refer to comes first."""
    if not preparation.database:
        return ()
    apps: Any = importlib.import_module("django.apps").apps
    own = [one for one in apps.get_models() if class_module(one).partition(".")[0] in packages]
    waiting = [_model(one) for one in own[:MOST]]
    found: list[Model] = []
    while waiting:
        known = {one.name for one in found}
        ready = [one for one in waiting if one.refers <= known | {one.name}] or waiting[:1]  # a circle begins anywhere
        found += ready
        waiting = [one for one in waiting if one not in ready]
    return tuple(found)


def _model(cls: Any) -> Model:
    needed: list[tuple[str, str]] = []
    optional: list[tuple[str, str]] = []
    refers: set[str] = set()
    for field, value, reference in _fields(cls):
        if field.has_default() or field.null or field.blank:
            optional.append((field.name, value))
        else:
            needed.append((field.name, value))
            refers |= {value} if reference else set()
    return Model(cls, tuple(needed), tuple(optional), frozenset(refers))


def _fields(cls: Any) -> Iterator[tuple[Any, str, bool]]:
    """Those that take a value when an object is made, with one."""
    for field in cls._meta.concrete_fields:
        if field.auto_created or (field.primary_key and field.has_default()):
            continue
        if field.remote_field is not None:
            yield field, class_name(field.remote_field.model), True
        elif field.choices:
            yield field, repr(next(iter(field.flatchoices))[0]), False
        elif field.get_internal_type() in _VALUES and not field.get_internal_type().startswith("Auto"):
            yield field, _VALUES[field.get_internal_type()], False
