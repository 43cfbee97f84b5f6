"""What is new is new once."""

from __future__ import annotations

from crashwright.engine.goals.crash.chain import recursion_depth
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


def test_depth_counts_a_function_on_one_chain() -> None:
    first = Activation(0, 1)
    second = Activation(1, 1, first, 1)
    third = Activation(0, 1, second, 1)
    beside = Activation(0, 1, first, 1)
    assert recursion_depth(0, [first, second, third, beside]) == 2
    assert recursion_depth(1, [first, second, third]) == 1
    assert recursion_depth(2, [first]) == 0
