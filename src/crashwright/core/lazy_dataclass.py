"""Dataclasses whose methods are compiled when they are first asked for.

``dataclasses.dataclass`` writes and compiles six methods of a class when it is declared. A command declares 160 such classes, an
engine 80, and both need the methods of a few: with this decorator, a declaration takes an eighth of the time. It is used where
many classes are declared together. What it makes is a dataclass for ``fields``, ``replace`` and ``match``, and is compared, hashed,
shown and frozen as one.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["lazy_dataclass"]

if TYPE_CHECKING:  # type checkers know that one
    from dataclasses import dataclass as lazy_dataclass
else:

    def lazy_dataclass(*, frozen: bool = False, slots: bool = False) -> Callable[[type], type]:
        """As ``dataclasses.dataclass``. No field may be left out of ``__init__``, and none may be for keywords alone."""
        return lambda cls: _declared(cls, frozen, slots)


class _UncompiledMethod:
    """Stands in a class for a method of it, until that is looked up for the first time."""

    __slots__ = ("_lines", "_name", "_owner", "_parameters", "_values")

    def __init__(self, owner: type, name: str, parameters: Sequence[str], lines: Sequence[str], **values: object) -> None:
        self._owner = owner
        self._name = name
        self._parameters = parameters
        self._lines = lines
        self._values = values

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        method = self._compiled()
        setattr(self._owner, self._name, method)
        return method if instance is None else method.__get__(instance, owner)

    def _compiled(self) -> Any:
        head = f"def made({', '.join(self._values)}):\n def {self._name}({', '.join(self._parameters)}):\n  "
        made: dict[str, Any] = {}
        exec(head + "\n  ".join(self._lines) + f"\n return {self._name}", vars(sys.modules[self._owner.__module__]), made)
        method = made["made"](**self._values)
        method.__qualname__ = f"{self._owner.__qualname__}.{self._name}"
        if self._name == "__init__":
            fields = dataclasses.fields(self._owner)
            method.__annotations__ = {**{field.name: field.type for field in fields}, "return": None}
        return method


class _LeftOut:
    """An argument that was not given, as ``dataclasses`` shows it in signatures."""

    def __repr__(self) -> str:
        return "<factory>"


_LEFT_OUT = _LeftOut()


def _declared(cls: Any, frozen: bool, slots: bool) -> Any:
    own = set(vars(cls))
    cls.__doc__ = cls.__doc__ or cls.__name__  # else the signature is asked for, and all is compiled
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    fields = dataclasses.fields(made)
    methods: dict[str, object] = {
        "__init__": _initialiser(made, fields, frozen),
        "__repr__": _shown(fields),
        "__eq__": _equal(made, fields),
        "__hash__": _hashed(made, fields) if frozen else None,
    }
    if "__eq__" in own and vars(cls)["__hash__"] is None:
        own.discard("__hash__")  # that is Python's doing
    if frozen:
        methods.update(_frozen(made, {field.name for field in fields}))
        if slots:
            methods.update(__getstate__=_state, __setstate__=_set_state)
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made


def _initialiser(cls: Any, fields: tuple[dataclasses.Field[Any], ...], frozen: bool) -> _UncompiledMethod:
    parameters, lines = ["self"], []
    values: dict[str, object] = {"_set": object.__setattr__, "_left_out": _LEFT_OUT}
    for field in fields:
        name = value = field.name
        if field.default is not dataclasses.MISSING:
            values[f"_default_{name}"] = field.default
            parameters.append(f"{name}=_default_{name}")
        elif field.default_factory is not dataclasses.MISSING:
            values[f"_make_{name}"] = field.default_factory
            parameters.append(f"{name}=_left_out")
            value = f"_make_{name}() if {name} is _left_out else {name}"
        else:
            parameters.append(name)
        lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    return _UncompiledMethod(cls, "__init__", parameters, lines or ["pass"], **values)


def _tuple(names: Sequence[str], of: str) -> str:
    return f"({''.join(f'{of}.{name}, ' for name in names)})"


def _equal(cls: type, fields: tuple[dataclasses.Field[Any], ...]) -> _UncompiledMethod:
    names = [field.name for field in fields if field.compare]
    lines = ["if other.__class__ is self.__class__:", f" return {_tuple(names, 'self')} == {_tuple(names, 'other')}"]
    return _UncompiledMethod(cls, "__eq__", ("self", "other"), [*lines, "return NotImplemented"])


def _hashed(cls: type, fields: tuple[dataclasses.Field[Any], ...]) -> _UncompiledMethod:
    names = [field.name for field in fields if (field.compare if field.hash is None else field.hash)]
    return _UncompiledMethod(cls, "__hash__", ("self",), [f"return _hash({_tuple(names, 'self')})"], _hash=hash)


def _shown(fields: tuple[dataclasses.Field[Any], ...]) -> Callable[[Any], str]:
    names = [field.name for field in fields if field.repr]

    @recursive_repr()
    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return __repr__


def _frozen(cls: Any, names: set[str]) -> dict[str, Callable[..., None]]:
    def __setattr__(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}


def _state(self: Any) -> list[object]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
