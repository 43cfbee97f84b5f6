"""A search that has reproduced the crash goes on for a bounded share of what is left."""

from __future__ import annotations

from crashwright.core.settings import Budget
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.persistence import Persistence

VALUES, FORM = 0.004, 0.0005


def gone_on(budget: Budget, used: int, fitness: float, stray: bool = False) -> int:
    """For how many evaluations the search goes on after the first ``used``."""
    meter = BudgetMeter(budget, lambda: 0.0, used)
    persistence = Persistence(meter)
    while persistence.goes_on(fitness, stray) and meter.evaluations < 100_000:
        meter.spend()
    return meter.evaluations - used


def test_nothing_speaks_against_the_test() -> None:
    assert gone_on(Budget(None, 1000), 100, 0.0) == 0


def test_other_values_are_worth_more_than_another_form() -> None:
    form, values = (gone_on(Budget(None, 1000), 200, fitness) for fitness in (FORM, VALUES))
    assert 0 < form < values <= 800 / 3


def test_what_nobody_would_pass_is_worth_more_than_another_form() -> None:
    form, stray = (gone_on(Budget(None, 1000), 200, FORM, stray) for stray in (False, True))
    assert form < stray < gone_on(Budget(None, 1000), 200, VALUES, True)


def test_it_ends_without_a_budget_too() -> None:
    assert 0 < gone_on(Budget(None, None), 0, VALUES) < 100_000


def test_what_got_better_meanwhile_counts() -> None:
    meter = BudgetMeter(Budget(None, 1000), lambda: 0.0)
    persistence = Persistence(meter)
    assert persistence.goes_on(VALUES)
    for _ in range(200):
        meter.spend()
    assert persistence.goes_on(VALUES)
    assert not persistence.goes_on(FORM)
