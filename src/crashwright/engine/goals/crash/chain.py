"""Which activations lie on the report's call chain: a frame counts as reached only in the right chain of callers (STDistance, SPEC 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crashwright.engine.goals.crash.frame_goal import FrameGoal, LineDistance
from crashwright.engine.instrument.trace import Activation


class ChainDistance(NamedTuple):
    """The deepest frame entered in the right chain (-1: not even the target frame) and the best distance to its line there."""

    depth: int
    line: LineDistance
    activations: int
    """How many activations reached that depth."""


NOT_CALLED = ChainDistance(-1, LineDistance(False, float("inf"), 0.0), 0)


def chain_distance(goals: Sequence[FrameGoal], activations: Sequence[Activation]) -> ChainDistance:
    """Match ``activations`` (in order of their beginning, callers before callees) with ``goals`` (target frame first)."""
    last = len(goals) - 1
    matched: dict[int, tuple[int, ...]] = {}
    deepest = -1
    candidates: list[Activation] = []
    for activation in activations:
        levels = _levels(goals, activation, matched)
        if not levels:
            continue
        matched[id(activation)] = levels
        top = levels[-1]
        if top > deepest:
            deepest, candidates = top, [activation]
        elif top == deepest:
            candidates.append(activation)
    if deepest < 0:
        return NOT_CALLED
    goal = goals[deepest]
    best: LineDistance | None = None
    for activation in candidates:
        distance = goal.distance(activation)
        if best is None or _better(distance, best):
            best = distance
            if best.reached and deepest == last and best.guard == 0:
                break
    assert best is not None
    return ChainDistance(deepest, best, len(candidates))


def _levels(goals: Sequence[FrameGoal], activation: Activation, matched: dict[int, tuple[int, ...]]) -> tuple[int, ...]:
    function = activation.function
    found: list[int] = []
    if goals[0].function == function:
        found.append(0)
    caller = activation.caller
    if caller is not None:
        for outer in matched.get(id(caller), ()):
            inner = outer + 1
            if inner < len(goals) and goals[inner].function == function and goals[outer].line == activation.caller_line:
                found.append(inner)
    return tuple(found)


def _better(one: LineDistance, other: LineDistance) -> bool:
    if one.reached != other.reached:
        return one.reached
    return (one.guard, one.value, -one.progress) < (other.guard, other.value, -other.progress)
