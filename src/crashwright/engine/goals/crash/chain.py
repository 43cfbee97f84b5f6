"""Which activations lie on the report's call chain: a frame counts as reached only in the right chain of callers (STDistance, SPEC
2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from crashwright.engine.execution.outcome import RaisedFrame
from crashwright.engine.goals.crash.block_coverage import Coverage
from crashwright.engine.goals.crash.frame_goal import FlagReader, FrameGoal, LineDistance, Standing
from crashwright.engine.goals.distance import normalise
from crashwright.engine.instrument.trace import Activation, Trace

ENTRY = 1 / 6
"""What the arguments of a frame weigh beside the nearest decision (``ordered`` weighs them so)."""


class ChainDistance(NamedTuple):
    """The deepest frame entered in the right chain (-1: not even the target frame) and the best distance to its line there."""

    depth: int
    line: LineDistance
    activations: int
    """How many activations reached that depth."""
    nearest: Activation | None = None
    """The one of them that came nearest."""

    @property
    def standing(self) -> Standing:
        """How far the run came in the deepest frame entered."""
        return self.line.standing if self.depth >= 0 else Standing.NOT_ENTERED

    @property
    def missed(self) -> int | None:
        """The approach level of the decision that took the wrong side there; None if none did."""
        return int(self.line.value) if self.standing is Standing.WRONG_SIDE else None


_OUTERMOST = (0,)
NOT_CALLED = ChainDistance(-1, LineDistance(False, float("inf"), 0.0), 0)


def chain_distance(goals: Sequence[FrameGoal], activations: Sequence[Activation], flags: FlagReader | None = None) -> ChainDistance:
    """Match ``activations`` (in order of their beginning, callers before callees) with ``goals`` (target frame first)."""
    last = len(goals) - 1
    matched: dict[Activation, tuple[int, ...]] = {}
    deepest = -1
    candidates: list[Activation] = []
    outermost = goals[0].function if goals else None
    begins_anew = {goal.function: (number,) for number, goal in enumerate(goals) if goal.anew}
    for activation in activations:
        caller = activation.caller
        outer = matched.get(caller) if caller is not None and matched else None
        if outer is not None:
            levels = _levels(goals, activation, outer)
        else:
            levels = _OUTERMOST if activation.function == outermost else ()
        if begins_anew:
            levels = tuple(sorted({*levels, *begins_anew.get(activation.function, ())}))
        if not levels:
            continue
        matched[activation] = levels
        top = levels[-1]
        if top > deepest:
            deepest, candidates = top, [activation]
        elif top == deepest:
            candidates.append(activation)
    if deepest < 0:
        return NOT_CALLED
    goal = goals[deepest]
    best: LineDistance | None = None
    nearest: Activation | None = None
    for activation in candidates:
        distance = goal.distance(activation, flags)
        if best is None or _better(distance, best):
            best, nearest = distance, activation
            if best.reached and deepest == last and best.guard == best.entry == 0 and (goal.site is None or best.site == 0):
                break
    assert best is not None
    return ChainDistance(deepest, best, len(candidates), nearest)


def _levels(goals: Sequence[FrameGoal], activation: Activation, caller: tuple[int, ...]) -> tuple[int, ...]:
    """Which frames ``activation`` may be, when its caller may be those of ``caller``."""
    function = activation.function
    found: list[int] = [0] if goals[0].function == function else []
    for outer in caller:
        inner = outer + 1
        if inner < len(goals) and goals[inner].function == function and goals[outer].line == activation.caller_line:
            found.append(inner)
    return tuple(found)


def raised_in_chain(goals: Sequence[FrameGoal], chain: ChainDistance, frames: Sequence[RaisedFrame], trace: Trace) -> bool:
    """Whether what was raised came out of the frames that ``chain`` entered: the traceback has them in their order, on their lines,
    down to the deepest one. A test may go down the chain in one call and raise in another that has nothing to do with it; the two
    do not make a crash.

    Where that deepest function ran nowhere else, it raised in the chain, whatever the traceback leaves out.
    """
    depth = chain.depth
    wanted = 0
    for code, line, _ in frames:
        goal = goals[wanted]
        key = trace.functions[goal.function].key
        if code.co_name == key.name and code.co_firstlineno == key.first_line:
            if wanted == depth:
                return True
            wanted += line == goal.line
    deepest = goals[depth].function
    return sum([activation.function == deepest for activation in trace.activations]) == chain.activations


def coverage_of(goals: Sequence[FrameGoal], chain: ChainDistance, literal: bool = False) -> Coverage | None:
    """The basic block coverage of the first frame whose line was not reached; None where all were."""
    depth, line, _, nearest = chain
    if nearest is None:
        return Coverage(0, goals[0].blocks, b"") if goals else None
    if not line.reached:
        return covered(depth, goals[depth], line, nearest, literal)
    return Coverage(depth + 1, goals[depth + 1].blocks, b"") if depth + 1 < len(goals) else None


def covered(frame: int, goal: FrameGoal, line: LineDistance, activation: Activation, literal: bool = False) -> Coverage:
    """The coverage of an activation that did not reach its line: nothing where it turned away at a decision, unless by the
    letter, ``literal`` (see ``block_coverage``)."""
    blocks = goal.blocks
    return Coverage(frame, blocks, blocks.begun(activation.marks) if literal or line.value.is_integer() else b"")


def _better(one: LineDistance, other: LineDistance) -> bool:
    if one.reached != other.reached:
        return one.reached
    if one.entry != other.entry:
        mine, theirs = ENTRY * one.entry + normalise(one.value), ENTRY * other.entry + normalise(other.value)
        if mine != theirs:
            return mine < theirs
    return (one.guard, one.value, -one.progress, one.site) < (other.guard, other.value, -other.progress, other.site)


def recursion_depth(goals: Sequence[FrameGoal], activations: Sequence[Activation]) -> int:
    """How deep the run stood in the recursion: the most activations that followed each other from one frame of ``goals`` to the
    next, round by round."""
    steps = {(outer.function, outer.line, inner.function) for outer, inner in pairwise(goals)}
    functions = {goal.function for goal in goals}
    depths: dict[Activation, int] = {}
    deepest = 0
    for activation in activations:
        if activation.function not in functions:
            continue
        caller = activation.caller
        depth = 0 if caller is None else depths.get(caller, 0)
        if depth and caller is not None and (caller.function, activation.caller_line, activation.function) not in steps:
            depth = 0
        depths[activation] = depth = depth + 1
        if depth > deepest:
            deepest = depth
    return deepest
