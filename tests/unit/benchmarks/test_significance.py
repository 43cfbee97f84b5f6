"""The papers' tests against values worked out by hand."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("scipy", reason="the extra `experiments` is not installed")

from benchmarks.comparison.effect import a12
from benchmarks.comparison.significance import fisher, rank_sum, signed_rank
from hypothesis import given
from hypothesis import strategies as st

values = st.lists(st.integers(1, 30), min_size=2, max_size=12)


def test_fisher() -> None:
    assert fisher(3, 4, 1, 4) == pytest.approx(34 / 70)  # the lady tasting tea, two-sided
    assert fisher(10, 10, 0, 10) == pytest.approx(2 / math.comb(20, 10))
    assert fisher(7, 10, 7, 10) == 1


def test_rank_sum() -> None:
    assert rank_sum([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]) == pytest.approx(2 / math.comb(10, 5))  # exact
    assert rank_sum([20_000] * 10, [20_000] * 10) == 1
    assert rank_sum([100] * 10, [20_000] * 10) < 0.001


@given(values, values)
def test_rank_sum_agrees_with_a12(first: list[int], second: list[int]) -> None:
    assert 0 < rank_sum(first, second) <= 1
    assert rank_sum(first, second) == pytest.approx(rank_sum(second, first))
    if a12(first, second) == 0.5:
        assert rank_sum(first, second) == pytest.approx(1)


def test_signed_rank() -> None:
    assert signed_rank([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]) == pytest.approx(2 / 2**6)  # exact: all on one side
    assert signed_rank([1, -1, 2, -2]) == pytest.approx(1)
    assert signed_rank([0.9 - 0.8, 0.2 - 0.3, 0.2]) == signed_rank([1, -1, 2])
    assert signed_rank([0, 0]) == signed_rank([]) == 1
