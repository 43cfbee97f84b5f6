"""Live objects as the heap that terms speak of (``core.terms``): which alternative of VALUE a Python value is, and arrays that read
what objects hold.

Nothing here runs code of the subject. Attributes are looked up without asking (a property, another descriptor or a
``__getattr__`` gives ``NOT_KNOWN``), containers are read by the methods of the builtin type that they derive from, whatever the
subject overrides, and keys are compared only where both are exact builtin scalars or one object. What cannot be told so is
``NOT_KNOWN``: wrong would be worse.

# Deviation: equal keys are those that Python finds equal (1 and True), where terms hold them apart; a run knows only the former.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    NoneType,
    WrapperDescriptorType,
)
from typing import Any, Final, NamedTuple, cast

from crashwright.core.terms import Op
from crashwright.engine.subject.introspection import (
    attribute_sources,
    class_home,
    class_module,
    class_qualname,
    derives,
    identities,
    is_class,
    is_module,
    loaded_dict,
    module_dict,
    static_attribute,
)

MOST_KEYS = 256
"""Larger mappings and sets are not looked into: each of their keys has to be looked at."""


class Nothing:
    """A marker."""

    __slots__ = ()


NOT_KNOWN: Final = Nothing()
"""In the place of a value that cannot be told."""
UNDEFINED: Final = Nothing()
"""An absent attribute."""
METHOD: Final = Nothing()
"""In the place of a method that a look-up would make: there, and not None, but nothing else is known of it."""
ABSENT: Final = Nothing()


class MadeObject(NamedTuple):
    """An object that was made on a path, and that no live one is."""

    number: int


class ClassName(NamedTuple):
    """A class by its address, ``module:qualname``."""

    address: str


_OURS = identities(MadeObject, ClassName, Nothing)
_SCALARS = identities(NoneType, bool, int, float, str, bytes)
_NUMBERS = identities(bool, int, float)
_ALTERNATIVES: Final = {
    id(NoneType): (Op.IS_NONE,),
    id(bool): (Op.IS_TRUTH,),
    id(int): (Op.IS_INTEGER,),
    id(float): (Op.IS_REAL,),
    id(str): (Op.IS_TEXT,),
    id(bytes): (Op.IS_BYTES,),
    id(MadeObject): (Op.IS_REFERENCE,),
    id(ClassName): (Op.IS_CLASS,),
}
_REFERENCE, _CLASS = (Op.IS_REFERENCE,), (Op.IS_CLASS,)
_CALLABLE = (Op.IS_CLASS, Op.IS_REFERENCE)
_FUNCTIONS = identities(FunctionType, BuiltinFunctionType, MethodType)
_METHODS = identities(
    FunctionType,
    BuiltinFunctionType,
    MethodDescriptorType,
    WrapperDescriptorType,
    ClassMethodDescriptorType,
    classmethod,
    staticmethod,
)


def alternatives(value: object) -> tuple[Op, ...]:
    """Which alternatives of VALUE it may be: more than one where terms leave that open (functions, and instances of classes that
    derive from int, float, str or bytes). None at all for ``NOT_KNOWN``."""
    kind = type(value)
    found = _ALTERNATIVES.get(id(kind))
    if found is not None:
        return found
    if kind is Nothing:
        return (Op.IS_UNDEFINED,) if value is UNDEFINED else _CALLABLE if value is METHOD else ()
    if is_class(value):
        return _CLASS
    if id(kind) in _FUNCTIONS or is_module(value):
        return _CALLABLE
    for base, one in ((int, Op.IS_INTEGER), (str, Op.IS_TEXT), (float, Op.IS_REAL), (bytes, Op.IS_BYTES)):
        if derives(kind, base):
            return (one, Op.IS_REFERENCE)
    return _REFERENCE


def is_scalar(value: object) -> bool:
    """Whether it is an exact None, bool, int, float, str or bytes."""
    return id(type(value)) in _SCALARS


def same_value(left: Any, right: Any) -> bool | None:
    """Whether two values are the same in the sense of terms: equal scalars of one type, or one object. None where that is open."""
    if left is NOT_KNOWN or right is NOT_KNOWN or left is METHOD or right is METHOD:
        return None
    if left is right:
        return True
    first, second = type(left), type(right)
    if first is ClassName or second is ClassName:
        return same_class(left, right)
    if first is second and id(first) in _SCALARS:
        return bool(left == right)
    if first is MadeObject and second is MadeObject:
        return bool(left == right)
    both = alternatives(left), alternatives(right)
    return None if len(both[0]) + len(both[1]) > 2 and set(both[0]) & set(both[1]) else False


def same_class(left: object, right: object) -> bool | None:
    """Whether two classes are the same, each a live one or its address."""
    if left is right:
        return True
    if type(left) is ClassName and type(right) is ClassName:
        return left.address == right.address
    if type(right) is ClassName:
        left, right = right, left
    if type(left) is not ClassName:
        return False
    if not is_class(right):
        return None if right is NOT_KNOWN or id(type(right)) in _FUNCTIONS else False
    found = _class_at(left.address)
    return is_named(right, left) if found is None else found is right


def is_named(cls: type, name: ClassName) -> bool:
    """Whether the class has that address, by what it says of itself or by where it was written."""
    module, _, qualname = name.address.partition(":")
    return class_qualname(cls) == qualname and module in (class_module(cls), class_home(cls))


def _class_at(address: str) -> object | None:
    module, _, qualname = address.partition(":")
    first, *inner = qualname.split(".")
    found: object = loaded_dict(module).get(first)
    for name in inner:
        attribute = static_attribute(found, name) if is_class(found) else None
        found = None if attribute is None else attribute[1]
    return found if is_class(found) else None


# Arrays of the heap


def attribute(name: str, owner: object) -> object:
    """What ``owner.name`` would give, found without asking; UNDEFINED where it would raise AttributeError."""
    kind = type(owner)
    if id(kind) in _OURS:
        return NOT_KNOWN
    if is_class(owner):
        return NOT_KNOWN  # to terms it is no reference
    if is_module(owner):
        return module_dict(owner).get(name, NOT_KNOWN)
    sources = attribute_sources(owner, name, ABSENT)
    if sources is None:
        return NOT_KNOWN
    raw, own = sources
    if raw is ABSENT:
        return _absent(kind) if own is ABSENT else own
    if type(raw) is MemberDescriptorType:
        try:
            return raw.__get__(owner)
        except AttributeError:  # an empty slot
            return _absent(kind)
    if _has(raw, "__set__", "__delete__"):
        return NOT_KNOWN
    return _plain(raw) if own is ABSENT else own


def _absent(kind: type) -> object:
    return UNDEFINED if static_attribute(kind, "__getattr__") is None else NOT_KNOWN


def _has(raw: object, *names: str) -> bool:
    return any(static_attribute(type(raw), name) is not None for name in names)


def _plain(raw: object) -> object:
    if id(type(raw)) in _METHODS:
        return METHOD
    return NOT_KNOWN if _has(raw, "__get__") else raw


_SIZED: Final[tuple[tuple[type, Callable[[Any], int]], ...]] = tuple(
    (kind, kind.__len__) for kind in (list, dict, tuple, set, frozenset, deque, bytearray, range)
)
_ITEMS: Final[tuple[tuple[type, Callable[[Any, int], object]], ...]] = tuple(
    (kind, kind.__getitem__) for kind in (list, tuple, deque, bytearray, range)
)


def size(owner: object) -> object:
    """What a builtin container holds."""
    kind = type(owner)
    if kind is list or kind is dict or kind is tuple:
        return len(cast(list[object], owner))
    for base, length in _SIZED:
        if derives(kind, base):
            return length(owner)
    return NOT_KNOWN


def element(owner: object, index: object) -> object:
    """The item of a builtin sequence, counted from 0; NOT_KNOWN behind its end."""
    if type(index) is not int or index < 0:
        return NOT_KNOWN
    kind = type(owner)
    if kind is list:
        items = cast(list[object], owner)
        return items[index] if index < len(items) else NOT_KNOWN
    for base, item in _ITEMS:
        if derives(kind, base):
            return item(owner, index)
    return NOT_KNOWN


def pairs_of(owner: object) -> Iterator[tuple[object, object]] | None:
    """Keys and values of a builtin mapping, or the members of a set, twice; None for what is neither."""
    kind = type(owner)
    if derives(kind, dict):
        return iter(dict.items(cast(dict[object, object], owner)))
    for base in (set, frozenset):
        if derives(kind, base):
            members: Iterable[object] = base.__iter__(cast(Any, owner))
            return ((one, one) for one in members)
    return None


def stored(owner: object, key: object) -> object:
    """What a builtin mapping has for a key (a set: the key); ABSENT where it has it not. Each key is looked at: a look-up would ask
    those with the same hash whether they are equal."""
    pairs = pairs_of(owner)
    if pairs is None or key is NOT_KNOWN or key is METHOD:
        return NOT_KNOWN
    some = list(islice(pairs, MOST_KEYS + 1))
    if len(some) > MOST_KEYS:
        return NOT_KNOWN
    kind, scalar = type(key), is_scalar(key)
    doubtful = False
    for other, value in some:
        if other is key or (scalar and type(other) is kind and other == key):
            return value
        verdict = _equal_keys(other, key)
        if verdict:
            return value
        doubtful |= verdict is None
    return NOT_KNOWN if doubtful else ABSENT


def _equal_keys(left: Any, right: Any) -> bool | None:
    """Whether two keys that are not one object are equal; None where only the subject could tell."""
    first, second = type(left), type(right)
    if id(first) in _SCALARS and id(second) in _SCALARS:
        both = id(first) in _NUMBERS and id(second) in _NUMBERS
        return bool(left == right) if both or first is second else False
    if first is MadeObject or second is MadeObject:
        return bool(left == right) if first is second else False
    return False if _never_equals(left, right) and _never_equals(right, left) else None


def _never_equals(key: object, other: object) -> bool:
    """Whether ``key``, asked, would not be equal to ``other``, which is another object."""
    if is_scalar(key):
        return True
    found = static_attribute(type(key), "__eq__")
    definer = object if found is None else found[0]
    return definer is object or (is_scalar(other) and (definer is tuple or definer is frozenset))


class Array(NamedTuple):
    """One that nothing was stored to: ``at`` reads it."""

    at: Callable[[object], object]


def field(name: str) -> Array:
    """The array of the attributes of that name."""
    return Array(partial(attribute, name))


SIZES: Final = Array(size)
CLASSES: Final = Array(lambda owner: NOT_KNOWN if id(type(owner)) in _OURS else type(owner))
ELEMENTS: Final = Array(lambda owner: Array(partial(element, owner)))
