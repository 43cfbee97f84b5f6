"""How near a run came to a place in a function: approach level and branch distance over the control dependence graph (SPEC 6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from crashwright.core.location import Position
from crashwright.engine.goals.coverage.footprint import Entries, entry_of
from crashwright.engine.goals.crash.block_coverage import Coverage, EffectiveBlocks, compare
from crashwright.engine.goals.distance import normalise, wrong_side
from crashwright.engine.instrument.trace import ProbedFunction
from crashwright.engine.subject.flow.basic_blocks import effective_blocks
from crashwright.engine.subject.flow.cfg import Branch, BranchKind
from crashwright.engine.subject.flow.cfg_builder import Scope
from crashwright.engine.subject.flow.control_dependence import ControlDependence

_DECISIONS = {
    "iter": BranchKind.FOR,
    "except": BranchKind.EXCEPT,
    "case": BranchKind.CASE,
    "with": BranchKind.SUPPRESS,
}
"""What decides at predicates of these kinds; at all others it is a condition."""
Outcome = tuple[int, bool]
"""A predicate of the function, by number, and one of its outcomes."""


class ApproachStep(NamedTuple):
    """A decision on the way. ``wanted`` and ``other`` are the entries with the distances to its outcomes; ``level`` the number of
    decisions between it and the place."""

    wanted: int
    other: int
    level: int


class Approach:
    """The way to a place: its decisions, nearest first. ``farthest`` is the value of a run that evaluated none of them."""

    __slots__ = ("farthest", "steps")

    def __init__(self, steps: Iterable[ApproachStep] = ()) -> None:
        self.steps = tuple(sorted(set(steps), key=lambda step: (step.level, step.wanted)))
        self.farthest = float(1 + self.steps[-1].level) if self.steps else 0.0

    def nearest(self, entries: Entries) -> float:
        """As ``goals.distance.nearest``, written out for speed; 0 where nothing is left to decide."""
        best = self.farthest
        for wanted, other, level in self.steps:
            if level >= best:
                break
            distance = entries[wanted]
            if not distance:
                return float(level)
            if not entries[other]:
                best = min(best, level + wrong_side(normalise(distance)))
        return best


class FunctionFlow:
    """The ways through one function. Without a tree nothing is known of them: then all places are reached by entering it."""

    __slots__ = ("_approaches", "_blocks", "_numbers", "flow", "function", "markers", "number")

    def __init__(self, number: int, function: ProbedFunction, tree: Scope | None) -> None:
        self.number = number
        self.function = function
        self.markers = len(function.markers)
        self.flow: ControlDependence | None = None
        if tree is not None:
            try:
                self.flow = ControlDependence(tree)
            except RecursionError:
                self.flow = None  # expressions too deep to walk: a coarser distance is better than none
        self._numbers: dict[tuple[Position, BranchKind], int] = {}
        for predicate, (position, kind) in enumerate(function.predicates):
            if kind != "site":
                self._numbers.setdefault((position, _DECISIONS.get(kind, BranchKind.CONDITION)), predicate)
        self._approaches: dict[tuple[Position, BranchKind | None], tuple[tuple[Branch, int], ...]] = {}
        self._blocks: dict[Position, EffectiveBlocks] = {}

    def entry_of(self, outcome: Outcome) -> int:
        """Where the distance to an outcome stands."""
        predicate, taken = outcome
        return entry_of(self.markers, predicate, taken)

    def predicate_at(self, place: Position, decision: BranchKind) -> int | None:
        """The number of the predicate of a decision; None where it carries no probe."""
        return self._numbers.get((place, decision))

    def to_place(self, place: Position) -> Approach:
        """The way to a statement or a part of one."""
        return Approach(self._steps(self._ways(place, None), 0))

    def to_outcome(self, outcome: Outcome) -> Approach:
        """The way to an outcome of a predicate, its own decision the last one."""
        position, kind = self.function.predicates[outcome[0]]
        own = ApproachStep(self.entry_of(outcome), self.entry_of((outcome[0], not outcome[1])), 0)
        outer = self._ways(position, _DECISIONS.get(kind, BranchKind.CONDITION))
        return Approach([own, *self._steps(outer, 1)])

    def parents_of_place(self, place: Position) -> tuple[Outcome, ...]:
        """The outcomes of which one must come before; empty where entering the function is enough."""
        return self._parents_in(self._ways(place, None))

    def parents_of_predicate(self, predicate: int) -> tuple[Outcome, ...]:
        """As :meth:`parents_of_place`, for the evaluation of a predicate."""
        position, kind = self.function.predicates[predicate]
        found = self._parents_in(self._ways(position, _DECISIONS.get(kind, BranchKind.CONDITION)))
        return tuple(outcome for outcome in found if outcome[0] != predicate)

    def further(self, place: Position, one: Entries, other: Entries) -> int:
        """Basic block progress on the way to a place (future work of paper 000): positive where ``other`` got further, negative
        where ``one`` did.

        # Deviation: of all activations together, where the crash fitness looks at the best one.
        """
        if place not in self._blocks:
            self._blocks[place] = EffectiveBlocks(self._block_markers(place))
        blocks = self._blocks[place]
        begun, others = blocks.begun(one), blocks.begun(other)
        return 0 if begun == others else compare(Coverage(0, blocks, begun), Coverage(0, blocks, others))

    def _ways(self, place: Position, decision: BranchKind | None) -> tuple[tuple[Branch, int], ...]:
        if self.flow is None:
            return ()
        found = self._approaches.get((place, decision))
        if found is None:
            found = self._approaches[place, decision] = self.flow.first_approach(place, decision)
        return found

    def _steps(self, ways: Iterable[tuple[Branch, int]], offset: int) -> Iterable[ApproachStep]:
        for branch, level in ways:
            predicate = self._numbers.get((branch.position, branch.kind))
            if predicate is not None:
                wanted, other = (predicate, branch.outcome), (predicate, not branch.outcome)
                yield ApproachStep(self.entry_of(wanted), self.entry_of(other), level + offset)

    def _parents_in(self, ways: tuple[tuple[Branch, int], ...]) -> tuple[Outcome, ...]:
        """Those of the nearest level. Where a decision carries no probe, those of the next level stand in for it, and at last the
        entry of the function."""
        found: list[Outcome] = []
        levels = sorted({level for _, level in ways})
        for level in levels:
            complete = True
            for branch, own in ways:
                if own == level:
                    predicate = self._numbers.get((branch.position, branch.kind))
                    if predicate is None:
                        complete = False
                    else:
                        found.append((predicate, branch.outcome))
            if complete:
                return tuple(dict.fromkeys(found))
        return ()

    def _block_markers(self, place: Position) -> list[list[int]]:
        if self.flow is None:
            return []
        numbers = {marker: number for number, marker in enumerate(self.function.markers)}
        blocks = effective_blocks(self.flow.cfg, self.flow.nodes_at(place))
        found = [[numbers[statement] for statement in block if statement in numbers] for block in blocks]
        return [block for block in found if block]
