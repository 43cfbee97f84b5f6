"""How a budget is shared among modules."""

from __future__ import annotations

import pytest

from crashwright.core.settings import Budget
from crashwright.environment.package_modules import SourceModule
from crashwright.workflows.modules.shares import Shares

MODULES = [SourceModule("a", "a.py", 60), SourceModule("b", "b.py", 30), SourceModule("c", "c.py", 10)]


def test_budget_is_shared_by_size_and_what_is_left_goes_on() -> None:
    shares = Shares(Budget(10.0), MODULES, 1)
    first = shares.take("a")
    assert first == Budget(6.0, None)
    shares.give_back(first, 2.0)
    assert shares.take("b") == Budget(6.0, None)
    assert shares.take("c") == Budget(2.0, None)


def test_no_module_gets_more_than_the_whole_budget() -> None:
    shares = Shares(Budget(10.0), MODULES, 2)
    assert [shares.take(name).seconds for name in "abc"] == [10.0, 7.5, 2.5]
    tiny = Shares(Budget(0.1), MODULES, 1)
    assert all((tiny.take(name).seconds or 0.0) > 0 for name in "abc")


def test_evaluations_do_not_depend_on_who_comes_first() -> None:
    one, other = Shares(Budget(None, 1000), MODULES, 1), Shares(Budget(None, 1000), MODULES, 3)
    assert [one.take(name) for name in "abc"] == [other.take(name) for name in "cba"][::-1]
    assert Shares(Budget(None, 1000), MODULES, 1).take("a") == Budget(None, 600)


def test_where_there_are_too_many_modules_the_largest_share_the_time() -> None:
    shares = Shares(Budget(10.0), MODULES, 1, most=2)
    first, second = shares.take("a"), shares.take("b")
    assert (first.seconds, second.seconds) == pytest.approx((6.6667, 3.3333), abs=0.001)
    shares.give_back(first, 2.6667)
    assert shares.take("c").seconds == pytest.approx(4.0, abs=0.001)


def test_what_is_done_has_no_share_of_the_seconds_and_keeps_its_evaluations() -> None:
    assert Shares(Budget(10.0, 1000), MODULES, 1, done={"a"}).take("b") == Budget(7.5, 300)
