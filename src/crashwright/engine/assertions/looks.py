"""What can be asserted of a live value: facts with the path of looks that leads to each.

:meth:`Looker.plain` runs no code of the subject and may be used in the middle of a test; :meth:`Looker.full` reads properties and
calls ``len``, ``str``, ``repr`` and ``list``, which may have effects: only at the end of a test.
"""

from __future__ import annotations

import collections
import functools
import operator
import types
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from keyword import iskeyword
from typing import NamedTuple, cast

from crashwright.engine.assertions.values import (
    LONGEST_TEXT,
    Present,
    Unprintable,
    ValueNames,
    has_calls,
    has_floats,
    is_member,
    whole_of,
)
from crashwright.engine.assertions.wholes import has_written_repr, is_standard
from crashwright.engine.execution.limits import TestTimeout
from crashwright.engine.frameworks.click_runner import SHOWN, is_result
from crashwright.engine.subject.introspection import (
    class_dict,
    class_home,
    class_module,
    class_mro,
    derives,
    identities,
    instance_dict,
    is_class,
    same_package,
    static_attribute,
)
from crashwright.engine.testcase.statements import Expected

MOST_FACTS = 40
"""Facts about one value."""
MOST_ITEMS = 60
"""Items that are taken from an iterable."""
_DEEPEST = 2
_FIRST_ITEMS = 3
_MOST_ATTRIBUTES = 16
_LISTABLE = identities(range, type({}.keys()), type({}.values()), type({}.items()), collections.deque)
_BUILT_IN: tuple[Iterable[object], ...] = ([], (), {}, "", range(0), set())
_ITERATORS = identities(types.GeneratorType, map, filter, zip, enumerate, reversed, *(type(iter(one)) for one in _BUILT_IN))
_CONTAINERS = identities(list, tuple, dict, set, frozenset)
_SCALARS = identities(bool, int, float, complex, str, bytes, bytearray)
_AS_BASE: dict[type, Callable[..., object]] = {
    tuple: lambda value: tuple(tuple.__iter__(value)),
    list: lambda value: list(list.__iter__(value)),
    str: str.__str__,
    int: int.__int__,
    float: float.__float__,
}
_DICTS = identities(collections.OrderedDict, collections.defaultdict, collections.Counter)
_SILENT = identities(types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.CoroutineType)
_PROPERTIES = identities(property, functools.cached_property, types.GetSetDescriptorType)
_EXPORTS = ("to_dict", "tolist")
_FAILED = object()


class SeenFact(NamedTuple):
    """As in an ``Assertion``: what is seen at the end of ``path``."""

    path: tuple[str, ...]
    kind: str
    expected: Expected = None


class Looker:
    """Finds facts. ``names`` and ``present`` decide what can be written and what is stable."""

    def __init__(self, names: ValueNames, present: Present) -> None:
        self._names = names
        self._present = present

    def direct(self, value: object) -> SeenFact | None:
        """What the value itself is, where that can be written down whole."""
        kind = type(value)
        if value is None or kind is bool:
            return SeenFact((), "is", cast(bool, value))
        if kind is float and value != value:
            return SeenFact((), "nan")
        if is_member(value) or is_class(value) or kind is types.FunctionType or kind is types.BuiltinFunctionType:
            named = self._names.named(value)
            return None if named is None else SeenFact((), "is", named)
        try:
            expected = whole_of(_as_builtin(value), self._present, self._names)
        except Unprintable:
            return None
        return SeenFact((), "approximately" if has_floats(expected) else "equals", expected)

    def plain(self, value: object) -> Iterator[SeenFact]:
        """The direct fact; or else, and of what is made by a call, what the object keeps in its public attributes."""
        fact = self.direct(value)
        if fact is not None:
            yield fact
        if fact is not None and not _is_opened(fact, value):
            return
        if id(type(value)) in _CONTAINERS and type(value) is not frozenset:
            yield SeenFact(("len",), "equals", len(cast(list[object], value)))
        elif is_result(value):
            yield from self._shown(value)
        elif id(type(value)) not in _SILENT and not is_class(value):
            for name, held in islice(_kept(value), _MOST_ATTRIBUTES):
                fact = self.direct(held)
                if fact is not None:
                    yield fact._replace(path=(f".{name}",))

    def vague(self, value: object) -> Iterator[SeenFact]:
        """What else is true of a value that can be written down, should it not be the same in each run: its class and length."""
        kind = type(value)
        # A short text with an address in it mostly has the same length, and once in a while another one.
        if id(kind) in _CONTAINERS or ((kind is str or kind is bytes) and len(cast(str, value)) > LONGEST_TEXT):
            yield SeenFact(("len",), "equals", len(cast(list[object], value)))
        if id(kind) in _CONTAINERS or (id(kind) in _SCALARS and kind is not bool):
            yield SeenFact((), "isinstance", self._names.class_of(value))
        elif is_standard(kind) and value is not None and kind is not bool and (named := self._names.class_of(value)) is not None:
            yield SeenFact((), "isinstance", named)

    def full(self, value: object, consume: bool) -> list[SeenFact]:
        """All facts, the most telling first; ``consume``: iterators may be exhausted."""
        return list(islice(self._all(value, 0, consume), MOST_FACTS))

    def _all(self, value: object, depth: int, consume: bool) -> Iterator[SeenFact]:
        fact = self.direct(value)
        kind = type(value)
        if fact is not None:
            yield fact
        if fact is not None and not _is_opened(fact, value):
            return
        if id(kind) in _ITERATORS:
            if consume:
                yield from self._listed(value)
        elif id(kind) in _LISTABLE:
            yield from self._listed(value)
        elif id(kind) in _CONTAINERS:
            yield from self._container(value, depth)
        elif id(kind) in _SCALARS:
            yield from self.vague(value)
        elif (export := _export_of(kind)) is not None:
            yield from self._exported(value, export)
        elif is_result(value):
            yield from self._shown(value)
        elif id(kind) not in _SILENT and not is_class(value):
            yield from self._object(value, depth)

    def _shown(self, value: object) -> Iterator[SeenFact]:
        """What the result of a program's run is there to be asked for."""
        for name in SHOWN:
            held = _guarded(functools.partial(getattr, value, name))
            fact = None if held is _FAILED else self.direct(held)
            if fact is not None:
                yield fact._replace(path=(f".{name}",))

    def _exported(self, value: object, export: str) -> Iterator[SeenFact]:
        """What an array or a table says of itself in plain values; else of what kind and how long it is."""
        held = _guarded(functools.partial(operator.methodcaller(export), value))
        fact = None if held is _FAILED else self.direct(held)
        if fact is not None:
            yield fact._replace(path=(f".{export}()",))
        named = self._names.class_of(value)
        if named is not None:
            yield SeenFact((), "isinstance", named)
        size = _guarded(lambda: len(cast(list[object], value)))
        if fact is None and type(size) is int:
            yield SeenFact(("len",), "equals", size)

    def _container(self, value: object, depth: int) -> Iterator[SeenFact]:
        yield SeenFact(("len",), "equals", len(cast(list[object], value)))
        if type(value) is dict:
            yield from self._listed(value)
        elif (type(value) is list or type(value) is tuple) and depth < _DEEPEST:
            for index, item in enumerate(cast(list[object], value)[:_FIRST_ITEMS]):
                yield from self._behind(f"[{index}]", item, depth)

    def _listed(self, value: object) -> Iterator[SeenFact]:
        items = _guarded(lambda: list(islice(cast(list[object], value), MOST_ITEMS + 1)))
        if items is _FAILED or len(cast(list[object], items)) > MOST_ITEMS:
            return
        fact = self.direct(items)
        if fact is not None:
            yield fact._replace(path=("list",))
        else:
            yield SeenFact(("list", "len"), "equals", len(cast(list[object], items)))

    def _object(self, value: object, depth: int) -> Iterator[SeenFact]:
        cls = type(value)
        named = self._names.class_of(value)
        if named is not None:
            yield SeenFact((), "isinstance", named)
        if _defines(cls, "__len__"):
            size = _guarded(lambda: len(cast(list[object], value)))
            if type(size) is int:
                yield SeenFact(("len",), "equals", size)
            if _defines(cls, "__iter__"):
                yield from self._listed(value)
        for name in islice(_attributes(value), _MOST_ATTRIBUTES):
            held = _guarded(functools.partial(getattr, value, name))
            if held is not _FAILED and (name in instance_dict(value) or not _is_defined_thing(held)):
                yield from self._behind(f".{name}", held, depth if _is_akin(held, cls) else _DEEPEST)
        yield from self._texts(value)

    def _behind(self, step: str, value: object, depth: int) -> Iterator[SeenFact]:
        fact = self.direct(value)
        if fact is not None:
            yield fact._replace(path=(step,))
        elif depth < _DEEPEST:
            for fact in self._all(value, depth + 1, consume=False):
                yield fact._replace(path=(step, *fact.path))

    def _texts(self, value: object) -> Iterator[SeenFact]:
        for name, convert in (("str", str), ("repr", repr)):
            if not _defines(type(value), f"__{name}__") or (name == "repr" and has_written_repr(type(value))):
                continue
            text = _guarded(functools.partial(cast(Callable[[object], object], convert), value))
            fact = self.direct(text) if type(text) is str else None
            if fact is not None:
                yield fact._replace(path=(name,))


def _is_akin(held: object, cls: type) -> bool:
    """Whether what an object of ``cls`` holds is a container or of its own package: what a connection or a lock says of itself is
    nothing that the object does."""
    return id(type(held)) in _CONTAINERS or same_package(class_home(type(held)), class_home(cls))


def _is_defined_thing(value: object) -> bool:
    """A class or function, which says nothing of the object whose class hands it out."""
    return is_class(value) or id(type(value)) in _SILENT


def _is_opened(fact: SeenFact, value: object) -> bool:
    """Whether there is more to say of a value than this fact, which says all of it: the call that makes it may not make its
    equal."""
    return has_calls(fact.expected) and not is_standard(type(value))


def _as_builtin(value: object) -> object:
    """An instance of a subclass that compares as its built-in base does, as that."""
    cls = type(value)
    if id(cls) in _DICTS:
        return dict(cast(dict[object, object], value))
    for base, convert in _AS_BASE.items():
        if cls is not base and cls is not bool and derives(cls, base):
            compares = static_attribute(cls, "__eq__")
            if compares is not None and compares[0] is base:
                return convert(value)
    return _number_of(value)


def _number_of(value: object) -> object:
    """A number of a library of arrays, whose own code in C says which plain number it is."""
    cls = type(value)
    export = static_attribute(cls, "tolist")
    if export is None or type(export[1]) is not types.MethodDescriptorType or _defines(cls, "__len__"):
        return value
    held = _guarded(functools.partial(export[1], value)) if _defines(cls, "__array__") else value
    return held if type(held) is int or type(held) is float else value


def _export_of(cls: type) -> str | None:
    """The method by which what takes part in the protocol of arrays (``__array__``), whose comparisons go element by element,
    gives away all that is in it."""
    if not _defines(cls, "__array__"):
        return None
    return next((name for name in _EXPORTS if _defines(cls, name)), None)


def is_iterator(value: object) -> bool:
    """Whether a look at all items of ``value`` uses it up."""
    return id(type(value)) in _ITERATORS


def _defines(cls: type, name: str) -> bool:
    """Whether a class other than ``object`` gives instances of ``cls`` this method."""
    found = static_attribute(cls, name)
    return found is not None and found[0] is not object and found[1] is not None


def _kept(value: object) -> Iterator[tuple[str, object]]:
    """Public attributes in the instance itself, found without running anything."""
    cls = type(value)
    for name, held in list(instance_dict(value).items()):
        if type(name) is str and _is_public(name) and not _is_computed(cls, name):
            yield name, held
    for parent in class_mro(cls):
        if class_module(parent) == "builtins":
            continue  # ``ag_code`` of a generator
        for name, member in class_dict(parent).items():
            if type(member) is types.MemberDescriptorType and _is_public(name) and not _is_computed(cls, name):
                held = _guarded(functools.partial(member.__get__, value))
                if held is not _FAILED:
                    yield name, held


def _attributes(value: object) -> Iterator[str]:
    """The names of public attributes and properties."""
    seen: dict[str, None] = {}
    for name, _ in _kept(value):
        seen[name] = None
    for parent in class_mro(type(value)):
        if class_module(parent) == "builtins":
            continue  # ``real``, ``imag``; ``args``
        for name, member in class_dict(parent).items():
            if _is_public(name) and id(type(member)) in _PROPERTIES:
                seen[name] = None
    yield from seen


def _is_public(name: str) -> bool:
    return name.isidentifier() and not iskeyword(name) and not name.startswith("_")


def _is_computed(cls: type, name: str) -> bool:
    """Whether the class answers for the attribute, whatever the instance keeps under its name."""
    found = static_attribute(cls, name)
    if found is None or type(found[1]) is types.MemberDescriptorType:
        return False
    return _defines(type(found[1]), "__set__")


def _guarded(look: Callable[[], object]) -> object:
    """The result of code of the subject, whatever it raises but the end of its time."""
    try:
        return look()
    except TestTimeout:
        raise
    except BaseException:  # noqa: BLE001 (whatever a property or __str__ raises, SystemExit too, means that there is no such fact)
        return _FAILED
