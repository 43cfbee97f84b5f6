"""Backward symbolic execution of a function, from one of its instructions to its entry (STAR, section 4.2).

The walk is a depth-first search over the ways back. Its continuation is called at each entry that is reached, with the versions
there. Three optimisations of the paper can be switched off: *static path pruning* passes over a block that writes nothing the
condition speaks of; *guided backtracking* leaves out alternatives that cannot mend why the first failed, told by the cores of all
its failures; *intermediate contradictions* are looked for before the way branches.

# Deviation: the paper's guided backtracking goes by the last core. Dropping an alternative is sound only if no core of *any*
failure # below the first alternative could be mended by another, and only if each failure had a core: what was cut by a bound, or
left undecided # by the solver, has none, and nothing is left out then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.execution.binding import bind, new_object
from crashwright.symbolic.execution.catching import may_catch
from crashwright.symbolic.execution.limits import Limits
from crashwright.symbolic.ir.nodes import (
    Block,
    Call,
    Caught,
    Cell,
    Edge,
    Function,
    Global,
    Kind,
    MethodCallee,
    NamedCallee,
    Node,
    Way,
)
from crashwright.symbolic.semantics.loops import place_of
from crashwright.symbolic.semantics.path import Name, Path, PathActivation, PathAssertion, State, Variable, variable
from crashwright.symbolic.semantics.program import Program, Target
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.semantics.tables import EFFECTS, FAILURES, written_by
from crashwright.symbolic.values import arrays, literals, tags
from crashwright.symbolic.values.logic import equal, not_, or_

_REASONS: Final = {
    Kind.EXIT: "whether the with statement swallows the exception",
    Kind.YIELD: "what is sent into the generator",
    Kind.MATCHED: "what the pattern takes",
    Kind.IMPORT: "what is imported",
    Kind.FUNCTION: "a function that is defined here",
    Kind.CLASS: "a class that is defined here",
}
"""Why the results of these are not known; of what is not modelled at all the instruction says it."""
Core = frozenset[str]
"""Names of assertions that contradict each other."""
_CALLING: Final = frozenset({Kind.CALL, Kind.ATTRIBUTE})
_FIELDS: Final = frozenset({Kind.ATTRIBUTE, Kind.SET_ATTRIBUTE, Kind.DELETE_ATTRIBUTE})
_ARRAYS: Final = frozenset({Kind.INDEX, Kind.SET_INDEX, Kind.DELETE_INDEX, Kind.SLICE, Kind.SET_SLICE, Kind.DELETE_SLICE})


@dataclass(slots=True)
class WayResult:
    """What became of a way. ``opaque``: some of it failed without a core, or was cut off."""

    reached: bool = False
    cores: list[Core] = field(default_factory=list)
    opaque: bool = False

    def add(self, other: WayResult) -> None:
        """Another way from the same point."""
        self.reached |= other.reached
        self.cores += other.cores
        self.opaque |= other.opaque


Continuation = Callable[[State], WayResult]
Alternative = Callable[[State], WayResult]


@dataclass(slots=True)
class Region:
    """What stands between a choice and the point before it: an alternative can mend a core only by it."""

    activation: int
    first: int
    last: int
    names: frozenset[Name]
    """Variables and arrays that it may write."""


@dataclass(slots=True)
class Counts:
    """The paper's Table 6."""

    paths: int = 0
    blocks: int = 0
    """Conditional ones and loops that were come to."""
    passed: int = 0
    """Of these and of calls, what pruning passed over."""
    loops: int = 0
    """How often one was gone round."""
    fields: int = 0
    arrays: int = 0
    """Places of containers, and keys."""
    left_out: int = 0
    """Alternatives that could not mend anything."""
    contradictions: int = 0
    calls: int = 0
    steps: int = 0


class Walk:
    """Walks within one path, with one solver. ``check`` asks that: None where what is asserted may hold, else a core (which may be
    empty where the solver has none to give)."""

    def __init__(self, path: Path, program: Program, limits: Limits, check: Callable[[], Core | None]) -> None:
        self.path = path
        self.program = program
        self.limits = limits
        self.check = check
        self.counts = Counts()

    def back(
        self, activation: PathActivation, edges: Sequence[Edge], state: State, then: Continuation, region: Region | None = None
    ) -> WayResult:
        """From the instructions at ``edges`` (one of them was run last) to the entry, where ``then`` goes on."""
        return self._choose([self._by(activation, edge, then) for edge in edges], state, region)

    def _by(self, activation: PathActivation, edge: Edge, then: Continuation, after: Node | None = None) -> Alternative:
        return lambda state: self._from(activation, edge, state, then, after)

    def _from(
        self, activation: PathActivation, edge: Edge, state: State, then: Continuation, after: Node | None = None
    ) -> WayResult:
        """Straight on until the way branches. ``after``: the node that the edge leads to, where that is a handler."""
        while True:
            self.limits.spend()
            self.counts.steps += 1
            node = activation.function.nodes[edge.node]
            if node.kind is Kind.ENTRY:
                return then(state)
            self.counts.fields += node.kind in _FIELDS
            self.counts.arrays += node.kind in _ARRAYS
            if edge.way is Way.RAISED:
                self._raised(activation, node, after, state)
            elif node.kind in _CALLING and (called := self._called(activation, node, state, then)) is not None:
                return called
            elif node.kind in (Kind.RAISE, Kind.RETURN):
                return WayResult(opaque=True)
            elif node.kind not in (Kind.JOIN, Kind.HEAD, Kind.HANDLER):
                self.step(activation, node, state)
            edges, region = self._before(activation, node, state)
            if len(edges) != 1:
                return self._branch(activation, node, edges, region, state, then)
            (edge,) = edges
            after = node

    def step(self, activation: PathActivation, node: Node, state: State) -> None:
        """Back over an instruction that did not fail."""
        written = written_by(self.program, activation.function, node)
        step = Step(self.path, state, activation, node, self.program, written, assumes=True)
        effect = EFFECTS.get(node.kind)
        for condition in self._conditions(step):
            step.need(condition)
        if node.kind is Kind.CALL:
            _forget_what_a_base_sets(step, state)
        if effect is not None:
            effect(step)
        elif node.target is not None:
            step.unknown(_REASONS.get(node.kind) or str(node.detail))

    def _conditions(self, step: Step) -> list[Term]:
        """That it did not fail."""
        failures = FAILURES.get(step.node.kind)
        return [not_(one.condition) for one in failures(step)] if failures else []

    def _raised(self, activation: PathActivation, node: Node, handler: Node | None, state: State) -> None:
        """Back over an instruction that failed, with what the handler catches. What a call raises may come from within it."""
        step = Step(self.path, state, activation, _without_target(node), self.program)
        failures = FAILURES.get(node.kind)
        caught = handler.detail if handler is not None and isinstance(handler.detail, Caught) else Caught()
        conditions = [one.condition for one in failures(step) if may_catch(caught, one.exception)] if failures else []
        if conditions or node.kind in (Kind.RAISE, Kind.INDEX, Kind.SLICE, Kind.LOAD):
            step.need(or_(*conditions))
        else:
            self.path.unmodelled.append(f"what {node.kind.value} raises")

    def _before(self, activation: PathActivation, node: Node, state: State) -> tuple[list[Edge], Region | None]:
        """The ways on from a node, with pruning."""
        block = node.block
        self.counts.blocks += block is not None
        if node.kind is Kind.JOIN and block is not None:
            region = self._region(activation, block)
            if self.limits.use.prune and not block.leaves and not self._contributes(activation, block, state):
                self.counts.passed += 1
                return list(block.entries), None
            return list(node.before), region
        if node.kind is Kind.HEAD and block is not None:
            return self._into_loop(activation, node, block, state)
        return list(node.before), None

    def _into_loop(self, activation: PathActivation, node: Node, block: Block, state: State) -> tuple[list[Edge], Region | None]:
        outside = [edge for edge in node.before if edge.node < node.number]
        around = [edge for edge in node.before if edge.node > node.number]
        visits = state.visits.get((activation.number, node.number), 0)
        return (outside + around if visits < self.limits.unrolled else outside), self._region(activation, block)

    def _branch(
        self, activation: PathActivation, node: Node, edges: list[Edge], region: Region | None, state: State, then: Continuation
    ) -> WayResult:
        if self.limits.use.recognise:
            core = self.check()
            if core is not None:
                self.counts.contradictions += 1
                return WayResult(cores=[core] if core else [], opaque=not core)
        alternatives = [
            self._around(activation, node, edge, then) if edge.node > node.number else self._by(activation, edge, then, node)
            for edge in edges
        ]
        result = self._choose(alternatives, state, region)
        if node.kind is Kind.HEAD and len(edges) < len(node.before):
            result.opaque = True
        return result

    def _around(self, activation: PathActivation, node: Node, edge: Edge, then: Continuation) -> Alternative:
        """Once more through the loop."""

        def alternative(state: State) -> WayResult:
            self.counts.loops += 1
            key = (activation.number, node.number)
            state.visits[key] = state.visits.get(key, 0) + 1
            return self._from(activation, edge, state, then)

        return alternative

    def _choose(self, alternatives: Sequence[Alternative], state: State, region: Region | None) -> WayResult:
        if len(alternatives) == 1:
            return alternatives[0](state)
        start, total = self.path.number, WayResult(opaque=not alternatives)
        for place, alternative in enumerate(alternatives):
            if place and self._cannot_mend(total, region, state, start):
                self.counts.left_out += 1
                continue
            self.path.push()
            try:
                total.add(alternative(state.copy()))
            finally:
                self.path.pop()
        return total

    def _cannot_mend(self, result: WayResult, region: Region | None, state: State, start: int) -> bool:
        if not self.limits.use.guided or region is None or result.reached or result.opaque or not result.cores:
            return False
        return not any(self._mends(core, region, state, start) for core in result.cores)

    def _mends(self, core: Core, region: Region, state: State, start: int) -> bool:
        """Whether an assertion of the core came about in the region since the choice, or speaks of what the region may write."""
        present = {name for name in region.names if name in state.versions}
        for one in (self.path.by_name[name] for name in core):
            if one.number > start and _is_within(one, region):
                return True
            if present & one.origin.names:
                return True
        return False

    def _region(self, activation: PathActivation, block: Block) -> Region:
        return Region(activation.number, block.start, block.end, frozenset(self._writes(activation, block)))

    def _contributes(self, activation: PathActivation, block: Block, state: State) -> bool:
        names = self._writes(activation, block)
        return "*" in names or any(name in state.versions for name in names)

    def _writes(self, activation: PathActivation, block: Block) -> set[Name]:
        function = activation.function
        names: set[Name] = set(block.heap_written)
        for place in block.locals_written:
            names.add(variable(activation, place))
        for node in function.nodes[block.start : block.end + 1]:
            if node.kind in (Kind.NEXT, Kind.ITERATE):
                names.add(place_of(activation, node.target if node.kind is Kind.ITERATE else node.operands[0]))
        for number in block.calls:
            names.update(self._heap_written(function, function.nodes[number]))
        return names

    def _heap_written(self, function: Function, node: Node) -> set[str]:
        """By an instruction, and by what it calls."""
        names = set(written_by(self.program, function, node))
        for target in self.program.targets(function, node):
            if target.function is not None:
                names.update(self.program.heap_written(target.function))
        return names

    # -- calls

    def _called(self, activation: PathActivation, node: Node, state: State, then: Continuation) -> WayResult | None:
        """Into what a call leads to; None where that has no source, or is too deep."""
        targets = self.program.targets(activation.function, node)
        if not targets or activation.depth >= self.limits.depth or any(is_open(one, state) for one in targets):
            return None
        node = _as_call(node)
        self.counts.calls += 1
        alternatives: list[Alternative] = []
        for target in targets:
            if self._is_beside_the_point(activation, node, target, state):
                self.counts.passed += 1
                alternatives.append(self._passed_over(activation, node, target, then))
            elif target.function is None:
                alternatives.append(self._made(activation, node, target, then))
            else:
                alternatives += [
                    self._entered(activation, node, target, target.function, number, then) for number in target.function.returns
                ]
        written = {name for one in targets if one.function for name in self.program.heap_written(one.function)}
        names: set[Name] = set(written)
        if node.target is not None:
            names.add(variable(activation, node.target))
        return self._choose(alternatives, state, Region(activation.number, node.number, node.number, frozenset(names)))

    def _is_beside_the_point(self, activation: PathActivation, node: Node, target: Target, state: State) -> bool:
        if not self.limits.use.prune or target.makes or target.function is None:
            return False
        if node.target is not None and variable(activation, node.target) in state.versions:
            return False
        return not target.function.raises and not any(name in state.versions for name in self.program.heap_written(target.function))

    def _passed_over(self, activation: PathActivation, node: Node, target: Target, then: Continuation) -> Alternative:
        def alternative(state: State) -> WayResult:
            step = Step(self.path, state, activation, node, self.program)
            self._need_receiver(step, target)
            return self._on(activation, node, state, then)

        return alternative

    def _made(self, activation: PathActivation, node: Node, target: Target, then: Continuation) -> Alternative:
        """An object of a class without a constructor of its own."""

        def alternative(state: State) -> WayResult:
            step = Step(self.path, state, activation, node, self.program)
            self._need_receiver(step, target)
            reference = self.path.allocated()
            step.define(tags.of(reference))
            new_object(step, state, reference, target.receiver or "")
            return self._on(activation, node, state, then)

        return alternative

    def _entered(
        self, activation: PathActivation, node: Node, target: Target, function: Function, number: int, then: Continuation
    ) -> Alternative:
        """By one of the returns of the callee, back to its entry, and on before the call."""

        def alternative(state: State) -> WayResult:
            callee = PathActivation(self.path.next_number(), function, (*activation.calls, (activation.number, node.number)))
            step = Step(self.path, state, activation, node, self.program)
            reference = self.path.allocated() if target.makes else None
            if reference is not None:
                step.define(tags.of(reference))
            elif step.post is not None:
                returned = function.nodes[number].operands[0]
                inside = Step(self.path, state, callee, function.nodes[number], self.program)
                step.define(inside.value(returned))

            def entry(before: State) -> WayResult:
                outside = Step(self.path, before, activation, _without_target(node), self.program)
                receiver = None if reference is None else tags.of(reference)
                self._need_receiver(outside, target)
                bind(outside, before, callee, target, receiver)
                if reference is not None:
                    new_object(outside, before, reference, target.receiver or "")
                return self._on(activation, node, before, then)

            return self.back(callee, function.nodes[number].before, state, entry)

        return alternative

    def _need_receiver(self, step: Step, target: Target) -> None:
        call = step.node.detail
        if target.makes:
            if isinstance(call, Call) and isinstance(call.callee, NamedCallee) and not isinstance(call.callee.start, Global):
                step.need(equal(step.value(call.callee.start), tags.of(literals.class_named(target.receiver or ""))))
            return
        if target.receiver is None or not step.node.operands:
            return
        value = step.value(step.node.operands[0])
        if target.asked:
            step.need(equal(value, tags.of(literals.class_named(target.receiver))))
        else:
            exactly = (target.receiver,) if target.given else self.program.subclasses(target.receiver)
            step.need(step.is_exactly(value, *exactly))

    def _on(self, activation: PathActivation, node: Node, state: State, then: Continuation) -> WayResult:
        """Before a call that was gone through."""
        (edge,) = node.before
        return self._from(activation, edge, state, then)


def _as_call(node: Node) -> Node:
    """Reading a property as the call that it is."""
    if node.kind is Kind.CALL:
        return node
    call = Call(MethodCallee(str(node.detail)))
    return Node(node.number, Kind.CALL, node.target, node.operands, call, node.position, node.before)


def is_open(target: Target, state: State) -> bool:
    """Whether variables that the function shares with inner ones are those of another of its calls, which is on the path."""
    name = target.function.qualname if target.function is not None else ""
    cells = [one.place for one in state.versions if isinstance(one, Variable) and isinstance(one.place, Cell)]
    return any(one.owner == name for one in cells)


def _forget_what_a_base_sets(step: Step, state: State) -> None:
    """``super().f(...)`` and ``Base.__init__(self, ...)`` that are not walked into may set any attribute of the object."""
    call = step.node.detail
    name = ""
    if isinstance(call, Call) and isinstance(call.callee, MethodCallee) and call.callee.by_super:
        name = f"super().{call.callee.name}"
    elif isinstance(call, Call) and isinstance(call.callee, NamedCallee) and call.callee.text.endswith(".__init__"):
        name = call.callee.text
    if not name or not step.node.operands:
        return
    held = tags.reference_in(step.value(step.node.operands[0]))
    for array in [one for one in state.versions if isinstance(one, str) and one.startswith(".")]:
        post = step.taken(array)
        if post is not None:
            anything = step.path.not_modelled(Sort.VALUE, f"what {name}() sets")
            step.say(post, arrays.store(step.array(array), held, anything))


def _without_target(node: Node) -> Node:
    return Node(node.number, node.kind, None, node.operands, node.detail, node.position)


def _is_within(one: PathAssertion, region: Region) -> bool:
    return any(number == region.activation and region.first <= node <= region.last for number, node in one.origin.calls)
