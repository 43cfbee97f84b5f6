"""Effect sizes: known values, and what must hold of any."""

from __future__ import annotations

import pytest
from benchmarks.comparison.effect import a12, magnitude, odds_ratio
from hypothesis import given
from hypothesis import strategies as st

values = st.lists(st.integers(1, 30), min_size=1, max_size=12)
counts = st.integers(1, 30).flatmap(lambda runs: st.tuples(st.integers(0, runs), st.just(runs)))


@pytest.mark.parametrize(
    ("table", "ratio"),
    [
        ((8, 10, 3, 10), (8 * 7) / (2 * 3)),
        ((3, 10, 8, 10), (2 * 3) / (8 * 7)),
        ((10, 10, 0, 10), (10.5 * 10.5) / (0.5 * 0.5)),  # Haldane
        ((10, 10, 6, 10), (10.5 * 4.5) / (0.5 * 6.5)),  # Haldane, in all four
        ((0, 10, 0, 10), 1.0),
        ((5, 5, 30, 30), (5.5 * 0.5) / (0.5 * 30.5)),
    ],
)
def test_odds_ratios(table: tuple[int, int, int, int], ratio: float) -> None:
    assert odds_ratio(*table) == pytest.approx(ratio)


@given(counts, counts)
def test_odds_ratio_turns_around_with_its_sides(one: tuple[int, int], other: tuple[int, int]) -> None:
    assert odds_ratio(*one, *other) * odds_ratio(*other, *one) == pytest.approx(1)
    if one[1] == other[1]:
        assert (odds_ratio(*one, *other) > 1 + 1e-12) == (one[0] > other[0])


def test_counts_that_are_none() -> None:
    with pytest.raises(ValueError, match="11 of 10"):
        odds_ratio(11, 10, 1, 10)


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [([1, 2, 3], [1, 2, 3], 0.5), ([1, 2], [3, 4], 0.0), ([5], [1, 2, 3, 4], 1.0), ([2, 2], [2, 3], 0.25), ([1, 4], [2, 3], 0.5)],
)
def test_a12(first: list[int], second: list[int], value: float) -> None:
    assert a12(first, second) == value


@given(values, values)
def test_a12_is_the_share_of_pairs_that_the_first_wins(first: list[int], second: list[int]) -> None:
    pairs = [(x > y) + 0.5 * (x == y) for x in first for y in second]
    assert a12(first, second) == pytest.approx(sum(pairs) / len(pairs))
    assert a12(first, second) + a12(second, first) == pytest.approx(1)


@given(values, values, st.integers(1, 5))
def test_a12_knows_only_ranks(first: list[int], second: list[int], factor: int) -> None:
    assert a12([x**3 * factor for x in first], [y**3 * factor for y in second]) == a12(first, second)


def test_magnitudes() -> None:
    assert [magnitude(value) for value in (0.5, 0.55, 0.56, 0.36, 0.29, 0.0)] == [
        "negligible",
        "negligible",
        "small",
        "medium",
        "large",
        "large",
    ]
