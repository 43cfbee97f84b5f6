"""What a value is, as far as the source tells: from what is assigned to it, passed for it, returned into it.

The other direction, what the code that gets a value asks of it, is in ``demand``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crashwright.engine.subject.api.types import ANY, NONE, ClassHint, Hint, TypeHint, UnionHint, is_any
from crashwright.engine.subject.introspection import class_module, class_qualname
from crashwright.engine.wants.reading.call_expressions import LOOKING_UP
from crashwright.engine.wants.reading.calls import Calls
from crashwright.engine.wants.reading.classes import Classes
from crashwright.engine.wants.reading.expressions import CALLABLE
from crashwright.engine.wants.reading.library import signatures
from crashwright.engine.wants.reading.package import Package
from crashwright.engine.wants.reading.values import (
    CallNote,
    ClassSymbol,
    DottedName,
    External,
    FunctionSymbol,
    Module,
    Term,
    Value,
    WrittenValue,
)
from crashwright.engine.wants.want import Origin

ANNOTATED, DOCUMENTED, MADE, TESTED, REGISTERED, WRITTEN = 8.0, 4.0, 2.0, 3.0, 1.5, 1.8
"""What an annotation, a docstring, a call of the class, ``isinstance``, a decorator that is given the class, and a default or a
value that is assigned weigh; a value that comes from further away weighs one."""
_HOP = 0.8
"""What is left from one variable to the next."""
_DEEPEST = 5
_MOST_CALLS = 16
_MORE = 0.3
"""What each further fact for the same type adds."""


class TypeEvidence(NamedTuple):
    """One type, what speaks for it, and where that is written."""

    hint: Hint
    weight: float
    why: str
    origin: Origin | None


class Evidences:
    """What the values of one package are. Each is looked at once."""

    def __init__(self, package: Package, is_live: bool) -> None:
        self.package = package
        self.classes = Classes(package, is_live)
        self.calls = Calls(package, self.classes_of)
        self._known: dict[int, tuple[TypeEvidence, ...]] = {}
        self._entered: set[int] = set()
        self._ready: dict[int, list[ClassSymbol | External]] = {}

    def classes_of(self, value: Value) -> list[ClassSymbol | External]:
        """The classes that it may be of, the likeliest first; those that are tested for if nothing else tells."""
        known = self._ready.get(id(value))
        if known is None:
            self._ready[id(value)] = []
            found = self.given(value, 1) or tuple(self.tested(value))
            ranked = sorted(found, key=lambda one: -one.weight)[:3]
            known = self._ready[id(value)] = [cls for one in ranked if (cls := self._class(one.hint)) is not None]
        return known

    def _class(self, hint: Hint) -> ClassSymbol | External | None:
        symbol = self.classes.symbol(hint)
        if symbol is not None or not isinstance(hint, ClassHint) or hint == NONE:
            return symbol
        module, qualname = class_module(hint.cls), class_qualname(hint.cls)
        return External(qualname if module == "builtins" else f"{module}.{qualname}")

    # What it is given

    def given(self, value: Value, depth: int = 0) -> tuple[TypeEvidence, ...]:
        """The types that flow into it."""
        known = self._known.get(id(value))
        if known is not None:
            return known
        if depth > _DEEPEST or id(value) in self._entered:
            return ()
        self._entered.add(id(value))
        found = together(self._into(value, depth))
        self._entered.discard(id(value))
        if depth <= 2:
            self._known[id(value)] = found
        return found

    def _into(self, value: Value, depth: int) -> Iterator[TypeEvidence]:
        for source in value.sources:
            yield from self.of_term(source, value.module, value.line, depth)
        if value.receiver is not None:
            yield TypeEvidence(ClassHint(self.classes.cls(value.receiver)), TESTED, "is self", None)
        if value.parameter is not None:
            yield from self._for_parameter(*value.parameter, depth)
        if value.made_by is not None:
            yield from self._made(value.made_by, depth)
        if value.owned is not None:
            yield from self._of_attribute(*value.owned, depth)
        if value.part_of is not None:
            yield from self._of_part(value, depth)

    def of_term(self, term: Term, module: Module, line: int, depth: int) -> Iterator[TypeEvidence]:
        """What a term is."""
        origin = Origin(module.path, line)
        if isinstance(term, WrittenValue):
            if not is_any(term.hint):
                yield TypeEvidence(term.hint, WRITTEN if depth == 0 else 1.0, "is given", origin)
        elif isinstance(term, Value):
            yield from _weaker(self.given(term, depth + 1), _HOP)
        elif term is not None:
            yield from self._meant(term, origin, depth)

    def _meant(self, term: DottedName | FunctionSymbol | ClassSymbol, origin: Origin, depth: int) -> Iterator[TypeEvidence]:
        meaning = self.package.meaning(term)
        if isinstance(meaning, FunctionSymbol):
            yield TypeEvidence(CALLABLE, 1.0, f"is given {meaning.qualname}", origin)
        elif isinstance(meaning, ClassSymbol):
            yield TypeEvidence(TypeHint(self.classes.cls(meaning)), 1.0, f"is given the class {meaning.name}", origin)
        elif isinstance(meaning, Value):
            owned = meaning.owned
            if owned is not None and self.package.is_enum(owned[0]):
                yield TypeEvidence(ClassHint(self.classes.cls(owned[0])), MADE, f"is given a member of {owned[0].name}", origin)
            else:
                yield from _weaker(self.given(meaning, depth + 1), _HOP)
        elif isinstance(meaning, External):
            hint = self.classes.hint(meaning)
            if isinstance(hint, ClassHint):
                yield TypeEvidence(TypeHint(hint.cls), 1.0, f"is given the class {meaning.name}", origin)

    def told(self, function: FunctionSymbol, name: str) -> Iterator[TypeEvidence]:
        """Annotation and docstring."""
        origin = Origin(function.module.path, function.node.lineno)
        for hint in _arms(self.classes.of_parameter(function, name)):
            yield TypeEvidence(hint, ANNOTATED, "is annotated", origin)
        for hint in _arms(self.classes.documented(function).get(name, ANY)):
            yield TypeEvidence(hint, DOCUMENTED, "is documented", origin)

    def _for_parameter(self, function: FunctionSymbol, name: str, depth: int) -> Iterator[TypeEvidence]:
        if name == function.star:
            yield TypeEvidence(ClassHint(tuple), ANNOTATED, "takes the other arguments", None)
            return
        if name == function.stars:
            yield TypeEvidence(ClassHint(dict), ANNOTATED, "takes the other keywords", None)
            return
        yield from self.told(function, name)
        for term, line in function.registered if function.positional[:1] == [name] else ():
            meaning = self.package.meaning(term)
            hint = self.classes.hint(meaning) if isinstance(meaning, ClassSymbol | External) else ANY
            if not is_any(hint):
                yield TypeEvidence(hint, REGISTERED, "is registered for it", Origin(function.module.path, line))
        passed = [*self.calls.passed_to(function, name)][:_MOST_CALLS]
        for site, term in passed:
            for one in self.of_term(term, site.module, site.line, depth + 1):
                yield one._replace(weight=one.weight * _HOP, why="is passed", origin=Origin(site.module.path, site.line))

    def _of_attribute(self, symbol: ClassSymbol, name: str, depth: int) -> Iterator[TypeEvidence]:
        for cls in self.package.order(symbol):
            annotation = cls.annotations.get(name)
            for hint in () if annotation is None else _arms(self.classes.annotated(cls.module, annotation)):
                yield TypeEvidence(hint, ANNOTATED, "is annotated", Origin(cls.module.path, annotation.lineno if annotation else 1))
            if cls is not symbol and name in cls.attributes:
                yield from _weaker(self.given(cls.attributes[name], depth + 1), _HOP)
            if name in cls.methods:
                yield from self.of_method(cls.methods[name], depth)
        for below in self.package.below(symbol)[:4]:
            if name in below.attributes:
                yield from _weaker(self.given(below.attributes[name], depth + 1), _HOP / 2)
        for site, term in [*self.calls.passed_to_field(symbol, name)][:_MOST_CALLS]:
            yield from _weaker(self.of_term(term, site.module, site.line, depth + 1), _HOP)

    def of_method(self, function: FunctionSymbol, depth: int) -> Iterator[TypeEvidence]:
        """What reading a method gives: of a property what it returns."""
        if any(one is not None and one.parts[-1].endswith("property") for one in function.decorators):
            yield from self.result(function, depth)
        else:
            yield TypeEvidence(CALLABLE, MADE, f"is {function.qualname}", Origin(function.module.path, function.node.lineno))

    def _of_part(self, value: Value, depth: int) -> Iterator[TypeEvidence]:
        part = value.part_of
        if part is None:
            return
        whole = part.whole
        if part.kind == "attribute":
            for cls in self.classes_of(whole):
                if isinstance(cls, ClassSymbol):
                    yield from self._attribute(cls, str(part.name), depth)
            return
        function, name = whole.parameter or (None, "")
        if function is not None and name == function.stars and type(part.name) is str:
            for site, term in [*self.calls.passed_to(function, part.name)][:_MOST_CALLS]:
                yield from _weaker(self.of_term(term, site.module, site.line, depth + 1), _HOP)
        yield from self._of_members(whole, part.kind, part.name, depth)

    def _attribute(self, cls: ClassSymbol, name: str, depth: int) -> Iterator[TypeEvidence]:
        member = self.package.member(cls, name)
        if isinstance(member, Value):
            yield from _weaker(self.given(member, depth + 1), _HOP)
        elif isinstance(member, FunctionSymbol):
            yield from self.of_method(member, depth)

    def _of_members(self, whole: Value, kind: str, name: str | int | None, depth: int) -> Iterator[TypeEvidence]:
        """What the same part of what it was made of holds, and what its type says of its parts."""
        for source in whole.sources:
            if isinstance(source, Value):
                part = (source.keys or {}).get(name) if kind == "key" and name is not None else None
                for held in (part, source.items):
                    if held is not None:
                        yield from _weaker(self.given(held, depth + 1), _HOP)
        if kind == "key" and whole.items is not None:
            yield from _weaker(self.given(whole.items, depth + 1), _HOP)
        if kind == "item" and whole.sources:
            for place, inner in list((whole.keys or {}).items())[:4]:
                if type(place) is int:
                    yield from _weaker(self.given(inner, depth + 1), _HOP)
        for one in self.given(whole, depth + 1):
            hint = _member_of(one.hint, name if kind == "key" else None)
            if not is_any(hint):
                yield one._replace(hint=hint, weight=one.weight * _HOP)

    def upstream(self, value: Value) -> Iterator[Value]:
        """The values that are assigned to it or passed for it."""
        yield from (source for source in value.sources if isinstance(source, Value))
        if value.parameter is not None:
            passed = [*self.calls.passed_to(*value.parameter)][:_MOST_CALLS]
            yield from (term for _, term in passed if isinstance(term, Value))

    # Results

    def _made(self, site: CallNote, depth: int) -> Iterator[TypeEvidence]:
        origin = Origin(site.module.path, site.line)
        for target in self.calls.targets(site):
            if isinstance(target, ClassSymbol):
                yield TypeEvidence(ClassHint(self.classes.cls(target)), MADE, f"is a {target.name}", origin)
            elif isinstance(target, FunctionSymbol):
                yield from _weaker(self.result(target, depth), _HOP)
            else:
                known = signatures().get(target.name)
                hint = self.classes.hint(target) if known is None else known.gives
                if not is_any(hint):
                    yield TypeEvidence(hint, MADE, f"is what {target.name} gives", origin)
                elif site.name in LOOKING_UP and isinstance(site.receiver, Value):
                    yield from self._looked_up(site.receiver, depth)

    def _looked_up(self, table: Value, depth: int) -> Iterator[TypeEvidence]:
        for one in self.given(table, depth + 1):
            hint = _member_of(one.hint, None)
            if not is_any(hint):
                yield one._replace(hint=hint, weight=one.weight * _HOP)

    def result(self, function: FunctionSymbol, depth: int) -> Iterator[TypeEvidence]:
        """What a function returns."""
        origin = Origin(function.module.path, function.node.lineno)
        declared = [*_arms(self.classes.of_result(function)), *_arms(self.classes.documented(function).get("return", ANY))]
        for hint in declared:
            yield TypeEvidence(hint, DOCUMENTED, f"is what {function.qualname} returns", origin)
        if function.owner is not None and function.name == "__enter__" and not declared:
            yield TypeEvidence(ClassHint(self.classes.cls(function.owner)), MADE, "is entered", origin)
        yield from _weaker(self.given(function.returned, depth + 1), _HOP)

    def tested(self, value: Value) -> Iterator[TypeEvidence]:
        """The classes that ``isinstance`` asks for."""
        for term, line in value.tested:
            hint = self.classes.hint(self.package.meaning(term))
            if not is_any(hint):
                yield TypeEvidence(hint, TESTED, "is tested for", Origin(value.module.path, line))


def together(found: Iterable[TypeEvidence]) -> tuple[TypeEvidence, ...]:
    """One for each type: the strongest, and a little for each further one."""
    known: dict[tuple[type, Hint], TypeEvidence] = {}
    for one in found:
        key = type(one.hint), one.hint
        other = known.get(key)
        if other is None:
            known[key] = one
        else:
            first, second = (one, other) if one.weight > other.weight else (other, one)
            weight = first.weight + _MORE * min(second.weight, 1.0)
            told = second if first.origin is None else first  # what has a line is what people can look up
            known[key] = told._replace(weight=weight)
    return tuple(known.values())


def _weaker(found: Iterable[TypeEvidence], share: float) -> Iterator[TypeEvidence]:
    for one in found:
        yield one._replace(weight=one.weight * share)


def _arms(hint: Hint) -> tuple[Hint, ...]:
    return tuple(one for one in (hint.members if isinstance(hint, UnionHint) else (hint,)) if not is_any(one))


def _member_of(hint: Hint, place: str | int | None) -> Hint:
    """What is in a container of that type."""
    if not isinstance(hint, ClassHint) or not hint.arguments:
        return ClassHint(str) if isinstance(hint, ClassHint) and hint.cls is str else ANY
    if hint.cls is tuple and type(place) is int and place < len(hint.arguments):
        return hint.arguments[place]
    last = hint.arguments[-1]
    return last if isinstance(last, ClassHint | TypeHint | UnionHint) else hint.arguments[0]
