"""What a test has yet to bring about: the conditions of a precondition before the statements that it has so far.

Statements are found from the last to the first. Each has a summary, whose conditions join those that there are; arrays of the heap
get new names for what they were before it. So the solver says at once whether a statement can lead on, and its core which
attributes it does not bring about.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from crashwright.core.precondition import Precondition
from crashwright.core.terms import ARRAYS, Op, Sort, Term, parts
from crashwright.symbolic.composition.summaries import BEFORE, Summary
from crashwright.symbolic.semantics.path import array_sort, equality
from crashwright.symbolic.solving.models import Assignment
from crashwright.symbolic.solving.preferences import preferred
from crashwright.symbolic.solving.solver import Solver, SolverVerdict
from crashwright.symbolic.values import arrays, literals
from crashwright.symbolic.values.substitution import all_substituted, leaves_of
from crashwright.symbolic.values.tags import is_undefined

CHECK_SECONDS: Final = 0.4
MODEL_SECONDS: Final = 0.8
Heap = dict[str, Term]
"""Arrays by name, as they are before the statements that there are."""


@dataclass(slots=True)
class CompositionGoal:
    """``values``: the arguments that the call at the end gets, by parameter; what else the precondition speaks of (globals, cells)
    is not for a test to give. ``heap``: see above. Conditions live in the solver, in its scopes. ``relaxed``: those that speak of
    what is not modelled are left out, which the solver often cannot decide."""

    solver: Solver
    clock: Callable[[], float]
    values: dict[str, Term]
    heap: Heap
    relaxed: bool = False
    _unknown: set[Term] = field(default_factory=set)
    _names: dict[str, frozenset[str]] = field(default_factory=dict)
    _numbers: int = 0
    _objects: int = 0

    @classmethod
    def of(
        cls, precondition: Precondition, parameters: Iterable[str], solver: Solver, clock: Callable[[], float], relaxed: bool
    ) -> CompositionGoal:
        """With the guards asserted: in a scope of the solver that the caller opened."""
        goal = cls(solver, clock, {}, {}, relaxed)
        goal.values = {name: goal.fresh(Sort.VALUE, name) for name in parameters}
        for term in goal._renamed([guard.term for guard in precondition.guards], goal.values, goal.heap):
            goal.hold(term)
        return goal

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is held inside is taken back."""
        self.solver.push()
        try:
            yield
        finally:
            self.solver.pop()

    def fresh(self, sort: Sort, hint: str) -> Term:
        """A constant of which nothing is known."""
        self._numbers += 1
        return literals.symbol(sort, f"{hint}@{self._numbers}")

    def new_object(self) -> Term:
        """One that the test makes."""
        self._objects += 1
        return literals.reference(-self._objects)

    def hold(self, term: Term) -> None:
        """It holds."""
        if term != literals.TRUE and not (self.relaxed and not self._unknown.isdisjoint(parts((term,)))):
            self._add(term)

    def _add(self, term: Term) -> None:
        self._numbers += 1
        name = f"c{self._numbers}"
        self._names[name] = frozenset(
            str(one.payload).partition("@")[0] for one in parts((term,)) if one.op is Op.SYMBOL and one.sort in ARRAYS
        )
        self.solver.add(term, name)

    def before(self, summary: Summary, arguments: Mapping[str, Term], heap: Heap) -> Heap:
        """The heap before a call that goes this way, whose conditions hold from now on. ``arguments``
        by parameter. Arrays of which nothing is known afterwards are taken to be as they were: it is mostly other objects that
        matter."""
        changed = dict(summary.effects)
        earlier = {name: array for name, array in heap.items() if name not in changed}
        terms = [*summary.conditions, *[term for _, term in summary.effects]]
        renamed = iter(self._renamed(terms, arguments, earlier))
        for _, term in zip(summary.conditions, renamed, strict=False):
            self.hold(term)
        for name, _ in summary.effects:
            effect = next(renamed)
            if name in heap:
                self._add(equality(heap[name], effect))
        return earlier

    def made(self, reference: Term, address: str, heap: Heap, absent: Callable[[str], bool]) -> None:
        """Of an object that the test makes: its class, and which attributes it had not before."""
        self.hold(_class_is(reference, address))
        for name, array in heap.items():
            if name.startswith(".") and absent(name[1:]):
                self.hold(is_undefined(arrays.select(array, reference)))

    def check(self) -> frozenset[str] | None:
        """None where all of it may hold; else names of the arrays that a contradiction is about."""
        answer = self.solver.check(CHECK_SECONDS)
        if answer.verdict is not SolverVerdict.CONTRADICTION:
            return None
        return frozenset().union(*[self._names[one] for one in map(str, answer.core)])

    def model(self, wishes: Iterable[Term]) -> Assignment | None:
        """What satisfies it, and is nice to read."""
        return preferred(self.solver, tuple(wishes), MODEL_SECONDS, self.clock)

    def _renamed(self, terms: Iterable[Term], arguments: Mapping[str, Term], heap: Heap) -> tuple[Term, ...]:
        """Inputs as what they are here, arrays that ``heap`` lacks added to it; all else that is free is new."""
        terms = tuple(terms)
        found: dict[Term, Term] = {}
        for leaf in leaves_of(terms, frozenset({Op.INPUT, Op.SYMBOL, Op.UNKNOWN, Op.LITERAL})):
            if leaf.sort in ARRAYS and (leaf.op is Op.INPUT or str(leaf.payload).startswith(BEFORE)):
                name = str(leaf.payload).removeprefix(BEFORE)
                if name != "classes":
                    found[leaf] = heap.setdefault(name, self.fresh(array_sort(name), name))
            elif leaf.op is Op.INPUT and leaf.payload in arguments:
                found[leaf] = arguments[str(leaf.payload)]
            elif leaf.op is not Op.LITERAL:
                found[leaf] = self.fresh(leaf.sort, "?")
                if leaf.op is Op.UNKNOWN:
                    self._unknown.add(found[leaf])
            elif _is_made(leaf):
                found[leaf] = self.new_object()
        return all_substituted(terms, found)


def without(precondition: Precondition, names: Collection[str]) -> Precondition:
    """Without the guards that speak of these arrays."""
    kept = [
        guard
        for guard in precondition.guards
        if not any(leaf.sort in ARRAYS and leaf.payload in names for leaf in leaves_of((guard.term,)))
    ]
    return replace(precondition, guards=tuple(kept))


def _is_made(term: Term) -> bool:
    return term.sort is Sort.REFERENCE and isinstance(term.payload, int) and term.payload < 0


def _class_is(reference: Term, address: str) -> Term:
    which = arrays.select(literals.given(Sort.CLASSES, "classes"), reference)
    return Term(Op.EQUAL, Sort.TRUTH, (which, literals.class_named(address)))
