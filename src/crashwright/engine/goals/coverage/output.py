"""Output goals (SPEC 6.8): the classes of the values that a callable returns, seen or declared.

Nothing here runs code of the subject. Values of exact built-in types are split: numbers by sign, containers and strings by
emptiness. A value of any other class gives the name of its class; where it is a subclass of a built-in container (not of ``tuple``:
named tuples have one length) that leaves ``__len__`` and ``__bool__`` alone, the built-in's own ``__len__`` splits it too.

# Deviation: the paper asks observers of other objects (and SPEC their ``len``, ``bool`` and safe properties). They are code of the
# subject, which may raise, hang or change the object under test.
"""

from __future__ import annotations

import math
from collections import deque
from types import NoneType
from typing import Any

from crashwright.engine.subject.api.types import ChoiceHint, ClassHint, Hint, UnionHint
from crashwright.engine.subject.introspection import class_dict, class_mro, class_name, class_qualname, is_abstract, is_class

_SIZED: tuple[type, ...] = (str, bytes, list, tuple, dict, set, frozenset, bytearray, deque, range)
_SIGNS = ("negative", "zero", "positive")


def output_classes(value: Any) -> tuple[str, ...]:
    """The output classes of one returned value: ``None``, ``True``, ``int negative``, ``float nan``, ``str empty``, ``Tree`` ..."""
    kind = type(value)
    if value is None or value is True or value is False:
        return (str(value),)
    if kind is int or kind is float:
        return (f"{kind.__name__} {_sign(value)}",)
    if any(kind is sized for sized in _SIZED):
        return (_split(kind.__name__, len(value)),)
    name = class_qualname(kind)
    base = _sized_base(kind)
    if base is None:
        return (name,)
    return name, _split(name, class_dict(base)["__len__"](value))  # type: ignore[operator]


def declared_outputs(hint: Hint) -> tuple[str, ...]:
    """The output classes that an annotation promises. None for abstract classes, whose instances have other names, and for a result
    that is always None."""
    found: dict[str, None] = {}
    members = hint.members if type(hint) is UnionHint else (hint,)
    for member in members:
        if type(member) is ClassHint:
            found.update(dict.fromkeys(_declared(member)))
        elif type(member) is ChoiceHint:
            found.update((name, None) for value in member.values for name in output_classes(value))
    return () if list(found) == ["None"] else tuple(found)


def _declared(hint: ClassHint) -> tuple[str, ...]:
    cls = hint.cls
    if cls is NoneType:
        return ("None",)
    if cls is bool:
        return "True", "False"
    if cls is int or cls is float:
        return tuple(f"{cls.__name__} {sign}" for sign in _SIGNS)
    if cls is tuple and hint.arguments and not any(choice is Ellipsis for choice in _choices(hint.arguments[-1])):
        return (_split("tuple", 1),)
    if any(cls is sized for sized in _SIZED):
        return _split(cls.__name__, 0), _split(cls.__name__, 1)
    # Only a class of the interpreter's own making is asked for its parts: typing's special forms are classes of their own kinds.
    if not is_class(cls) or cls is object or is_abstract(cls) or _is_interface(cls):
        return ()
    return (class_qualname(cls),)


def _choices(hint: Hint) -> tuple[object, ...]:
    return hint.values if type(hint) is ChoiceHint else ()


def _is_interface(cls: type) -> bool:
    """Whether instances are those of subclasses: an abstract base class that has nothing abstract left, or ``type`` itself."""
    return class_name(type(cls)) == "ABCMeta" and not any("__init__" in class_dict(base) for base in class_mro(cls)[:-1])


def _sign(number: float) -> str:
    if number != number:
        return "nan"
    if isinstance(number, float) and math.isinf(number):
        return "infinite"
    return _SIGNS[(number > 0) - (number < 0) + 1]


def _split(name: str, size: int) -> str:
    return f"{name} {'non-empty' if size else 'empty'}"


def _sized_base(kind: type) -> type | None:
    for base in class_mro(kind):
        if any(base is sized for sized in _SIZED):
            return None if base is tuple else base
        names = class_dict(base)
        if "__len__" in names or "__bool__" in names:
            return None
    return None
