"""A budget within another."""

from __future__ import annotations

from crashwright.core.settings import Budget
from crashwright.engine.search.budget import BudgetMeter, TurnMeter


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_turn_ends_by_its_evaluations_and_counts_for_the_whole() -> None:
    clock = Clock()
    whole = BudgetMeter(Budget(None, 10), clock)
    meter = TurnMeter(whole, clock)
    assert meter.stopped
    meter.give(None, 3)
    for _ in range(3):
        assert not meter.stopped
        meter.spend()
    assert (meter.stopped, meter.evaluations, whole.evaluations, whole.stopped) == (True, 3, 3, False)
    meter.give(None, 2)
    assert not meter.check()


def test_a_turn_ends_by_its_seconds_from_when_it_was_given() -> None:
    clock = Clock()
    meter = TurnMeter(BudgetMeter(Budget(60.0, None), clock), clock)
    clock.now = 20.0
    meter.give(2.0, 100)
    assert (meter.check(), meter.share()) == (False, 0.0)
    clock.now = 21.0
    assert meter.share() == 0.5
    clock.now = 22.5
    assert meter.check()


def test_a_turn_ends_with_the_whole() -> None:
    clock = Clock()
    whole = BudgetMeter(Budget(None, 2), clock)
    meter = TurnMeter(whole, clock)
    meter.give(None, 50)
    meter.spend()
    meter.spend()
    assert meter.stopped
    meter.give(None, 50)
    assert meter.stopped
