"""What annotations say, and whether an inferred type agrees with them.

A guess is right if a value of that type may be passed where the annotation stands: it is one of its types (None left out), or
derives from one. As everything can be iterated and hashed, a text is no right answer for an iterable, nor a bool for a number.
"""

from __future__ import annotations

import collections.abc
from collections.abc import Iterator
from pathlib import Path

from crashwright.engine.subject.api.types import ChoiceHint, ClassHint, Hint, TypeHint, UnionHint, is_any
from crashwright.engine.wants.reading.evidence import Evidences
from crashwright.engine.wants.reading.package import Package, files_of
from crashwright.engine.wants.reading.values import Value

_TELLING_NOTHING = frozenset({"object", "NoneType", "typing.Any", "typing.Hashable", "collections.abc.Hashable"})
_NOT_FOR = frozenset({"str", "bytes", "bytearray"})


def read(folder: Path, name: str) -> Package:
    """The package in a folder."""
    whole = folder / name
    return Package(files_of(str(whole if whole.is_dir() else folder / f"{name}.py"), name))


def heads(hint: Hint) -> tuple[str, ...]:
    """The names of the classes that a hint is made of, without their arguments."""
    if is_any(hint):
        return ()
    if isinstance(hint, UnionHint):
        return tuple(dict.fromkeys(one for member in hint.members for one in heads(member)))
    if isinstance(hint, TypeHint):
        return ("type",)
    if isinstance(hint, ChoiceHint):
        return tuple(dict.fromkeys(_name(type(value)) for value in hint.values))
    return (_name(hint.cls),) if isinstance(hint, ClassHint) else ()


def _name(cls: type) -> str:
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


def places(package: Package) -> Iterator[tuple[str, str, Value]]:
    """All parameters and attributes: (kind, name, value)."""
    for function in package.functions:
        for name, value in function.parameters.items():
            if name not in (function.star, function.stars):
                yield "parameter", f"{function.module.name}:{function.qualname}:{name}", value
    for symbol in package.classes:
        if not package.is_enum(symbol):
            for name, value in symbol.attributes.items():
                yield "attribute", f"{symbol.module.name}:{symbol.qualname}.{name}", value


def declared(package: Package) -> dict[str, tuple[str, ...]]:
    """The types that annotations name, by place; places whose annotation says nothing are left out."""
    evidences = Evidences(package, is_live=False)
    found: dict[str, Hint] = {}
    for function in package.functions:
        for name in function.parameters:
            if name not in (function.star, function.stars):
                found[f"{function.module.name}:{function.qualname}:{name}"] = evidences.classes.of_parameter(function, name)
    for symbol in package.classes:
        for name, annotation in symbol.annotations.items():
            if not package.is_enum(symbol):
                hint = evidences.classes.annotated(symbol.module, annotation)
                found[f"{symbol.module.name}:{symbol.qualname}.{name}"] = hint
    told = {place: tuple(one for one in heads(hint) if one != "NoneType") for place, hint in found.items()}
    return {place: types for place, types in told.items() if types and _TELLING_NOTHING.isdisjoint(types)}


class Judge:
    """Of one package, whose classes ``package`` knows."""

    def __init__(self, package: Package) -> None:
        self._above: dict[str, tuple[str, ...]] = {}
        for symbol in package.classes:
            bases = [f"{one.module.name}.{one.qualname}" for one in package.order(symbol)]
            self._above[bases[0]] = (*bases, *(one.name for one in package.foreign(symbol)))

    def is_right(self, guess: str, wanted: tuple[str, ...]) -> bool:
        """Whether a value of type ``guess`` may be passed where ``wanted`` is."""
        if not self._above.keys().isdisjoint((guess,)):
            return any(one in wanted or _derives(one, wanted) for one in self._above[guess])
        return guess in wanted or (guess == "type" and "collections.abc.Callable" in wanted) or _derives(guess, wanted)


def _derives(guess: str, wanted: tuple[str, ...]) -> bool:
    cls = _class(guess)
    if cls is None:
        return False
    for one in wanted:
        other = _class(one)
        if other is None or (guess == "bool" and one in ("int", "float")) or (guess in _NOT_FOR and other in _ABSTRACT):
            continue
        if (guess, one) == ("int", "float") or (isinstance(other, type) and _is_subclass(cls, other)):
            return True
    return False


def _is_subclass(cls: type, other: type) -> bool:
    try:
        return issubclass(cls, other)
    except TypeError:  # a protocol that cannot be asked
        return False


_ABSTRACT = tuple(vars(collections.abc)[name] for name in collections.abc.__all__)


def _class(name: str) -> type | None:
    import importlib

    module, _, last = name.rpartition(".")
    try:
        found = getattr(importlib.import_module(module or "builtins"), last, None)
    except ImportError:
        return None
    return found if isinstance(found, type) else None
