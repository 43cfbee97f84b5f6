"""Types as the factory needs them: live classes with arguments, unions, literal choices. Made from annotations and from values."""

from __future__ import annotations

import collections.abc
import typing
from typing import NamedTuple

from crashwright.engine.subject.introspection import (
    class_dict,
    class_module,
    class_mro,
    derives,
    is_protocol,
    is_typed_dict,
    own_annotations,
)


class AnyHint(NamedTuple):
    """Nothing is known."""


class ClassHint(NamedTuple):
    """An instance of ``cls`` (``list[int]``: cls list, arguments (int,)); for ``Callable`` the cls is ``collections.abc.Callable``
    and the arguments are the parameter hints and last the result's. The argument VARIADIC stands for ``...``: ``tuple[int, ...]``
    has (int, VARIADIC), ``Callable[..., int]`` has (VARIADIC, int)."""

    cls: type
    arguments: tuple[Hint, ...] = ()


class UnionHint(NamedTuple):
    """One of several; ``Optional[X]`` is the union of X and ``ClassHint(NoneType)``."""

    members: tuple[Hint, ...]


class ChoiceHint(NamedTuple):
    """One of these very values (``Literal``, enums, documented choices)."""

    values: tuple[object, ...]


class TypeHint(NamedTuple):
    """The class itself or a subclass of it (``type[X]``)."""

    cls: type


Hint = AnyHint | ClassHint | UnionHint | ChoiceHint | TypeHint
ANY = AnyHint()
NONE = ClassHint(type(None))
VARIADIC = ChoiceHint((Ellipsis,))

_CALLABLE: object = collections.abc.Callable
_PROMOTED: dict[type, tuple[type, ...]] = {float: (int,), complex: (int, float)}
_PROTOCOL_NOISE = frozenset(dir(typing.Protocol)) | {
    "__abstractmethods__",
    "__annotations__",
    "__dict__",
    "__doc__",
    "__module__",
    "__parameters__",
    "__protocol_attrs__",
    "__slots__",
    "__weakref__",
    "__static_attributes__",
    "__firstlineno__",
    "__non_callable_proto_members__",
    "__type_params__",
    "__orig_bases__",
    "__annotate__",
    "__annotate_func__",
    "__annotations_cache__",
}


def is_any(hint: Hint) -> bool:
    """Named tuples of different classes can be equal, so compare by class."""
    return type(hint) is AnyHint


def union_of(members: typing.Iterable[Hint]) -> Hint:
    """The union, flattened and without repetitions; the one member where there is only one, ANY where there is none."""
    flat: list[Hint] = []
    for member in members:
        for part in member.members if isinstance(member, UnionHint) else (member,):
            if not any(type(part) is type(known) and part == known for known in flat):
                flat.append(part)
    if not flat:
        return ANY
    return flat[0] if len(flat) == 1 else UnionHint(tuple(flat))


def accepts(hint: Hint, cls: type) -> bool:
    """Whether a value of class ``cls`` may stand where ``hint`` is asked for. Arguments of generics are not looked at; ``float``
    accepts ``int`` as type checkers do; protocols are compared by the names of their members."""
    if isinstance(hint, ClassHint):
        return is_subclass(cls, hint.cls) or any(derives(cls, base) for base in _PROMOTED.get(hint.cls, ()))
    if isinstance(hint, UnionHint):
        return any(accepts(member, cls) for member in hint.members)
    if isinstance(hint, ChoiceHint):
        return any(type(value) is cls for value in hint.values)
    if isinstance(hint, TypeHint):
        return derives(cls, type)
    return True


class Assignability:
    """:func:`accepts` with a memory, for one subject."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[tuple[type, type], bool] = {}

    def accepts(self, hint: Hint, cls: type) -> bool:
        """As the function of that name."""
        if type(hint) is ClassHint:
            pair = (hint.cls, cls)
            known = self._known.get(pair)
            if known is None:
                known = self._known[pair] = accepts(hint, cls)
            return known
        if type(hint) is UnionHint:
            return any(self.accepts(member, cls) for member in hint.members)
        return accepts(hint, cls)


def is_subclass(cls: type, base: type) -> bool:
    """``issubclass`` that never raises: typed dictionaries accept ``dict``, protocols any class with their members."""
    if derives(cls, base):
        return True
    if type(base) is type:
        return False
    if is_typed_dict(base):
        return derives(cls, dict)
    if is_protocol(base):
        return all(any(name in class_dict(parent) for parent in class_mro(cls)) for name in protocol_members(base))
    try:
        return issubclass(cls, base) is True
    except BaseException:  # noqa: BLE001 - a metaclass of the subject may raise anything; then the answer is no
        return False


def protocol_members(protocol: type) -> frozenset[str]:
    """The names that a class needs to satisfy ``protocol``."""
    names: set[str] = set()
    for parent in class_mro(protocol):
        if parent is object or class_module(parent) == "typing":
            continue
        names.update(class_dict(parent))
        names.update(own_annotations(parent))
    return frozenset(name for name in names - _PROTOCOL_NOISE if not name.startswith("_abc_"))
