"""What is new is new once."""

from __future__ import annotations

from crashwright.engine.goals.crash.chain import recursion_depth
from crashwright.engine.goals.crash.frame_goal import FrameGoal
from crashwright.engine.goals.crash.novelty import Novelty
from crashwright.engine.instrument.trace import Activation, Trace


def trace(hits: tuple[int, ...], true: dict[int, float] | None = None, function: int = 0) -> Trace:
    activation = Activation(function, 3)
    for marker in hits:
        activation.hits[marker] = 1  # type: ignore[index]
    activation.true_distance.update(true or {})
    return Trace((), [activation])


def test_statements_and_outcomes_count_once() -> None:
    novelty = Novelty()
    assert novelty.is_new(trace((0,)))
    assert not novelty.is_new(trace((0,)))
    assert novelty.is_new(trace((0, 2)))
    assert not novelty.is_new(trace((2,)))
    assert not novelty.is_new(trace((0,), {0: 4.0}))
    assert novelty.is_new(trace((0,), {0: 0.0}))
    assert novelty.is_new(trace((0,), function=1))


def test_depth_counts_the_rounds_of_the_cycle_on_one_chain() -> None:
    goals = [FrameGoal(0, 1, [0]), FrameGoal(1, 2, [0]), FrameGoal(0, 1, [0])]
    first = Activation(0, 1)
    second = Activation(1, 1, first, 1)
    third = Activation(0, 1, second, 2)
    beside = Activation(0, 1, first, 1)
    assert recursion_depth(goals, [first, second, third, beside]) == 3
    assert recursion_depth(goals, [first, beside]) == 1
    from_another_line = Activation(0, 1, second, 7)
    assert recursion_depth(goals, [first, second, from_another_line]) == 2
    assert recursion_depth(goals, []) == 0
