"""The archive keeps for each goal the shortest test that covers it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.goals.coverage.goal import as_goals, numbers
from crashwright.engine.search.suite.archive import Archive
from crashwright.engine.search.suite.problem import Ran

Run = Ran[str, None]


def ran(name: str, covered: set[int], size: int, timed_out: bool = False) -> Run:
    return Ran(name, None, as_goals(covered), size, timed_out)


def test_first_test_of_a_goal_is_news() -> None:
    archive: Archive[str, None] = Archive()
    placed = archive.add(ran("a", {1, 4}, 9))
    assert placed is not None
    assert (placed.goals, placed.first) == (as_goals({1, 4}), as_goals({1, 4}))
    assert archive.covered == as_goals({1, 4})
    assert archive.best(4).individual == "a"


def test_shorter_test_takes_only_what_it_covers() -> None:
    archive: Archive[str, None] = Archive()
    archive.add(ran("long", {1, 2}, 9))
    placed = archive.add(ran("short", {2, 3}, 5))
    assert placed is not None
    assert (placed.goals, placed.first) == (as_goals({2, 3}), as_goals({3}))
    assert [archive.best(goal).individual for goal in (1, 2, 3)] == ["long", "short", "short"]
    assert len(archive) == 2


def test_test_that_lost_every_goal_is_forgotten() -> None:
    archive: Archive[str, None] = Archive()
    archive.add_all([ran("long", {1, 2}, 9), ran("one", {1}, 5), ran("two", {2}, 5)])
    assert sorted(found.individual for found in archive.tests()) == ["one", "two"]
    assert {archive.choose(random.Random(seed)).individual for seed in range(20)} == {"one", "two"}


def test_equal_or_longer_test_and_one_out_of_time_are_no_news() -> None:
    archive: Archive[str, None] = Archive()
    archive.add(ran("a", {1}, 5))
    assert archive.add_all([ran("b", {1}, 5), ran("c", {1}, 6), ran("d", set(), 1), ran("e", {2}, 1, timed_out=True)]) == []
    assert archive.covered == as_goals({1})


def test_uncovered_goal_has_no_test() -> None:
    archive: Archive[str, None] = Archive()
    with pytest.raises(KeyError):
        archive.best(0)
    with pytest.raises(IndexError):
        archive.choose(random.Random(1))


@given(st.lists(st.tuples(st.sets(st.integers(0, 70), max_size=20), st.integers(0, 12)), max_size=40))
def test_archive_agrees_with_a_search_through_all_runs(runs: list[tuple[set[int], int]]) -> None:
    archive: Archive[str, None] = Archive()
    archive.add_all([ran(str(number), covered, size) for number, (covered, size) in enumerate(runs)])
    wanted: dict[int, int] = {}
    for number, (covered, size) in enumerate(runs):
        for goal in covered:
            if goal not in wanted or size < runs[wanted[goal]][1]:
                wanted[goal] = number
    assert {goal: int(archive.best(goal).individual) for goal in numbers(archive.covered)} == wanted
    assert sorted(int(found.individual) for found in archive.tests()) == sorted(set(wanted.values()))
