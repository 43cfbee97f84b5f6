"""Preference sorting, against definitions written out."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.search.suite.preference import (
    COMPARISONS,
    columns_of,
    epsilon_crowding,
    pareto_fronts,
    preferred,
    subvector_crowding,
)

Rows = list[tuple[float, ...]]
TABLES = st.integers(0, 6).flatmap(
    lambda width: st.lists(st.tuples(*[st.sampled_from((0.25, 0.5, 1.5))] * width), min_size=1, max_size=25)
)


def dominates(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one != other and all(mine <= theirs for mine, theirs in zip(one, other, strict=True))


def fronts_by_definition(rows: Rows) -> list[set[int]]:
    waiting = set(range(len(rows)))
    fronts = []
    while waiting:
        front = {place for place in waiting if not any(dominates(rows[other], rows[place]) for other in waiting)}
        fronts.append(front)
        waiting -= front
    return fronts


@given(TABLES)
def test_pareto_fronts_agree_with_their_definition(rows: Rows) -> None:
    columns = columns_of(rows, range(len(rows[0])))
    found = pareto_fronts(list(columns), range(len(rows)), len(rows))
    assert [set(front) for front in found] == fronts_by_definition(rows)


def test_fronts_end_when_enough_are_ranked() -> None:
    rows: Rows = [(float(number),) for number in range(10)]
    assert pareto_fronts(list(columns_of(rows, [0])), range(10), 3) == [[0], [1], [2]]
    assert pareto_fronts(list(columns_of(rows, [0])), [4, 2, 9], 2) == [[2], [4]]


@given(TABLES)
def test_first_front_has_a_nearest_test_for_each_goal(rows: Rows) -> None:
    goals = range(len(rows[0]))
    front, chosen = preferred(columns_of(rows, goals), None, {}, random.Random(1))
    assert chosen == {}
    for goal in goals:
        nearest = min(row[goal] for row in rows)
        first = next(place for place, row in enumerate(rows) if row[goal] == nearest)
        assert first in front
    assert len(front) <= len(goals)


def test_secondary_objective_decides_between_equally_near_tests() -> None:
    rows: Rows = [(0.5, 0.5), (0.5, 0.5), (0.9, 0.1)]
    progress = {0: (1, 5, 9), 7: (1, 5, 9)}
    asked = []

    def tie(one: int, other: int, goal: int) -> int:
        asked.append((one, other, goal))
        return progress[goal][other] - progress[goal][one]

    front, chosen = preferred(columns_of(rows, [0, 7]), tie, {}, random.Random(1))
    assert sorted(front) == [1, 2]  # goal 7 has a single nearest test, whatever its progress
    assert chosen == {0: 1}
    assert asked == [(0, 1, 0)]


def test_champion_of_many_ties_is_compared_again() -> None:
    rows: Rows = [(0.5,)] * 60
    for seed in range(10):
        front, chosen = preferred(columns_of(rows, [3]), lambda one, other, goal: int(other == 41), {3: 41}, random.Random(seed))
        assert (front, chosen) == ([41], {3: 41})


def test_secondary_objective_is_asked_a_bounded_number_of_times() -> None:
    rows: Rows = [tuple(1.0 + goal for goal in range(2000))] * 20
    asked = []
    front, _ = preferred(columns_of(rows, range(2000)), lambda *where: asked.append(where) or 0, {}, random.Random(1))
    assert len(asked) <= COMPARISONS * len(rows)
    assert front == [0]


@given(TABLES)
def test_crowding_is_the_best_share_of_any_goal(rows: Rows) -> None:
    columns = columns_of(rows, range(len(rows[0])))
    front = list(range(0, len(rows), 2))
    wanted = [0.0] * len(front)
    for column in columns:
        values = [column[place] for place in front]
        if len(set(values)) > 1:
            best = [index for index, value in enumerate(values) if value == min(values)]
            for index in best:
                wanted[index] = max(wanted[index], (len(front) - len(best)) / len(front))
    assert epsilon_crowding(list(columns), front) == wanted


def test_subvector_crowding_counts_goals_won_against_the_hardest_rival() -> None:
    rows: Rows = [(0.0, 0.0, 2.0), (1.0, 1.0, 1.0), (2.0, 2.0, 0.0)]
    assert subvector_crowding(columns_of(rows, [0, 1, 2]), [0, 1, 2]) == [2.0, 1.0, 1.0]
    assert subvector_crowding(columns_of(rows, [0, 1, 2]), [1]) == [0.0]
