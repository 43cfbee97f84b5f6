"""What a model says that has to be there: the objects that arguments lead to, and what containers hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.composition.goal import CompositionGoal, Heap
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, SCALARS
from crashwright.symbolic.solving.models import Assignment
from crashwright.symbolic.values import arrays, literals, tags
from crashwright.symbolic.values.logic import and_

KINDS: Final = {address: name for name, (address, _) in CONTAINERS.items()}
CLASSES: Final = literals.given(Sort.CLASSES, "classes")
NOBODYS: Final = "?:"
"""How names of classes begin that the solver thought out."""


class FoundObject(NamedTuple):
    """An object that the model has: ``term`` leads to it; ``number`` is its reference, ``address`` its class."""

    term: Term
    number: int
    address: str


class Held(NamedTuple):
    """What a container holds: ``items`` by index or key (a literal), as terms; ``size`` at least."""

    items: dict[Term, Term]
    size: int
    absent: frozenset[Term] = frozenset()


class Model:
    """An assignment, and the heap that it is about."""

    def __init__(self, goal: CompositionGoal, assignment: Assignment, heap: Heap) -> None:
        self._goal = goal
        self._assignment = assignment
        self._heap = heap

    def value(self, term: Term) -> Term | None:
        """A literal, or of a value that and its alternative."""
        return self._assignment.value_of(term)

    def constant(self, term: Term) -> Term | None:
        """What a value is, where that is no object."""
        value = self.value(term)
        return None if value is None or value.op in (Op.OF_REFERENCE, Op.OF_CLASS, Op.UNDEFINED) else value

    def found(self, term: Term) -> FoundObject | None:
        """The object that a value is."""
        value = self.value(term)
        if value is None or value.op is not Op.OF_REFERENCE or not isinstance(value.args[0].payload, int):
            return None
        return FoundObject(term, value.args[0].payload, self.class_of(value.args[0]))

    def class_of(self, reference: Term) -> str:
        """Of an object."""
        which = self.value(arrays.select(CLASSES, reference))
        return "" if which is None else str(which.payload)

    def reached(self, roots: Iterable[Term], made: Iterable[int]) -> Iterator[FoundObject]:
        """The objects that are no builtin containers, from the roots on, but for those that are ``made``."""
        waiting, seen = list(roots), set(made)
        while waiting:
            one = self.found(waiting.pop(0))
            if one is None or one.number in seen:
                continue
            seen.add(one.number)
            if one.address in KINDS and not self.fields(one):
                waiting += self.held(one).items.values()
            else:
                yield one

    def held(self, one: FoundObject) -> Held:
        """What a container has to hold: what the conditions read of it."""
        kind, size = KINDS[one.address], self._size(one)
        if kind in ("dict", "set", "frozenset"):
            return self._keyed(one, kind, size)
        items = {index: term for term, (index,) in self._reads("elements", one.number) if _fits(index, size)}
        return Held(items, size)

    def fields(self, one: FoundObject) -> dict[str, Term]:
        """Attributes that it has to have, by their arrays."""
        found: dict[str, Term] = {}
        for name in self._heap:
            for term, _ in self._reads(name, one.number) if name.startswith(".") else ():
                value = self.value(term)
                if value is not None and value.op is not Op.UNDEFINED:
                    found[name] = term
        return found

    def _keyed(self, one: FoundObject, kind: str, size: int) -> Held:
        items: dict[Term, Term] = {}
        absent: set[Term] = set()
        for term, (key,) in self._reads("keys", one.number):
            if self.value(term) == literals.TRUE:
                items[key] = key
            else:
                absent.add(key)
        if kind == "dict":
            mapped = {key: term for term, (key,) in self._reads("mappings", one.number)}
            items = {key: mapped.get(key, literals.NONE) for key in items}
        return Held(items, size, frozenset(absent))

    def _size(self, one: FoundObject) -> int:
        array = self._heap.get("size")
        if array is None or not any(True for _ in self._reads("size", one.number)):
            return 0
        size = self.value(arrays.select(array, literals.reference(one.number)))
        return size.payload if size is not None and isinstance(size.payload, int) else 0

    def _reads(self, name: str, number: int) -> Iterator[tuple[Term, tuple[Term, ...]]]:
        """What is read of an array for one object: the terms, and the values of the other indices."""
        array = self._heap.get(name)
        for term, (owner, *others) in self._goal.solver.reads_of(array) if array is not None else ():
            known = self.value(owner)
            if known is not None and known.payload == number:
                indices = [self.value(index) for index in others]
                if None not in indices:
                    yield term, tuple([index for index in indices if index is not None])


def _fits(index: Term, size: int) -> bool:
    return isinstance(index.payload, int) and 0 <= index.payload < size


def is_nobodys(address: str) -> bool:
    """Whether nothing was said of a class."""
    return address.startswith(NOBODYS) or not address


def class_is(value: Term, address: str) -> tuple[Term, Term]:
    """That a value is an object of exactly this class."""
    which = arrays.select(CLASSES, tags.reference_in(value))
    return tags.is_reference(value), Term(Op.EQUAL, Sort.TRUTH, (which, literals.class_named(address)))


def has_class(value: Term, name: str) -> Term:
    """Whether a value is of a type: of a builtin one by its name, of another by its address."""
    if name in SCALARS:
        return tags.is_(SCALARS[name][0], value)
    return and_(*class_is(value, CONTAINERS[name][0] if name in CONTAINERS else name))
