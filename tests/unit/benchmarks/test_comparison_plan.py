"""Which runs are made, in which order, and that it stays so."""

from __future__ import annotations

import pytest
from benchmarks.comparison.configurations import ABLATIONS, COMPARISONS, CONFIGURATIONS, DEFAULT, PAPERS
from benchmarks.comparison.plan import SCREENED, Kind, Run, Screening, block, cost, select
from benchmarks.comparison.runs import Row
from comparison_rows import row

from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import SearchSettings

SCREENING = Screening(seeds=2, failures=2, configurations=("a", "b"))


def verdict(successes: dict[Run, int | None], ended: str = "") -> Kind | Run:
    rows = {run: row("crash", *run, success, ended=ended) for run, success in successes.items()}
    return SCREENING.verdict(rows.get)


def test_seven_configurations_and_the_default_is_the_products() -> None:
    assert len(PAPERS) == 7
    assert CONFIGURATIONS[DEFAULT].settings(1) == SearchSettings()
    assert set(SCREENED) <= set(CONFIGURATIONS)
    assert all(first in CONFIGURATIONS and second in CONFIGURATIONS for first, second in COMPARISONS)
    assert sum(second == "random" for _, second in COMPARISONS) == 6


def test_each_mechanism_is_switched_off_alone_and_then_all() -> None:
    off = [one.settings(1).without for one in ABLATIONS]
    asked_for = Mechanism.PRECONDITIONS
    assert off == [*((one,) for one in Mechanism if one is not asked_for), tuple(Mechanism), ()]
    assert ABLATIONS[-1].settings(1).engine == "portfolio"
    assert [pair for pair in COMPARISONS if pair[1].startswith(("without-", "published", "portfolio"))] == [
        (DEFAULT, one.name) for one in ABLATIONS
    ]


def test_screening_goes_on_until_it_knows() -> None:
    assert verdict({}) == ("a", 1)
    assert verdict({("a", 1): 5}) == ("b", 1)
    assert verdict({("a", 1): 5, ("b", 1): None}) is Kind.PARTIAL
    assert verdict({("a", 1): 5, ("b", 1): 7}) == ("a", 2)
    assert verdict({("a", 1): None, ("b", 1): None}) is Kind.NEVER
    assert verdict({("a", 1): 5, ("b", 1): 7, ("a", 2): 5, ("b", 2): 7}) is Kind.ALWAYS
    assert verdict({("a", 1): None}, "wall limit") is Kind.SLOW
    assert verdict({("a", 1): None}, "failed") is Kind.FAILED


def test_other_runs_do_not_change_what_screening_said() -> None:
    screened: dict[Run, int | None] = {("a", 1): None, ("b", 1): None}
    assert verdict(screened) is verdict(screened | {("a", 2): 5, ("c", 1): 8}) is Kind.NEVER


def test_all_partial_crashes_and_a_draw_of_the_rest_cheap_ones_first() -> None:
    kinds = {f"p{number}": Kind.PARTIAL for number in range(3)}
    kinds |= {f"n{number}": Kind.NEVER for number in range(5)} | {f"a{number}": Kind.ALWAYS for number in range(5)}
    kinds |= {"s": Kind.SLOW}
    chosen = select(kinds, 4, 1, lambda name: -int(name[1]))
    names = list(chosen.chosen)
    assert names[:3] == ["p2", "p1", "p0"]
    assert len(names) == 7
    assert names[3:] == sorted(names[3:], key=lambda name: -int(name[1]))
    assert "s" in chosen.left_out
    assert set(chosen.chosen) | set(chosen.left_out) == set(kinds)
    assert select(kinds, 4, 1, lambda _name: 0.0).chosen.keys() == chosen.chosen.keys()
    assert any(select(kinds, 4, seed, lambda _name: 0.0).chosen.keys() != chosen.chosen.keys() for seed in range(2, 6))


def test_a_block_is_made_seed_by_seed() -> None:
    assert block(["a", "b"], 2) == [("a", 1), ("b", 1), ("a", 2), ("b", 2)]


@pytest.mark.parametrize(
    ("rows", "seconds"),
    [([], 0.0), ([row("x", "a", 1, None), row("x", "a", 2, None), row("x", "b", 1, 500)], 7.5)],
)
def test_cost_weighs_configurations_alike(rows: list[Row], seconds: float) -> None:
    assert cost(rows, 10) == pytest.approx(seconds, abs=0.01)
