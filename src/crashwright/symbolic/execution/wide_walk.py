"""The walk over all ways at once: what is found holds on every way to the crash, and says less than one way does.

Where ways meet, it goes on at the last instruction that all of them have run; of what may be written in between nothing is known
from there on. So it goes once through a function, however many ways lead through it, and needs no bound for loops.

# Deviation: the paper has nothing of the kind. A path condition is one example; a reader asks what has to be so in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from crashwright.core.terms import Term
from crashwright.symbolic.execution.dominance import Dominance, Passage
from crashwright.symbolic.execution.limits import Limits
from crashwright.symbolic.execution.walk import Continuation, Core, Walk, WayResult, is_open
from crashwright.symbolic.ir.nodes import Edge, Function, Kind, Node
from crashwright.symbolic.semantics.loops import place_of
from crashwright.symbolic.semantics.path import Name, Path, PathActivation, State, variable
from crashwright.symbolic.semantics.program import Program, Target
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.semantics.tables import FAILURES, written_by
from crashwright.symbolic.values.logic import not_

OF_TYPES: Final = ("TypeError", "AttributeError")
"""What is raised for the types of operands alone."""
_MEETING = (Kind.JOIN, Kind.HEAD, Kind.HANDLER)


Written = Callable[[Function, Node], frozenset[str]]
"""The arrays of the heap that an instruction may write (``possible_writes``)."""


class WideWalk(Walk):
    """See the module; its path has to be wide too."""

    def __init__(self, path: Path, program: Program, limits: Limits, check: Callable[[], Core | None], written: Written) -> None:
        super().__init__(path, program, limits, check)
        self._written_at = written
        self._dominance: dict[int, Dominance] = {}

    def _from(
        self, activation: PathActivation, edge: Edge, state: State, then: Continuation, after: Node | None = None
    ) -> WayResult:
        del after  # what a handler catches says nothing here
        node = activation.function.nodes[edge.node]
        completes = True
        while node.kind is not Kind.ENTRY:
            self.limits.spend()
            self.counts.steps += 1
            if not completes:
                self._forget(activation, [node.number], state)
            elif node.kind is Kind.CALL and (called := self._called(activation, node, state, then)) is not None:
                return called
            elif node.kind is Kind.CALL:
                self._called_blindly(activation, node, state)
            elif node.kind in (Kind.RAISE, Kind.RETURN):
                return WayResult(opaque=True)
            elif node.kind not in _MEETING:
                self.step(activation, node, state)
            passage = self._passage(activation.function, node)
            if passage is None:
                return WayResult(opaque=True)
            self._forget(activation, passage.between, state)
            node, completes = activation.function.nodes[passage.node], passage.completes
        return then(state)

    def _passage(self, function: Function, node: Node) -> Passage | None:
        found = self._dominance.get(id(function))
        if found is None:
            found = self._dominance[id(function)] = Dominance(function)
        return found.passage(node.number)

    def _forget(self, activation: PathActivation, numbers: Iterable[int], state: State) -> None:
        """Anything may have been written there."""
        names = self._written(activation, numbers)
        forgotten = [one for one in state.versions if one in names or (isinstance(one, str) and "*" in names)]
        for name in forgotten:
            del state.versions[name]

    def _called(self, activation: PathActivation, node: Node, state: State, then: Continuation) -> WayResult | None:
        """Into a function of the program that the call certainly leads to, and that has one end; else nothing is known of it."""
        targets = self.program.targets(activation.function, node)
        target = targets[0] if len(targets) == 1 and activation.depth < self.limits.depth else Target(None)
        function = target.function
        is_sure = function is not None and function.kind != "generator" and not is_open(target, state)
        if function is not None and is_sure and target.receiver is None and len(function.returns) == 1:
            self.counts.calls += 1
            return self._entered(activation, node, target, function, function.returns[0], then)(state)
        written = [one for one in targets if one.function is not None]
        if not written:
            return None
        self._forget(activation, [node.number], state)
        edges = node.before
        return self._from(activation, edges[0], state, then) if len(edges) == 1 else WayResult(opaque=True)

    def _called_blindly(self, activation: PathActivation, node: Node, state: State) -> None:
        """What it may run beside what is known of it may have written."""
        own = frozenset(written_by(self.program, activation.function, node))
        for name in self._written_at(activation.function, node) - own:
            state.versions.pop(name, None)
        self.step(activation, node, state)

    def _conditions(self, step: Step) -> list[Term]:
        """That it did not fail; not for its types, which reading the line says too."""
        failures = FAILURES.get(step.node.kind)
        return [not_(one.condition) for one in failures(step) if one.exception not in OF_TYPES] if failures else []

    def _need_receiver(self, step: Step, target: Target) -> None:
        """Classes that are not known may have the method too."""

    def _written(self, activation: PathActivation, numbers: Iterable[int]) -> set[Name]:
        """Variables and arrays."""
        names: set[Name] = set()
        for node in (activation.function.nodes[number] for number in numbers):
            names.update(self._written_at(activation.function, node))
            if node.target is not None:
                names.add(variable(activation, node.target))
            if node.kind in (Kind.NEXT, Kind.ITERATE):
                names.add(place_of(activation, node.target if node.kind is Kind.ITERATE else node.operands[0]))
        return names
