"""Which functions a call leads to, and what goes where: the edges of the reading that cross from one function into another.

A call of a method leads to the methods of that name in the classes that its receiver may be of; where nothing tells these, to the
method of that name if the package has only one or two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from crashwright.engine.subject.api.types import ClassHint
from crashwright.engine.subject.introspection import class_dict, class_qualname
from crashwright.engine.wants.reading.call_expressions import LOOKING_UP
from crashwright.engine.wants.reading.package import Package
from crashwright.engine.wants.reading.values import (
    CallNote,
    ClassSymbol,
    DottedName,
    External,
    FunctionSymbol,
    Term,
    Value,
    WrittenValue,
)

Target = FunctionSymbol | ClassSymbol | External
_MOST_OVERRIDES = 4
_MOST_OF_A_NAME = 2
_BUILTIN_METHODS = frozenset(name for cls in (str, bytes, list, dict, set, int, tuple) for name in class_dict(cls))
_DEEPEST = 4


class Bound(NamedTuple):
    """What takes an argument: a parameter, or the field of a class. ``function`` is None for a field."""

    value: Value
    function: FunctionSymbol | None
    name: str


class Calls:
    """``classes_of`` tells the classes of the package that a value may be of, or the names of classes outside of it."""

    def __init__(self, package: Package, classes_of: Callable[[Value], list[ClassSymbol | External]]) -> None:
        self._package = package
        self._classes_of = classes_of
        self._callers: dict[FunctionSymbol | ClassSymbol, list[tuple[CallNote, int]]] = {}

    def targets(self, site: CallNote) -> list[Target]:
        """What the call leads to."""
        if site.known is None:
            site.known = []  # of a call that leads to itself
            site.known = list(dict.fromkeys(self._targets(site)))
        return site.known

    def _targets(self, site: CallNote) -> Iterator[Target]:
        if site.above is not None:
            above = self._package.method(site.above, site.name, after=True)
            if above is not None:
                yield above
            elif site.name == "__init__":
                yield from (cls for cls in self._package.order(site.above)[1:] if self._package.fields(cls))
            return
        if site.named is not None:
            yield from self._meant(site.named, 0)
            return
        receiver = site.receiver
        if isinstance(receiver, WrittenValue):
            if isinstance(receiver.literal, FunctionSymbol):
                yield receiver.literal
            else:
                name = class_qualname(receiver.hint.cls) if isinstance(receiver.hint, ClassHint) else ""
                yield External(f"{name}.{site.name}")
        elif isinstance(receiver, Value):
            if not site.of_itself:
                yield from self._of_method(receiver, site.name)
            elif receiver.receiver is not None:
                yield receiver.receiver
            else:
                yield from self._held(receiver, 0)

    def _meant(self, term: Term, depth: int) -> Iterator[Target]:
        meaning = self._package.meaning(term)
        if isinstance(meaning, FunctionSymbol | ClassSymbol | External):
            yield meaning
        elif isinstance(meaning, Value):
            yield from self._held(meaning, depth + 1)

    def _held(self, value: Value, depth: int) -> Iterator[Target]:
        """Functions and classes that a variable holds, or a table of them."""
        if depth > _DEEPEST:
            return
        for source in value.sources:
            if isinstance(source, Value):
                yield from self._held(source, depth + 1)
            elif isinstance(source, WrittenValue):
                if isinstance(source.literal, FunctionSymbol):
                    yield source.literal
            else:
                yield from self._meant(source, depth + 1)
        if value.owned is not None and (method := self._package.method(*value.owned)) is not None:
            yield method
        if value.part_of is not None and value.part_of.kind != "attribute":
            yield from self._in_table(value.part_of.whole, depth)
        if value.made_by is not None and value.made_by.name in LOOKING_UP:
            table = self._looked_up_in(value.made_by)
            yield from self._in_table(table, depth) if table is not None else ()

    def _looked_up_in(self, site: CallNote) -> Value | None:
        """The table, where ``get`` is called on one."""
        if isinstance(site.named, DottedName):
            found = self._package.meaning(site.named._replace(parts=site.named.parts[:-1]))
            return found if isinstance(found, Value) else None
        return site.receiver if isinstance(site.receiver, Value) and not site.of_itself else None

    def _in_table(self, table: Value, depth: int) -> Iterator[Target]:
        sources = (self._package.meaning(source) for source in table.sources)
        inner = [source for source in sources if isinstance(source, Value)]
        for one in (table, *inner, *(source for held in inner for source in held.sources if isinstance(source, Value))):
            held = [*(one.keys or {}).values(), *([one.items] if one.items is not None else [])]
            for part in held[:24]:
                yield from self._held(part, depth + 1) if part.part_of is not None and part.sources else ()

    def _of_method(self, receiver: Value, name: str) -> Iterator[Target]:
        package = self._package
        if receiver.receiver is not None:
            yield from self._of_own(receiver.receiver, name)
            return
        classes = self._classes_of(receiver)
        for cls in classes:
            if isinstance(cls, External):
                yield External(f"{cls.name}.{name}")
            elif (method := package.method(cls, name)) is not None:
                yield method
                yield from self._overriding(cls, name)
        named = package.methods.get(name, [])
        if not classes and name not in _BUILTIN_METHODS and len(named) <= _MOST_OF_A_NAME:
            yield from named

    def _of_own(self, owner: ClassSymbol, name: str) -> Iterator[Target]:
        method = self._package.method(owner, name)
        if method is not None:
            yield method
        elif name in owner.attributes:
            yield from self._held(owner.attributes[name], 0)
        yield from self._overriding(owner, name)

    def _overriding(self, cls: ClassSymbol, name: str) -> Iterator[FunctionSymbol]:
        found = (below.methods[name] for below in self._package.below(cls) if name in below.methods)
        yield from (one for one, _ in zip(found, range(_MOST_OVERRIDES), strict=False))

    # Arguments

    def bound(self, site: CallNote, place: int | str) -> Iterator[Bound]:
        """The parameters that take what is passed at ``place``."""
        for target, offset in self._bindings(site):
            moved = place + offset if type(place) is int else place
            if type(moved) is int and moved < 0:
                continue
            if isinstance(target, ClassSymbol):
                yield from self._of_constructor(target, moved)
            else:
                yield from self._of_function(target, moved)

    def _bindings(self, site: CallNote) -> Iterator[tuple[FunctionSymbol | ClassSymbol, int]]:
        """Functions and classes with how far positions are moved: by what a partial has passed, or by a receiver that is passed."""
        for target in self.targets(site):
            if isinstance(target, External):
                first = site.argument(0)
                if target.name in ("functools.partial", "partial") and first is not None and not isinstance(first, WrittenValue):
                    inner = self._held(first, 0) if isinstance(first, Value) else self._meant(first, 0)
                    yield from ((one, -1) for one in inner if not isinstance(one, External))
            elif isinstance(target, FunctionSymbol) and _passes_receiver(site, target):
                yield target, -1
            else:
                yield target, 0

    def _of_function(self, function: FunctionSymbol, place: int | str) -> Iterator[Bound]:
        if place == "**":
            taken = [(name, function.parameters[name]) for name in function.parameters if name != function.star]
            yield from (Bound(value, function, name) for name, value in taken if name == function.stars)
            return
        value = function.place_of(place)
        if value is not None:
            yield Bound(value, function, _name_of(value, place))

    def _of_constructor(self, symbol: ClassSymbol, place: int | str) -> Iterator[Bound]:
        function = self._package.constructor(symbol)
        if function is not None:
            yield from self._of_function(function, place)
            return
        fields = self._package.fields(symbol)
        if type(place) is int and place < len(fields):
            cls, name = fields[place]
            yield Bound(cls.attribute(name, cls.line), None, name)
        elif type(place) is str:
            yield from (Bound(cls.attribute(name, cls.line), None, name) for cls, name in fields if name == place)

    def spread(self, site: CallNote) -> Iterator[tuple[str, Value]]:
        """The named parameters that a mapping may fill which is spread into a call: all that nothing else is passed to."""
        given = {place for place, _ in site.arguments if type(place) is str}
        count = sum(type(place) is int for place, _ in site.arguments)
        for target, offset in self._bindings(site):
            function = self._package.constructor(target) if isinstance(target, ClassSymbol) else target
            if function is None and isinstance(target, ClassSymbol):
                fields = self._package.fields(target)[count:]
                yield from ((name, cls.attribute(name, cls.line)) for cls, name in fields if name not in given)
            elif function is not None:
                positional = set(function.positional[: count + offset])
                for name, value in function.parameters.items():
                    if name not in given and name not in positional and name not in (function.star, function.stars):
                        yield name, value

    def passed_to(self, function: FunctionSymbol, name: str) -> Iterator[tuple[CallNote, Term]]:
        """What calls pass to a parameter of a function (behind a double star: to a keyword ``name`` of it)."""
        place = function.positional.index(name) if name in function.positional else None
        for site, offset in self.callers(function):
            for known, term in site.arguments:
                moved = known + offset if type(known) is int else known
                if moved == name or (moved == place and place is not None) or (known == "**" and name == function.stars):
                    yield site, term
                elif known == "**" and isinstance(term, Value) and name in (term.keys or {}):
                    yield site, (term.keys or {})[name]
                elif known == "**" and isinstance(term, Value) and term.parameter is not None:
                    yield site, term.key(name, site.line)

    def passed_to_field(self, symbol: ClassSymbol, name: str) -> Iterator[tuple[CallNote, Term]]:
        """Likewise for a field of a class whose constructor nobody wrote."""
        for cls in (symbol, *self._package.below(symbol)):
            names = [one for _, one in self._package.fields(cls)]
            if name not in names or self._package.constructor(cls) is not None:
                continue
            place = names.index(name)
            for site, _ in self.callers(cls):
                yield from ((site, term) for known, term in site.arguments if known in (name, place) and type(known) is not bool)

    def callers(self, function: FunctionSymbol | ClassSymbol) -> list[tuple[CallNote, int]]:
        """The calls that lead to it, with how far their positions are moved."""
        known = self._callers.get(function)
        if known is None:
            self._callers[function] = []
            known = self._callers[function] = list(self._calling(function))
        return known

    def _calling(self, function: FunctionSymbol | ClassSymbol) -> Iterator[tuple[CallNote, int]]:
        names = {function.name, "partial"}
        owner = function.owner if isinstance(function, FunctionSymbol) else None
        if owner is not None and function.name in ("__init__", "__new__"):
            below = [cls for cls in self._package.below(owner) if self._package.constructor(cls) is function]
            names |= {owner.name, "cls", "__class__", *(cls.name for cls in below)}
        for name in sorted(names):
            for site in self._package.sites.get(name, ()):
                for target, offset in self._bindings(site):
                    made = self._package.constructor(target) if isinstance(target, ClassSymbol) else target
                    if made is function or target is function:
                        yield site, offset
                        break


def _passes_receiver(site: CallNote, function: FunctionSymbol) -> bool:
    """``Base.method(self, ...)``: the receiver is the first argument."""
    if function.owner is None or not isinstance(site.named, DottedName) or len(site.named.parts) < 2:
        return False
    return not (function.is_decorated("classmethod") or function.is_decorated("staticmethod"))


def _name_of(value: Value, place: int | str) -> str:
    return value.parameter[1] if value.parameter is not None else str(place)
