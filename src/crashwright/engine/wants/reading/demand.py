"""What the code asks of a value: everything that is done with it, wherever it goes.

A value goes where it is assigned and where it is passed: into parameters of other functions, attributes of classes, and from there
on. What is asked there is asked of it, a little less with each step.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from crashwright.engine.subject.api.types import NONE, ClassHint, Hint, TypeHint, is_any
from crashwright.engine.subject.introspection import class_dict, class_module, class_mro
from crashwright.engine.subject.usage.use_hints import BUILTINS, METHODS, OTHERS
from crashwright.engine.wants.parameter_names import said_by_name, snake_case
from crashwright.engine.wants.reading.evidence import Evidences, TypeEvidence, together
from crashwright.engine.wants.reading.library import signatures
from crashwright.engine.wants.reading.values import ClassSymbol, External, Value
from crashwright.engine.wants.want import Origin

_STEP = 0.85
_LEAST = 0.35
_MOST = 60
"""Values that one is followed into."""
SIBLING, COMPARED, SAID, SAID_BY_CLASS, LITERAL, LIBRARY, HAVING = 0.6, 0.7, 0.9, 1.6, 2.0, 2.0, 2.5
"""What else is assigned to what it is assigned to; what it is compared with; what its name says, and the name of a class; a literal
that it is compared with; a function of the standard library that takes it; a class that has what is asked of it."""
_ALIKE = 1.2
"""What the other parameters of that name are."""
_MOST_ALIKE = 10
_CONTRADICTED = 0.1
"""What is left of a type that lacks what is asked."""
_TELLING_NOTHING = frozenset({"optional", "truth", "await", "with"})
_CHARACTERS: tuple[Hint, ...] = (ClassHint(str), ClassHint(bytes))
"""Whose items are characters."""
_ROOT_ATTRIBUTES = frozenset(dir(object))


class Reached(NamedTuple):
    """A value that the one in question flows into, and how much what is asked of it counts."""

    value: Value
    share: float


class Demands:
    """What is asked of the values of one package."""

    def __init__(self, evidences: Evidences) -> None:
        self.evidences = evidences
        self._package = evidences.package
        self._having: dict[str, list[ClassSymbol]] | None = None
        self._by_snake: dict[str, Hint] = {
            snake_case(name): ClassHint(evidences.classes.cls(found[0]))
            for name, found in sorted(self._package.by_class_name.items())
            if not name.startswith("_") or len(found) == 1
        }
        self._alike: dict[str, tuple[TypeEvidence, ...]] = {}
        self._named: dict[str, list[Value]] | None = None
        self._types: dict[int, tuple[TypeEvidence, ...]] = {}

    def reached(self, roots: Sequence[Reached]) -> list[Reached]:
        """The values, and all that they flow into, nearest first."""
        found: dict[int, Reached] = {id(one.value): one for one in roots}
        waiting = list(found.values())
        for one in waiting:
            share = one.share * _STEP
            if share < _LEAST or len(found) > _MOST:
                continue
            for target in self._next(one.value):
                if id(target) not in found:
                    found[id(target)] = Reached(target, share)
                    waiting.append(found[id(target)])
        return waiting

    def _next(self, value: Value) -> Iterator[Value]:
        yield from value.flows
        for site, place in value.passed:
            for bound in self.evidences.calls.bound(site, place):
                yield bound.value
        if value.owned is not None:
            symbol, name = value.owned
            for cls in (*self._package.order(symbol), *self._package.below(symbol)[:6]):
                if name in cls.attributes:
                    yield cls.attributes[name]
        part = value.part_of
        if part is not None and part.kind == "key" and type(part.name) is str:
            yield from self._through(part.whole, part.name)

    def parts_called(self, name: str) -> Iterator[Value]:
        """What parameters, attributes and their elements have under the name of an attribute: objects, mostly, that keep it."""
        whole = [value for function in self._package.functions for value in function.parameters.values()]
        whole += [value for symbol in self._package.classes for value in symbol.attributes.values()]
        for value in (*whole, *(value.items for value in whole if value.items is not None)):
            if value.attributes is not None and name in value.attributes:
                yield value.attributes[name]

    def _through(self, whole: Value, name: str) -> Iterator[Value]:
        """Where one keyword goes that is passed on with all others."""
        for site, place in whole.passed:
            if place == "**":
                yield from (value for known, value in self.evidences.calls.spread(site) if known == name)
                for bound in self.evidences.calls.bound(site, "**"):
                    yield bound.value.key(name, site.line)

    # Types

    def types(self, value: Value, name: str = "") -> tuple[TypeEvidence, ...]:
        """All that speaks for one type or another, the likeliest first. ``name``: of the parameter or attribute."""
        known = self._types.get(id(value))
        if known is None:
            known = self._types[id(value)] = self.ranked([Reached(value, 1.0)], name)
        return known

    def ranked(self, roots: Sequence[Reached], name: str) -> tuple[TypeEvidence, ...]:
        """As :meth:`types`, of several values that are one, as the items of all that a list flows into."""
        reached = self.reached(roots)
        found = [*self._direct(roots, reached), *self._by_name(name), *self._of_its_name(name)]
        attributes, _ = self.asked(reached)
        merged = together(one for one in found if one.hint != NONE)
        # Who asks for a class reads what others lack where it is there alone.
        tested = {one.hint for root in reached for one in self.evidences.tested(root.value)}
        unfit = _CHARACTERS if any(one.hint in _CHARACTERS for one in merged) and self._holds_more(reached) else ()
        judged = [
            one if one.hint in tested else one._replace(weight=one.weight * self._fits(one.hint, attributes, unfit))
            for one in merged
        ]
        return tuple(sorted(judged, key=lambda one: -one.weight))

    def _direct(self, roots: Sequence[Reached], reached: Sequence[Reached]) -> list[TypeEvidence]:
        found: list[TypeEvidence] = []
        for root in roots:
            found += _scaled(self.evidences.given(root.value), root.share)
        itself = {id(one.value) for one in roots}
        for one in reached:
            found += _scaled(self._at(one.value, id(one.value) in itself), one.share)
        return [*found, *self._by_use(*self.asked(reached))]

    def _at(self, value: Value, is_itself: bool) -> Iterator[TypeEvidence]:
        """What is asked of it where it stands, and what else is there."""
        yield from self.evidences.tested(value)
        for literal, line in value.literals[:4]:
            yield TypeEvidence(ClassHint(type(literal)), LITERAL, f"is compared with {literal!r}", Origin(value.module.path, line))
        for site, place in value.passed:
            for target in self.evidences.calls.targets(site):
                known = signatures().get(target.name) if isinstance(target, External) else None
                if known is not None and isinstance(target, External) and not is_any(hint := known.takes(place)):
                    yield TypeEvidence(hint, LIBRARY, f"is passed to {target.name}", Origin(site.module.path, site.line))
        for term in value.compared[:6]:
            yield from _scaled(self.evidences.of_term(term, value.module, value.line, 2), COMPARED)
        if not is_itself:
            yield from _scaled(self.evidences.given(value, 1), SIBLING)
            if value.parameter is not None:
                yield from self._by_name(value.parameter[1])

    def asked(self, reached: Sequence[Reached]) -> tuple[dict[str, float], dict[str, float]]:
        """The attributes and operations, with how much they count."""
        attributes: dict[str, float] = {}
        operations: dict[str, float] = {}
        for value, share in reached:
            names = [*(value.attributes or ()), *(site.name for site in value.methods if not site.of_itself)]
            for name in names:
                attributes[name] = max(attributes.get(name, 0.0), share)
            noted = [*(value.operations or ()), *("call" for site in value.methods if site.of_itself)]
            for operation in noted:
                if operation not in _TELLING_NOTHING:
                    operations[operation] = max(operations.get(operation, 0.0), share)
        return {name: share for name, share in attributes.items() if name not in _ROOT_ATTRIBUTES}, operations

    def _by_use(self, attributes: dict[str, float], operations: dict[str, float]) -> Iterator[TypeEvidence]:
        total = sum(attributes.values()) + sum(operations.values())
        if not total:
            return
        scored: list[tuple[float, float, Hint]] = []
        for table in (BUILTINS, OTHERS):
            for cls, weight, known in table:
                has = sum(share for name, share in attributes.items() if _has(cls, name))
                does = sum(share for operation, share in operations.items() if operation in known.split())
                if has or (does and table is BUILTINS):
                    scored.append(((has + does) / total, weight / 3.0, ClassHint(cls)))
        scored += self._own_classes(attributes, operations, total)
        best = max((share for share, _, _ in scored), default=0.0)
        strength = min(1.0, 0.4 + 0.2 * total)
        for share, weight, hint in scored:
            if share >= best - 0.01 and best >= 0.5:
                yield TypeEvidence(hint, HAVING * weight * strength * share, f"has {_few(attributes, operations)}", None)

    def _own_classes(
        self, attributes: dict[str, float], operations: dict[str, float], total: float
    ) -> list[tuple[float, float, Hint]]:
        counted: dict[ClassSymbol, float] = defaultdict(float)
        for name, share in attributes.items():
            for symbol in self._classes_having(name):
                counted[symbol] += share
        if not counted:
            return []
        for symbol in counted:
            for operation, share in operations.items():
                if any(symbol in self._classes_having(method) for method in METHODS.get(operation, ())):
                    counted[symbol] += share
        best = max(counted.values())
        roots = self._roots([symbol for symbol, count in counted.items() if count >= best - 0.01])
        weight = 1.4 / math.sqrt(len(roots))
        return [(best / total, weight, ClassHint(self.evidences.classes.cls(one))) for one in roots[:12]]

    def having(self, names: Collection[str]) -> list[ClassSymbol]:
        """The classes that have all of ``names``."""
        groups = [set(self._classes_having(name)) for name in names]
        shared = set.intersection(*groups) if groups else set()
        return self._roots([symbol for symbol in self._package.classes if symbol in shared])

    def _roots(self, symbols: Sequence[ClassSymbol]) -> list[ClassSymbol]:
        """What all of a family have is asked of its root."""
        return [one for one in symbols if not any(other in symbols for other in self._package.order(one)[1:])]

    def _classes_having(self, name: str) -> list[ClassSymbol]:
        if self._having is None:
            self._having = defaultdict(list)
            for symbol in self._package.classes:
                names: set[str] = set()
                for cls in self._package.order(symbol):
                    names.update(cls.methods, cls.attributes, cls.names, cls.fields)
                for one in sorted(names):
                    self._having[one].append(symbol)
        return self._having.get(name, [])

    def _holds_more(self, reached: Sequence[Reached]) -> bool:
        """Whether its parts are asked for what no character has."""
        for value, _ in reached:
            parts = [*(value.keys or {}).values(), *([] if value.items is None else [value.items])]
            for one in self.reached([Reached(part, 1.0) for part in parts]) if parts else ():
                asked = [*(one.value.attributes or ()), *(site.name for site in one.value.methods if not site.of_itself)]
                if any(type(key) is str for key in one.value.keys or ()) or any(not _has(str, name) for name in asked):
                    return True
        return False

    def _fits(self, hint: Hint, attributes: dict[str, float], unfit: Collection[Hint]) -> float:
        """Less for a class that lacks most of what is asked."""
        if hint in unfit:
            return _CONTRADICTED
        if isinstance(hint, TypeHint):
            return 1.0
        if not isinstance(hint, ClassHint) or not attributes:
            return 1.0
        symbol = self.evidences.classes.symbol(hint)
        if symbol is not None:
            lacking = [share for name, share in attributes.items() if symbol not in self._classes_having(name)]
            if self._package.foreign(symbol):
                return 1.0
        elif class_module(hint.cls) == "builtins" or any(hint.cls is cls for cls, *_ in OTHERS):
            lacking = [share for name, share in attributes.items() if not _has(hint.cls, name)]
        else:
            return 1.0
        return 1.0 - (1.0 - _CONTRADICTED) * min(1.0, sum(lacking) / max(0.5, 0.5 * sum(attributes.values())))

    # Names

    def _by_name(self, name: str) -> Iterator[TypeEvidence]:
        said = said_by_name(name, self._by_snake) if name else None
        if said is not None:
            symbol = self.evidences.classes.symbol(said)
            yield TypeEvidence(said, SAID if symbol is None else SAID_BY_CLASS, f"is called {name}", None)

    def _of_its_name(self, name: str) -> Iterator[TypeEvidence]:
        """What other parameters of that name are."""
        if not name:
            return
        if name not in self._alike:
            self._alike[name] = ()
            votes = []
            for value in self._values_named(name)[:_MOST_ALIKE]:
                roots = [Reached(value, 1.0)]
                found = sorted(self._direct(roots, self.reached(roots)), key=lambda one: -one.weight)
                votes += [one for one in together(one for one in found if one.hint != NONE)[:1] if one.weight >= 1.0]
            why = f"is what {name} is elsewhere"
            self._alike[name] = tuple(one._replace(weight=_ALIKE * min(1.0, one.weight / 2), why=why) for one in together(votes))
        yield from self._alike[name]

    def _values_named(self, name: str) -> list[Value]:
        if self._named is None:
            self._named = defaultdict(list)
            for function in self._package.functions:
                for parameter, value in function.parameters.items():
                    if parameter not in (function.star, function.stars):
                        self._named[parameter].append(value)
        return self._named.get(name, [])


def _scaled(found: Iterable[TypeEvidence], share: float) -> Iterator[TypeEvidence]:
    for one in found:
        yield one._replace(weight=one.weight * share)


def _has(cls: type, name: str) -> bool:
    return any(name in class_dict(parent) for parent in class_mro(cls))


def _few(attributes: dict[str, float], operations: dict[str, float]) -> str:
    names = [f".{name}" for name in attributes] or list(operations)
    return ", ".join(names[:4])
