"""Which classes are there to be derived from, and what a subclass of one is to hold: members that are missing, settings, fields."""

from __future__ import annotations

import abc
import dis
import enum
import inspect
import sys
import types
from collections.abc import Iterator
from typing import NamedTuple

from crashwright.engine.subject.api.types import protocol_members
from crashwright.engine.subject.introspection import (
    abstract_methods,
    attribute_of,
    class_dict,
    class_module,
    class_mro,
    derives,
    identities,
    instance_of,
    is_callable,
    is_protocol,
    is_typed_dict,
)
from crashwright.engine.subject.layers import function_of

_MAKES_CLASSES = ("__new__", "__init__", "__prepare__")
_LEAVING = identities(object, type, abc.ABCMeta)
"""Of the ancestors of a metaclass those that look at no class."""
_RETURNS = frozenset({"RETURN_VALUE", "RETURN_CONST"})
_LONGEST_RAISE = 200
"""Bytes of the code of a method that only raises NotImplementedError, with whatever message."""
_PLAIN = identities(type(None), bool, int, float, str, bytes)


class ClassMember(NamedTuple):
    """A member that an abstract class or protocol asks for. ``before`` stands above its ``def``, ``parameters`` in its
    parentheses; an ``attribute`` is no method."""

    name: str
    before: str = ""
    parameters: str = "self, *args, **kwargs"
    is_async: bool = False
    yields: bool = False
    attribute: bool = False


def is_declarative(cls: type) -> bool:
    """Whether classes are declared by deriving from ``cls``: its metaclass or ``__init_subclass__`` looks at each of them."""
    if derives(cls, enum.Enum) or is_typed_dict(cls) or is_protocol(cls) or derives(cls, type):
        return False
    meta = type(cls)
    for part in class_mro(meta):
        if id(part) not in _LEAVING and any(name in class_dict(part) for name in _MAKES_CLASSES):
            return _is_package(part)
    return any("__init_subclass__" in class_dict(part) and _is_package(part) for part in class_mro(cls))


def _is_package(cls: type) -> bool:
    return class_module(cls).partition(".")[0] not in sys.stdlib_module_names


def missing_members(cls: type) -> list[ClassMember]:
    """What a subclass of ``cls``, or what passes for the protocol ``cls``, has to define."""
    names = protocol_members(cls) if is_protocol(cls) else abstract_methods(cls)
    return [member_of(cls, name) for name in sorted(names) if name.isidentifier()]


def unfinished_members(cls: type) -> list[ClassMember]:
    """What ``cls`` leaves to its subclasses without being abstract: members that do nothing but raise NotImplementedError."""
    names = dict.fromkeys(name for part in class_mro(cls)[:-1] for name in class_dict(part))
    left = (name for name in names if name.isidentifier() and _is_unfinished(attribute_of(cls, name)))
    return [member_of(cls, name) for name in sorted(left)]


def is_not_implemented(code: types.CodeType) -> bool:
    """Whether the function, whatever it is called with, does nothing but raise NotImplementedError."""
    if code.co_names[:1] != ("NotImplementedError",) or len(code.co_code) > _LONGEST_RAISE:
        return False
    names = [step.opname for step in dis.get_instructions(code)]
    return "RAISE_VARARGS" in names and not any("JUMP" in name or name in _RETURNS for name in names)


def _is_unfinished(member: object) -> bool:
    function = function_of(member)
    return function is not None and is_not_implemented(function.__code__)


def member_of(cls: type, name: str) -> ClassMember:
    """The member of that name, which a class of a test is to have."""
    found = attribute_of(cls, name)
    function = function_of(found)
    if instance_of(found, property):
        return ClassMember(name, "@property", "self")
    if not (is_callable(found) or instance_of(found, staticmethod) or instance_of(found, classmethod)):
        return ClassMember(name, attribute=True)
    before = "@staticmethod" if instance_of(found, staticmethod) else "@classmethod" if instance_of(found, classmethod) else ""
    if function is None:
        return ClassMember(name, before)
    flags = function.__code__.co_flags
    is_async = bool(flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR))
    yields = bool(flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR))
    return ClassMember(name, before, ", ".join(_parameters(function)), is_async, yields)


def _parameters(function: object) -> Iterator[str]:
    """As the abstract method declares them, optional ones with None."""
    code, optional = function.__code__, len(function.__defaults__ or ())  # type: ignore[attr-defined]
    names, required = code.co_varnames, code.co_argcount - optional
    for place in range(code.co_argcount):
        yield names[place] if place < required else f"{names[place]}=None"
        if place + 1 == code.co_posonlyargcount:
            yield "/"
    end = code.co_argcount + code.co_kwonlyargcount
    starred = bool(code.co_flags & inspect.CO_VARARGS)
    if starred or code.co_kwonlyargcount:
        yield f"*{names[end]}" if starred else "*"
    for place in range(code.co_argcount, end):
        yield f"{names[place]}=None"
    if code.co_flags & inspect.CO_VARKEYWORDS:
        yield f"**{names[end + starred]}"


def settings_of(cls: type) -> dict[str, object]:
    """Public class attributes of plain values, which subclasses may set."""
    found: dict[str, object] = {}
    for part in class_mro(cls):
        if part is not object:
            for name, value in class_dict(part).items():
                if not name.startswith("_") and id(type(value)) in _PLAIN:
                    found.setdefault(name, value)
    return found
