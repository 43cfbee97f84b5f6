"""How far a run is from one goal, for each sort of goal: 0 where it is covered, else above 0 and at most 1.

The formulas are those of SPEC 6, divided by their largest value, so that distances of all criteria may be added. 1 is the distance
of a run that did not call the function at all.
"""

from __future__ import annotations

from typing import Protocol

from crashwright.core.location import Position
from crashwright.engine.goals.coverage.approach import Approach, FunctionFlow, Outcome
from crashwright.engine.goals.coverage.exceptions import ExceptionKey, exception_key
from crashwright.engine.goals.coverage.footprint import Entries, Footprint
from crashwright.engine.goals.distance import normalise, wrong_side
from crashwright.engine.instrument.trace import MADE, CallFact

FARTHEST = 1.0


class Measure(Protocol):
    """What the catalogue asks of a goal."""

    def distance(self, footprint: Footprint) -> float:
        """0 = covered; see above."""


class BranchDistance:
    """An outcome of a predicate: phi(approach level + phi(branch distance)). ``direct``: in calls that the test made itself.

    # Deviation: SPEC 6 gives direct branches the bare branch distance, and the worst one to runs that do not evaluate the predicate
    # in a direct call. That is the same order where it is evaluated; elsewhere the approach level guides those algorithms that do
    # not aim at the branch itself.
    """

    __slots__ = ("approach", "direct", "flow", "function", "other", "outcome", "place", "wanted")

    def __init__(self, flow: FunctionFlow, outcome: Outcome, direct: bool = False) -> None:
        self.flow = flow
        self.outcome = outcome
        self.direct = direct
        self.function = flow.number
        self.approach = flow.to_outcome(outcome)
        self.wanted = flow.entry_of(outcome)
        self.other = flow.entry_of((outcome[0], not outcome[1]))
        self.place = flow.function.predicates[outcome[0]].position

    def entries(self, footprint: Footprint) -> Entries | None:
        """Of its function in its context."""
        return (footprint.direct if self.direct else footprint.entries)[self.function]

    def distance(self, footprint: Footprint) -> float:
        """See ``Measure``."""
        entries = (footprint.direct if self.direct else footprint.entries)[self.function]
        return FARTHEST if entries is None else normalise(self.approach.nearest(entries))

    def raw(self, footprint: Footprint) -> float | None:
        """The branch distance itself; None where the predicate was not evaluated."""
        entries = self.entries(footprint)
        if entries is None or (entries[self.wanted] and entries[self.other]):
            return None
        return entries[self.wanted]

    def missed(self, footprint: Footprint) -> bool:
        """Whether the predicate was evaluated, with the other outcome only."""
        entries = self.entries(footprint)
        return entries is not None and not entries[self.other] and entries[self.wanted] != 0


class EntryDistance:
    """A function was called: all there is to cover where nothing is decided."""

    __slots__ = ("direct", "function")

    def __init__(self, function: int, direct: bool = False) -> None:
        self.function = function
        self.direct = direct

    def distance(self, footprint: Footprint) -> float:
        """See ``Measure``."""
        return FARTHEST if (footprint.direct if self.direct else footprint.entries)[self.function] is None else 0.0


class StatementDistance:
    """One of the statements that begin on a line has begun: half of 1 where the decision before it was right, else half of
    1 + phi(branch fitness)."""

    __slots__ = ("approach", "flow", "function", "markers", "place")

    def __init__(self, flow: FunctionFlow, markers: tuple[int, ...]) -> None:
        self.flow = flow
        self.function = flow.number
        self.markers = markers
        self.place: Position = flow.function.markers[markers[0]]
        self.approach: Approach = flow.to_place(self.place)

    def entries(self, footprint: Footprint) -> Entries | None:
        """Of its function."""
        return footprint.entries[self.function]

    def distance(self, footprint: Footprint) -> float:
        """See ``Measure``."""
        entries = footprint.entries[self.function]
        if entries is None:
            return FARTHEST
        for marker in self.markers:
            if entries[marker]:
                return 0.0
        return (1.0 + normalise(self.approach.nearest(entries))) / 2.0


class MutationDistance:
    """A mutant would have changed a value: half of phi(infection distance) where its place was evaluated, else half of 1 +
    phi(branch fitness)."""

    __slots__ = ("approach", "flow", "function", "mutant", "place")

    def __init__(self, flow: FunctionFlow, mutant: int, place: Position) -> None:
        self.flow = flow
        self.function = flow.number
        self.mutant = mutant
        self.place = place
        self.approach: Approach = flow.to_place(place)

    def entries(self, footprint: Footprint) -> Entries | None:
        """Of its function; None also where the mutant was touched."""
        return None if self.mutant in footprint.infections else footprint.entries[self.function]

    def distance(self, footprint: Footprint) -> float:
        """See ``Measure``."""
        infection = footprint.infections.get(self.mutant)
        if infection is not None:
            return normalise(infection) / 2.0
        entries = footprint.entries[self.function]
        return FARTHEST if entries is None else (1.0 + normalise(self.approach.nearest(entries))) / 2.0


class MethodDistance:
    """The test itself called something; ``returned``: and the call returned. 0 or 1."""

    __slots__ = ("address", "returned")

    def __init__(self, address: str, returned: bool) -> None:
        self.address = address
        self.returned = returned

    def distance(self, footprint: Footprint) -> float:
        """See ``Measure``."""
        for fact in footprint.calls:
            if fact.address == self.address and (returned(fact) if self.returned else counts(fact)):
                return 0.0
        return FARTHEST


class OutputDistance:
    """A call of the test returned a value of that class. 0 or 1: no gradient leads there (SPEC 6.8)."""

    __slots__ = ("address", "output")

    def __init__(self, address: str, output: str) -> None:
        self.address = address
        self.output = output

    def distance(self, footprint: Footprint) -> float:
        """See ``Measure``."""
        for fact in footprint.calls:
            if fact.address == self.address and self.output in fact.output:
                return 0.0
        return FARTHEST


class ExceptionDistance:
    """A call of the test raised that exception. 0 or 1."""

    __slots__ = ("key",)

    def __init__(self, key: ExceptionKey) -> None:
        self.key = key

    def distance(self, footprint: Footprint) -> float:
        """See ``Measure``."""
        return 0.0 if any(exception_key(fact) == self.key for fact in footprint.calls) else FARTHEST


def counts(fact: CallFact) -> bool:
    """Whether the callable was really called: not where the call itself was refused (arguments that do not fit), nor where a
    property was set or deleted."""
    return not fact.accessor and (fact.exception is None or exception_key(fact) is not None)


def returned(fact: CallFact) -> bool:
    """Whether the callable came to its end."""
    return fact.exception is None and fact.kind != MADE


def told_by_flags(distance: float) -> float:
    """The distance of an outcome whose branch distance (in [0, 1]) came from inside a called function."""
    return normalise(wrong_side(distance))
