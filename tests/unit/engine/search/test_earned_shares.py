"""Shares by success: what earns more gets more, within bounds; what was long ago counts less."""

from __future__ import annotations

import pytest

from crashwright.engine.search.earned_shares import FLOOR, MEMORY, MOST, EarnedShares


def test_the_fixed_shares_hold_until_something_is_known() -> None:
    shares = EarnedShares({"a": 3.0, "b": 1.0})
    assert [shares.share("a"), shares.share("b")] == [0.75, 0.25]
    shares.note("b", 100, 0)
    assert shares.share("b") == 0.25, "where nothing was earned there is nothing to compare"


def test_what_earns_more_than_the_others_gets_more() -> None:
    shares = EarnedShares({"a": 1.0, "b": 1.0})
    shares.note("a", 100, 10)
    shares.note("b", 100, 2)
    assert shares.share("a") > 0.6
    assert shares.share("a") + shares.share("b") == pytest.approx(1.0)


def test_each_way_keeps_a_floor_and_none_takes_all() -> None:
    shares = EarnedShares({"a": 1.0, "b": 1.0})
    shares.note("a", 10, 1000)
    shares.note("b", 10_000, 0)
    assert [shares.lift("a"), shares.lift("b")] == [MOST, FLOOR]
    assert shares.share("b") == pytest.approx(FLOOR / (FLOOR + MOST))


def test_little_evidence_moves_a_share_little() -> None:
    shares = EarnedShares({"a": 1.0, "b": 1.0})
    shares.note("a", 1, 1)
    shares.note("b", 1, 0)
    assert 1.0 < shares.lift("a") < 1.5


def test_what_was_long_ago_is_forgotten() -> None:
    shares = EarnedShares({"a": 1.0, "b": 1.0})
    shares.note("a", 100, 10)
    shares.note("b", 100, 2)
    before = shares.lift("a")
    shares.age(10 * MEMORY)
    assert 1.0 < shares.lift("a") < 1 + (before - 1) / 10
