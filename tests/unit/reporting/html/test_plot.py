from __future__ import annotations

import pytest

from crashwright.reporting.html.plot import Series, plot, ticks


@pytest.mark.parametrize(
    ("highest", "whole", "expected"),
    [
        (10.0, False, (0, 2.5, 5, 7.5, 10)),
        (3.0, True, (0, 1, 2, 3)),
        (0.004, False, (0, 0.001, 0.002, 0.003, 0.004)),
        (1.0, True, (0, 1)),
    ],
)
def test_ticks_are_round(highest: float, whole: bool, expected: tuple[float, ...]) -> None:
    assert ticks(highest, whole) == pytest.approx(expected)


def test_values_hold_until_the_next() -> None:
    drawn = plot("t", "d", [Series("one", [(0.0, 0.0), (2.0, 4.0)])], "s")
    (left, bottom), (right, _), (_, top) = ([float(part) for part in point.split(",")] for point in drawn.lines[0].points.split())
    assert (left, bottom, right, top) == (drawn.left, drawn.bottom, drawn.right, drawn.top)


def test_what_is_not_finite_is_not_drawn() -> None:
    assert plot("t", "d", [Series("one", [(0.0, float("inf"))])], "s") is None
    assert plot("t", "d", [Series("one", [(0.0, 0.0)])], "s") is not None
