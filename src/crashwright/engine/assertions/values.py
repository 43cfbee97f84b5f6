"""What can be written down of a live value: exact built-in values as literal trees, classes and enum members as importable names.

Nothing here runs code of the subject: containers are looked at only where their class is exactly the built-in one.
"""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from types import BuiltinFunctionType, FunctionType
from typing import cast

from crashwright.core.refusing import quotes_refusal
from crashwright.engine.assertions.wholes import MAPPINGS, Parts, parts_of
from crashwright.engine.subject.api.addresses import is_private
from crashwright.engine.subject.introspection import (
    MODULES,
    attribute_of,
    class_dict,
    class_module,
    class_mro,
    class_qualname,
    function_module,
    instance_dict,
    instance_of,
    is_class,
    module_dict,
)
from crashwright.engine.testcase.statements import Display, Expected, Made, Named, Scalar, Value

MOST_PARTS = 40
"""Elements of a literal, nested ones included."""
LONGEST_TEXT = 300
"""Characters of a string in a literal."""
MOST_TEXT = 600
"""Characters of all of them."""
MOST_BITS = 1024
_DEEPEST = 5
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}|\bat 0x|\bid=\d{9,}")
_OURS = re.compile(r"crashwright[./]engine|_crashwright")
"""Names of modules, and paths, of the engine: a subject that lists its frames or modules shows them."""
_CONTAINERS: dict[int, str] = {id(cls): cls.__name__ for cls in (list, tuple, set, frozenset, dict)}
"""By the identity of the class: it is asked of values of any."""
_DAY, _HOUR = 86_400.0, 3_600.0
_DIGITS = 3
"""A number that somebody has written has no more behind the point."""

AddressOf = Callable[[object], "tuple[str, str] | None"]


class Unprintable(Exception):
    """The value is no literal, or too large a one."""


class Present:
    """Recognises what changes from run to run or from place to place: the scratch folder, the date, the time, addresses."""

    __slots__ = ("_date", "_folder", "_passed", "_seconds", "_year")

    def __init__(self, folder: str, seconds: float, passed: float = -math.inf) -> None:
        """``seconds`` is the time of day of this run, since 1970, ``passed`` what a clock shows that began somewhere else."""
        self._folder = folder
        self._seconds = seconds
        self._passed = passed
        today = datetime.fromtimestamp(self._seconds)
        self._date = today.strftime("%Y-%m-%d")
        self._year = today.year

    def shows_in(self, value: Scalar) -> bool:
        """Whether ``value`` is likely to be another one elsewhere or tomorrow."""
        kind = type(value)
        if kind is str or kind is bytes:
            text = cast(str, value) if kind is str else cast(bytes, value).decode("latin-1")
            if (self._folder != "" and self._folder in text) or self._date in text:
                return True
            return _ADDRESS.search(text) is not None or _OURS.search(text) is not None or quotes_refusal(text)
        if kind is int or kind is float:
            number = cast(float, value)
            if kind is float and abs(number - self._passed) < _HOUR and round(number, _DIGITS) != number:
                return True  # a moment later the tolerance of a comparison still covers it
            return number == self._year or abs(number - self._seconds) < _DAY or abs(number - self._seconds * 1e3) < _DAY * 1e3
        return False


def literal_of(value: object, present: Present) -> Value:
    """``value`` as a literal tree. Raises Unprintable."""
    return cast(Value, _Reader(present, None).tree(value, 0))


def whole_of(value: object, present: Present, names: ValueNames) -> Expected:
    """The same, with what is made by a call or has a name in it."""
    return _Reader(present, names).tree(value, 0)


class _Reader:
    """Bounds the size of one literal."""

    def __init__(self, present: Present, names: ValueNames | None) -> None:
        self._present = present
        self._names = names
        self._parts = MOST_PARTS
        self._text = MOST_TEXT

    def tree(self, value: object, depth: int) -> Expected:
        self._parts -= 1
        kind = type(value)
        if self._parts < 0 or depth > _DEEPEST:
            raise Unprintable
        container = _CONTAINERS.get(id(kind))
        if container is not None:
            return self._display(value, container, depth)
        if kind is bytearray:
            return Display("bytearray", (self.tree(bytes(cast(bytearray, value)), depth),))
        if self._names is not None:
            if id(kind) in MAPPINGS and depth:
                return self._display(dict(cast(dict[object, object], value)), "dict", depth)
            if value is UTC:
                return Named("datetime", "timezone.utc", value)
            how = None if is_member(value) else parts_of(value)
            if how is not None:
                return self._made(how, self._names, depth)
            if is_member(value):
                return _known(self._names, value)
        scalar = self._scalar(value, kind)
        if self._present.shows_in(scalar):
            raise Unprintable
        return scalar

    def _made(self, how: Parts, names: ValueNames, depth: int) -> Made:
        named = _known(names, how.callee)
        positional = tuple([self.tree(part, depth + 1) for part in how.positional])
        return Made(named, positional, tuple([(name, self.tree(part, depth + 1)) for name, part in how.keywords]))

    def _scalar(self, value: object, kind: type) -> Scalar:
        if kind is str or kind is bytes:
            size = len(cast(str, value))
            self._text -= size
            if size > LONGEST_TEXT or self._text < 0:
                raise Unprintable
            return cast(str, value)
        if kind is int:
            if cast(int, value).bit_length() > MOST_BITS:
                raise Unprintable
            return cast(int, value)
        if kind is float or kind is complex:
            if value != value:  # nan, for which no equality holds
                raise Unprintable
            return cast(float, value)
        if value is None or kind is bool:
            return cast(bool, value)
        raise Unprintable

    def _display(self, value: object, kind: str, depth: int) -> Display:
        if kind == "dict":
            pairs = cast(dict[object, object], value)
            if len(pairs) > self._parts:
                raise Unprintable
            return Display(kind, tuple([(self.tree(key, depth + 1), self.tree(item, depth + 1)) for key, item in pairs.items()]))
        elements = cast(Iterable[object], value)
        if len(cast(list[object], value)) > self._parts:
            raise Unprintable
        items = [self.tree(item, depth + 1) for item in elements]
        if kind in ("set", "frozenset"):
            items.sort(key=repr)  # the order of a set is another one in each process
        return Display(kind, tuple(items))


def _known(names: ValueNames, value: object) -> Named:
    named = names.named(value)
    if named is None:
        raise Unprintable
    return named


def has_calls(value: object) -> bool:
    """Whether something in it is made by a call."""
    if isinstance(value, Display):
        return any(map(has_calls, value.items))
    return isinstance(value, Made) or (type(value) is tuple and any(map(has_calls, value)))


def has_floats(value: Expected) -> bool:
    """A finite float, or a flat list, tuple or dict with one as a value: what ``pytest.approx`` takes."""
    if type(value) is float:
        return math.isfinite(value)
    if not isinstance(value, Display) or value.kind not in ("list", "tuple", "dict"):
        return False
    parts = [cast("tuple[Value, Value]", item)[1] for item in value.items] if value.kind == "dict" else list(value.items)
    return any(type(part) is float for part in parts) and not any(isinstance(part, Display | Made | Named) for part in parts)


class ValueNames:
    """Public addresses of classes, functions and enum members. ``address_of`` knows those of the package."""

    def __init__(self, address_of: AddressOf) -> None:
        self._address_of = address_of
        self._known: dict[int, tuple[type, Named | None]] = {}
        """By the identity of a class, which is kept for as long."""

    def class_of(self, value: object) -> Named | None:
        """The nearest public class of ``value`` that a test can import and that says something."""
        return self.nearest(type(value))

    def nearest(self, cls: type) -> Named | None:
        """The nearest public, importable class in the order of lookup of ``cls``; None where that is ``object``."""
        if id(cls) not in self._known:
            self._known[id(cls)] = cls, next(self._public(class_mro(cls)), None)
        return self._known[id(cls)][1]

    def _public(self, classes: Iterable[type]) -> Iterator[Named]:
        for cls in classes:
            if cls is object:
                continue
            found = self.named(cls)
            if found is not None:
                yield found

    def named(self, value: object) -> Named | None:
        """A class, function or enum member by an address at which just this object is found; None where it has no public one."""
        if is_member(value):
            return self._member(cast(enum.Enum, value))
        address = self._address_of(value)
        if address is None:
            address = _own_address(value)
        if address is None or is_private(address[0]) or is_private(address[1]) or "<" in address[1]:
            return None
        return Named(*address, value) if _found_at(*address) is value else None

    def _member(self, value: enum.Enum) -> Named | None:
        home = self.named(type(value))
        name = instance_dict(value).get("_name_")
        if home is None or type(name) is not str or not name.isidentifier():
            return None
        address = (home.module, f"{home.qualname}.{name}")
        return Named(*address, value) if _found_at(*address) is value else None


def is_member(value: object) -> bool:
    """Whether ``value`` is a member of an enumeration."""
    return instance_of(value, enum.Enum)


def _own_address(value: object) -> tuple[str, str] | None:
    if is_class(value):
        return class_module(value), class_qualname(value)
    if type(value) is FunctionType or type(value) is BuiltinFunctionType:
        module = function_module(value)
        return (module, value.__qualname__) if module else None
    return None


def _found_at(module: str, qualname: str) -> object:
    home = MODULES.get(module)
    if home is None:
        return None
    first, *rest = qualname.split(".")
    value = module_dict(home).get(first)
    for part in rest:
        if not is_class(value):
            return None
        held = class_dict(value).get("_member_map_") if instance_of(value, enum.EnumMeta) else None
        member = held.get(part) if type(held) is dict else None
        value = attribute_of(value, part) if member is None else member
        value = value.__func__ if type(value) is staticmethod else value
    return value
