"""Wins, areas and correlations against values worked out by hand."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("scipy", reason="the extra `experiments` is not installed")

from benchmarks.suites.analysis import AREA, TESTS, Pair, Results, area, compare, odds
from benchmarks.suites.correlation import correlation, correlations, pearson
from hypothesis import given
from hypothesis import strategies as st
from suite_rows import BUDGET, TOTAL, row, rows

LOW, HIGH = (100, 102, 104, 106, 108), (110, 112, 114, 116, 118)


def test_area_is_the_mean_coverage_of_the_course() -> None:
    one = row("m", "a", 1, 100)
    by_hand = (50 * 500 + 100 * 400) / (TOTAL * BUDGET)  # nothing up to 100, half up to 600, all up to 1,000
    assert area(one, TOTAL) == pytest.approx(by_hand)
    assert Results([one], 1).value(one, AREA) == pytest.approx(by_hand)


@given(st.lists(st.tuples(st.integers(1, BUDGET + 50), st.integers(0, TOTAL)), max_size=8))
def test_area_lies_between_nothing_and_the_last_coverage(points: list[tuple[int, int]]) -> None:
    curve = tuple(zip(sorted(used for used, _ in points), sorted(met for _, met in points), strict=True))
    one = row("m", "a", 1, 0)
    one = type(one)(one.key, one.coverage, curve=curve)
    naive = sum(max((met for used, met in curve if used <= step), default=0) for step in range(BUDGET))
    assert area(one, TOTAL) == pytest.approx(naive / (TOTAL * BUDGET))


def test_a_comparison_by_module() -> None:
    made = [*rows("m", "a", HIGH), *rows("m", "b", LOW), *rows("n", "a", LOW), *rows("n", "b", LOW), *rows("o", "a", HIGH)]
    found = compare(Results(made, 5), ("m", "n", "o"), "a", "b", "branch")
    assert found is not None
    m, n = found.pairs
    assert (m.module, m.effect, m.difference) == ("m", 1.0, pytest.approx(10 / TOTAL))
    assert m.p == pytest.approx(2 / math.comb(10, 5))  # exact: all of one side above all of the other
    assert (n.effect, n.difference, n.verdict) == (0.5, 0.0, 0)
    assert [pair.module for pair in found.better] == ["m"]
    assert found.worse == []
    turned = compare(Results(made, 5), ("m", "n"), "b", "a", "branch")
    assert turned is not None
    assert [pair.module for pair in turned.worse] == ["m"]
    assert turned.difference == pytest.approx(-5 / TOTAL)
    assert found.p == pytest.approx(1)  # one difference that is not 0 shows nothing


def test_nothing_to_compare() -> None:
    assert compare(Results(rows("m", "a", LOW), 5), ("m",), "a", "b", "branch") is None


@pytest.mark.parametrize(("effect", "p", "verdict"), [(0.9, 0.049, 1), (0.1, 0.049, -1), (0.9, 0.05, 0), (0.5, 0.01, 0)])
def test_verdicts_need_significance_and_a_side(effect: float, p: float, verdict: int) -> None:
    assert Pair("m", 0.1, effect, p).verdict == verdict


def test_only_whole_cells_count() -> None:
    made = [*rows("m", "a", (10, 20)), row("n", "a", 1, 10), row("o", "a", 1, 10), row("o", "a", 2, 0, ended="failed")]
    results = Results(made, 2)
    assert results.common(("m", "n", "o"), ["a"]) == ["m"]
    assert results.unfinished == {("n", "a"): (1, 1), ("o", "a"): (1, 2)}


def test_goals_found_on_the_way_are_the_most_that_a_run_knew() -> None:
    made = [row("m", "a", 1, 10, exception=4), row("m", "b", 1, 10, exception=8), row("m", "c", 1, 9, ended="failed", exception=99)]
    results = Results(made, 1)
    assert results.value(made[0], "exception") == 0.5
    assert results.value(made[1], "exception") == 1.0
    assert results.value(made[0], TESTS) == 1
    assert results.mean(["m"], "a", "exception") == 0.5


def test_odds_of_the_best_coverage() -> None:
    made = [*rows("m", "a", (50, 50, 50, 40)), *rows("m", "b", (50, 40, 40, 40)), *rows("n", "a", (1, 1, 1, 1))]
    found = odds(Results(made, 4), ("m", "n"), "a", "b", ("a", "b"))
    assert found is not None
    assert (found.best, found.other_best, found.runs) == (3, 1, 4)
    assert found.ratio == pytest.approx(9)
    assert found.p == pytest.approx(34 / 70)  # the lady tasting tea
    assert odds(Results(made, 4), ("n",), "a", "b", ("a", "b")) is None


def test_pearson() -> None:
    anscombe_x = (10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5)
    anscombe_y = (8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68)
    coefficient, p = pearson(list(zip(anscombe_x, anscombe_y, strict=True)))
    assert coefficient == pytest.approx(0.8164, abs=1e-4)
    assert p == pytest.approx(0.00217, abs=1e-5)
    assert pearson([(1, 2), (2, 4), (3, 6), (4, 8)])[0] == pytest.approx(1)
    assert pearson([(1, 3), (2, 2), (3, 1)])[0] == pytest.approx(-1)
    assert pearson([(1, 3), (1, 2), (1, 1)]) == (None, None)
    assert pearson([(1, 3), (2, 2)]) == (None, None)


def test_easy_modules_alone_are_no_correlation_within() -> None:
    easy, hard = [(0.9, 0.8), (0.9, 0.9), (1.0, 0.8), (1.0, 0.9)], [(0.1, 0.2), (0.1, 0.3), (0.2, 0.2), (0.2, 0.3)]
    found = correlation("branch", "line", [easy, hard])
    assert found.points == 8
    assert found.coefficient is not None
    assert found.coefficient > 0.9
    assert found.within == pytest.approx(0)


def test_correlations_take_suites_of_the_guiding_criterion() -> None:
    made = [row("m", "mosa/branch", seed, 10 * seed, line=100 - 10 * seed, output=7) for seed in (1, 2, 3)]
    made += [row("m", "mosa/smart", seed, 5, line=seed) for seed in (1, 2, 3)]
    found = {one.other: one for one in correlations(Results(made, 3), ("m",), "mosa")}
    assert set(found) == {"direct-branch", "line", "weak-mutation", "method", "no-exception", "exception", "output"}
    assert found["line"].coefficient == pytest.approx(-1)
    assert found["direct-branch"].coefficient == pytest.approx(1)
    assert found["output"].coefficient is None
    assert (found["line"].grouped, found["output"].grouped) == (True, False)
