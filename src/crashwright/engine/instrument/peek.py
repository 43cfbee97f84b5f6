"""Looking at attributes and items without asking the subject: no property, ``__getattr__`` or ``__eq__`` of it runs."""

from __future__ import annotations

from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from crashwright.engine.instrument.infection_measures import is_plain

_MRO = type.__dict__["__mro__"]
_DICT = type.__dict__["__dict__"]
_LARGEST = 64


def attribute_of(owner: object, name: str, default: object) -> object:
    """The attribute in the instance's own dictionary or slot, or in a class if it is a plain value there; else ``default``."""
    found: object = default
    instance: GetSetDescriptorType | None = None
    for base in _MRO.__get__(type(owner)):
        names = _DICT.__get__(base)
        if base is not object and "__getattribute__" in names:
            return default
        if found is default and name in names:
            found = names[name]
        if instance is None and type(names.get("__dict__")) is GetSetDescriptorType:
            instance = names["__dict__"]
    if type(found) is MemberDescriptorType:
        try:
            return found.__get__(owner)
        except AttributeError:  # an empty slot
            return default
    if found is not default and not is_plain(found):
        return default  # perhaps a descriptor
    if instance is not None:
        own = instance.__get__(owner)
        if type(own) is dict and name in own:
            return own[name]
    return found


def item_of(container: Any, key: Any, default: Any) -> object:
    """The item of a list, tuple or small dict with plain keys; else ``default``."""
    kind = type(container)
    if kind is list and type(key) is int:
        return container[key] if -len(container) <= key < len(container) else default
    if kind is not dict or len(container) > _LARGEST or not is_plain(key) or type(key) in (list, set, dict):
        return default
    return container.get(key, default) if all(map(is_plain, list(container))) else default
