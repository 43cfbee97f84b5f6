"""Preference sorting of MOSA (SPEC 5): the best test for each goal first, then Pareto fronts, and within a front the most alone.

All of it works on columns: for one goal the distances of every test. Goals with the same column agree on everything but the
secondary objective and are looked at once. Sets of tests are the bits of an int. The cost is linear in the number of goals.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter

Column = tuple[float, ...]
Tie = Callable[[int, int, int], int]
"""The secondary objective for two tests (their places) and a goal: positive where the second is better, 0 without preference."""
TIED = 8
"""How many tests at the same distance from a goal the secondary objective looks at; the others are any of the rest."""
COMPARISONS = 20
"""How often it is asked in a generation, for each test: a bound that keeps many open goals affordable."""


def columns_of(rows: Sequence[Column], goals: Sequence[int]) -> dict[Column, list[int]]:
    """The different columns of a table of distances, each with the goals that it stands for."""
    columns: dict[Column, list[int]] = {}
    for goal, column in zip(goals, zip(*rows, strict=True), strict=True):
        columns.setdefault(column, []).append(goal)
    return columns


def preferred(
    columns: Mapping[Column, Sequence[int]], tie: Tie | None, champions: Mapping[int, int], rng: random.Random
) -> tuple[list[int], dict[int, int]]:
    """Front 0: the places of the best test for each goal, and what the secondary objective chose, by goal. Where it has no
    preference the first place wins: put the tests in the order of size, and those of a size in any. ``champions`` were chosen
    before and are compared again.

    # Deviation: one coin orders tests of a size for all goals alike, which makes the front smaller than a coin for each goal.
    """
    front: dict[int, None] = {}
    chosen: dict[int, int] = {}
    entries = list(columns.items())
    left = COMPARISONS * len(entries[0][0]) if entries and tie is not None else 0
    start = int(rng.random() * len(entries))  # so that not always the same goals go without the secondary objective
    for column, goals in entries[start:] + entries[:start]:
        nearest = min(column)
        first = column.index(nearest)
        if tie is None or left <= 0 or column.count(nearest) == 1:
            front[first] = None
            continue
        tied = _tied(column, nearest, rng)
        for goal in goals:
            if left <= 0:
                front[first] = None
                break
            champion = champions.get(goal, first)
            candidates = sorted({*tied, champion}) if column[champion] == nearest else tied
            left -= len(candidates)
            best = candidates[0]
            for other in candidates[1:]:
                if tie(best, other, goal) > 0:
                    best = other
            front[best] = None
            chosen[goal] = best
    return list(front), chosen


def _tied(column: Column, nearest: float, rng: random.Random) -> list[int]:
    """The places at the least distance; where there are many, the first one and some others."""
    if column.count(nearest) <= TIED:
        return [place for place, distance in enumerate(column) if distance == nearest]
    some = {column.index(nearest)}
    for _ in range(TIED - 1):
        start = int(rng.random() * len(column))
        if column[start] == nearest:
            some.add(start)
    return sorted(some)


def pareto_fronts(columns: Sequence[Column], places: Sequence[int], wanted: int) -> list[list[int]]:
    """The non-dominated fronts of the tests at ``places``, best first, until ``wanted`` tests are in them; what remains is left
    out. Tests with the same distances share a front."""
    if not columns or len(places) < 2:
        return [list(places)] if places else []
    pick = itemgetter(*places)
    rows: dict[Column, list[int]] = {}
    for place, row in zip(places, zip(*(pick(column) for column in columns), strict=True), strict=True):
        rows.setdefault(row, []).append(place)
    dominators = _dominators(list(rows))
    groups = list(rows.values())
    waiting = list(range(len(groups)))
    remaining = (1 << len(groups)) - 1
    fronts: list[list[int]] = []
    while waiting and wanted > 0:
        now = [group for group in waiting if not dominators[group] & remaining]
        front = [place for group in now for place in groups[group]]
        fronts.append(front)
        wanted -= len(front)
        for group in now:
            remaining ^= 1 << group
        waiting = [group for group in waiting if remaining >> group & 1]
    return fronts


def _dominators(rows: Sequence[Column]) -> list[int]:
    """For each of the rows, all different, the set of those that are nowhere worse."""
    bits = [1 << place for place in range(len(rows))]
    everyone = (1 << len(rows)) - 1
    found = [everyone ^ bit for bit in bits]
    undecided = list(range(len(rows)))
    for column in dict.fromkeys(zip(*rows, strict=True)):
        at: dict[float, int] = {}
        for distance, bit in zip(column, bits, strict=True):
            at[distance] = at.get(distance, 0) | bit
        reached = 0
        for distance in sorted(at):
            reached |= at[distance]
            at[distance] = reached
        for place in undecided:
            found[place] &= at[column[place]]
        undecided = [place for place in undecided if found[place]]
        if not undecided:  # with many goals hardly any test dominates another, and a few goals show it
            break
    return found


def epsilon_crowding(columns: Sequence[Column], front: Sequence[int]) -> list[float]:
    """Fast epsilon-dominance: a test that is best for a goal is the more alone, the fewer share its place."""
    size = len(front)
    crowding = [0.0] * size
    within = _within(columns, front)
    shared = sorted((column.count(min(column)), number) for number, column in enumerate(within))
    lonely = size  # tests that are best for nothing yet
    for count, number in shared:  # who shares with the fewest first: what a test gets first is the most it can get
        if count == size or not lonely:
            break
        column = within[number]
        nearest = min(column)
        index = -1
        for _ in range(count):
            index = column.index(nearest, index + 1)
            if not crowding[index]:
                crowding[index] = (size - count) / size
                lonely -= 1
    return crowding


def subvector_crowding(columns: Mapping[Column, Sequence[int]], front: Sequence[int]) -> list[float]:
    """Subvector dominance: the number of goals for which a test beats the one that it beats least."""
    if len(front) < 2:
        return [0.0] * len(front)
    beats = [[0] * len(front) for _ in front]
    weights = [len(goals) for goals in columns.values()]
    for column, weight in zip(_within(list(columns), front), weights, strict=True):
        for one, distance in enumerate(column):
            beaten = beats[one]
            for other, farther in enumerate(column):
                if distance < farther:
                    beaten[other] += weight
    return [float(min(count for other, count in enumerate(row) if other != one)) for one, row in enumerate(beats)]


def _within(columns: Sequence[Column], front: Sequence[int]) -> list[Column]:
    if len(front) == 1:
        return [(column[front[0]],) for column in columns]
    pick = itemgetter(*front)
    return [pick(column) for column in columns]
