"""From code objects back to what runs them: the addressable functions and class attributes behind each code key."""

from __future__ import annotations

from types import FunctionType
from typing import NamedTuple, cast

from crashwright.core.location import CodeKey
from crashwright.engine.subject.api.addresses import AddressBook, Addressed
from crashwright.engine.subject.introspection import class_dict, function_home, is_class
from crashwright.engine.subject.layers import enclosed_functions, layers_of, setters_of

_DECORATORS = 20


class Holder(NamedTuple):
    """Something addressable that runs a code: a module-level object, or the attribute ``name`` of the class ``cls``."""

    item: Addressed
    cls: type | None
    name: str


def key_of(function: FunctionType) -> CodeKey:
    """The key of a function's code. The module is the one whose globals it has, whatever ``functools.wraps`` wrote."""
    code = function.__code__
    return CodeKey(function_home(function), code.co_qualname, code.co_firstlineno)


class CodeIndex:
    """Which holders run which code: directly or behind ``__wrapped__``, or (weaker) from the closure of a decorator."""

    __slots__ = ("_closed", "_direct")

    def __init__(self, book: AddressBook) -> None:
        self._direct: dict[CodeKey, list[Holder]] = {}
        self._closed: dict[CodeKey, list[Holder]] = {}
        for item in book.functions:
            self._add(Holder(item, None, ""), item.value)
        for item in book.classes:
            cls = cast(type, item.value)
            for name, value in class_dict(cls).items():
                if not is_class(value):
                    self._add(Holder(item, cls, name), value)

    def holders(self, key: CodeKey) -> tuple[Holder, ...]:
        """The holders of that code; those that only enclose it where no other is known."""
        found = self._direct.get(key) or self._closed.get(key)
        return tuple(found if found else self._recompiled(key))

    def _recompiled(self, key: CodeKey) -> list[Holder]:
        """The holders of a namesake that begins a few lines below: decorators that compile the source anew cut themselves off."""
        near = [
            known
            for known in self._direct
            if known.qualname == key.qualname
            and known.module == key.module
            and 0 < known.first_line - key.first_line <= _DECORATORS
        ]
        return self._direct[min(near)] if near else []

    def keys(self, value: object) -> frozenset[CodeKey]:
        """All codes that a call of ``value`` is known to run."""
        return frozenset(key_of(function) for function in (*layers_of(value), *enclosed_functions(value)))

    def _add(self, holder: Holder, value: object) -> None:
        for part in (value, *setters_of(value)):
            for function in layers_of(part):
                _append(self._direct, key_of(function), holder)
                if function.__closure__ is None:
                    continue
                for inner in enclosed_functions(function):
                    _append(self._closed, key_of(inner), holder)


def _append(index: dict[CodeKey, list[Holder]], key: CodeKey, holder: Holder) -> None:
    holders = index.setdefault(key, [])
    if holder not in holders[-1:]:
        holders.append(holder)
