"""The path that is being walked: everything that was asserted on it, in a solver that goes back with it.

Versioned constants (STAR): each variable and heap array has a constant that stands for what it is at the present point. To step
back over an assignment is to replace the constant by a new one and to say how the two hang together; nothing that was asserted
ever changes. So the solver's stack follows the walk, and the names that have a version are exactly those that the condition speaks
of.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from crashwright.core.location import CodeKey
from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.ir.nodes import Function, Global, Local, Place
from crashwright.symbolic.values.literals import TRUE, reference, symbol, unknown
from crashwright.symbolic.values.logic import equal


class Variable(NamedTuple):
    """A variable of an activation; cells and globals belong to activation 0."""

    activation: int
    place: Place


Name = Variable | str
"""What has versions: a variable, or an array of the heap by its name."""
ARRAYS = {
    "size": Sort.SIZES,
    "elements": Sort.ELEMENTS,
    "keys": Sort.KEY_SETS,
    "mappings": Sort.MAPPINGS,
    "classes": Sort.CLASSES,
}
"""The arrays of the heap but those of attributes (``.name``), which are FIELDs."""


class PathOrigin(NamedTuple):
    """What an assertion came about by. ``names`` are those whose versions it speaks of; ``calls`` the nodes, from the trace frame
    inwards, the instruction's own last."""

    names: frozenset[Name]
    calls: tuple[tuple[int, int], ...]
    line: int
    function: CodeKey
    is_crash: bool = False


class PathAssertion(NamedTuple):
    """Something that holds on the path. ``defined`` is the constant whose ``value`` it says, None for a guard. ``is_fact``: it is
    said of an object that the path makes, and not demanded."""

    number: int
    term: Term
    defined: Term | None
    value: Term | None
    origin: PathOrigin
    is_fact: bool = False

    @property
    def tracked(self) -> str:
        """Its name in the solver's cores."""
        return f"a{self.number}"


class PathChecker(Protocol):
    """What the path needs of a solver (``solving.solver``)."""

    def push(self) -> None:
        """Open a level."""

    def pop(self) -> None:
        """Take back what was added since."""

    def add(self, term: Term, name: str | None = None) -> None:
        """Assert."""


@dataclass(frozen=True, slots=True)
class PathActivation:
    """A call of a function on the path. ``calls``: (activation, node) of the calls that led to it from its trace frame."""

    number: int
    function: Function
    calls: tuple[tuple[int, int], ...] = ()

    @property
    def depth(self) -> int:
        """Calls below its trace frame."""
        return len(self.calls)


@dataclass(slots=True)
class State:
    """Versions at the present point, and how often each loop was entered. Copied where the way branches."""

    versions: dict[Name, Term] = field(default_factory=dict)
    visits: dict[tuple[int, int], int] = field(default_factory=dict)

    def copy(self) -> State:
        """Another that changes by itself."""
        return State(dict(self.versions), dict(self.visits))


class Path:
    """What was asserted. Numbers of constants and objects are never used twice."""

    def __init__(self, solver: PathChecker, is_wide: bool = False) -> None:
        self.assertions: list[PathAssertion] = []
        self.by_name: dict[str, PathAssertion] = {}
        """Every assertion that there ever was: cores name also those that were taken back since."""
        self.unmodelled: list[str] = []
        """Reasons, of the present path."""
        self.is_wide = is_wide
        """Whether what holds on every way is looked for: what is only assumed of one way makes no condition then."""
        self._solver = solver
        self._levels: list[tuple[int, int]] = []
        self._numbers = 0
        self._objects = 0

    @property
    def number(self) -> int:
        """The last that was given: what is asserted from here on has a higher one."""
        return self._numbers

    def next_number(self) -> int:
        """One that nothing has."""
        self._numbers += 1
        return self._numbers

    def push(self) -> None:
        """Remember the present point."""
        self._levels.append((len(self.assertions), len(self.unmodelled)))
        self._solver.push()

    def pop(self) -> None:
        """Go back to it."""
        assertions, unmodelled = self._levels.pop()
        del self.assertions[assertions:]
        del self.unmodelled[unmodelled:]
        self._solver.pop()

    def fresh(self, sort: Sort, hint: str) -> Term:
        """A constant of which nothing is known."""
        return symbol(sort, f"{hint}!{self.next_number()}")

    def allocated(self) -> Term:
        """An object that is made on the path: different from all others."""
        self._objects += 1
        return reference(-self._objects)

    def not_modelled(self, sort: Sort, reason: str) -> Term:
        """What is not known, and why."""
        self.unmodelled.append(reason)
        return unknown(sort, self.next_number(), reason)

    def hold(self, term: Term, origin: PathOrigin, *, defined: tuple[Term, Term] | None = None, is_fact: bool = False) -> None:
        """Assert ``term``; ``defined``: it says that the first is the second."""
        if term == TRUE:
            return
        post, value = defined or (None, None)
        one = PathAssertion(self.next_number(), term, post, value, origin, is_fact)
        self.assertions.append(one)
        self.by_name[one.tracked] = one
        self._solver.add(term, one.tracked)


def variable(activation: PathActivation, place: Place) -> Variable:
    """The name of a variable. Globals are told apart by their modules, cells by the functions that own them."""
    if isinstance(place, Local):
        return Variable(activation.number, place)
    return Variable(0, Global(f"{activation.function.module}:{place.name}") if isinstance(place, Global) else place)


def array_sort(name: str) -> Sort:
    """Of an array of the heap, by its name."""
    return Sort.FIELD if name.startswith(".") else ARRAYS[name]


def equality(post: Term, value: Term) -> Term:
    """That a constant has a value."""
    return Term(Op.EQUAL, Sort.TRUTH, (post, value)) if post.op is Op.SYMBOL else equal(post, value)
