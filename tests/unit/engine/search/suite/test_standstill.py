"""A search stands still where no branch was taken for long, and each that is open was tried often."""

from __future__ import annotations

from typing import Any

import pytest

from crashwright.core.portions import EACH_TRIED, STANDSTILL_FROM, STANDSTILL_PART
from crashwright.engine.search.suite.standstill import Standstill


class Meter:
    """Of a budget of 10,000 tests."""

    evaluations = 0

    def share(self) -> float:
        return self.evaluations / 10_000


@pytest.fixture
def meter() -> Any:
    return Meter()


FROM = int(10_000 * STANDSTILL_FROM)


def test_it_takes_a_part_of_the_budget_without_a_branch(meter: Any) -> None:
    standstill = Standstill(meter)
    meter.evaluations = FROM
    standstill.note(0b11)
    assert not standstill.is_reached(0)
    meter.evaluations += int(10_000 * STANDSTILL_PART)
    assert standstill.is_reached(0)
    standstill.note(0b111)
    assert not standstill.is_reached(0)


def test_there_is_none_in_the_first_part_of_the_budget(meter: Any) -> None:
    standstill = Standstill(meter)
    standstill.note(0b1)
    meter.evaluations = FROM - 1
    assert not standstill.is_reached(0)
    meter.evaluations = FROM
    assert standstill.is_reached(0)


def test_each_open_branch_is_tried_often(meter: Any) -> None:
    standstill = Standstill(meter)
    standstill.note(0b1)
    meter.evaluations = FROM
    often = FROM // EACH_TRIED
    assert standstill.is_reached((1 << often) - 1)
    assert not standstill.is_reached((1 << often + 1) - 1)
