"""Rank selection (SPEC 5) and the order in which individuals survive."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from crashwright.engine.search.algorithm import Compare, Scored

T = TypeVar("T")
BIAS = 1.7
MOST_COMPARED = 60
"""Different coverages of one fitness that are compared with each other; those that come later count as the worst."""


def rank_index(count: int, rng: random.Random, bias: float = BIAS) -> int:
    """An index below ``count``, small ones likelier: linear ranking with selection pressure ``bias`` in (1, 2]."""
    spread = bias - math.sqrt(bias * bias - 4.0 * (bias - 1.0) * rng.random())
    return min(count - 1, int(count * spread / (2.0 * (bias - 1.0))))


@dataclass(slots=True)
class Tally:
    """Pairs of equal fitness that the secondary objective was asked about, and those of which it put one ahead."""

    pairs: int = 0
    decided: int = 0

    def count(self, front: Iterable[int]) -> None:
        """``front`` of all that are tied with each other: pairs within one of them stay ties."""
        sizes = Counter(front).values()
        number = sum(sizes)
        pairs = number * (number - 1) // 2
        self.pairs += pairs
        self.decided += pairs - sum(size * (size - 1) // 2 for size in sizes)


def by_fitness(
    scored: Sequence[Scored[T]],
    rng: random.Random,
    compare: Compare | None = None,
    spread: bool = False,
    tally: Tally | None = None,
) -> list[Scored[T]]:
    """Best first: fitness, then goals on the way, then the secondary objective, then size, then a coin, so that neutral offspring
    are as likely to survive as their parents. ``spread``: of those of one fitness the best of each behaviour come first, then the
    second of each, and so on; size decides only between those of one behaviour. ``tally`` counts what ``compare`` decides."""
    flip = rng.random
    order = sorted([(one.fitness, one.blocked, one.size, flip(), index) for index, one in enumerate(scored)])
    if compare is not None or spread:
        order = _ties_resolved(order, scored, compare, spread, tally)
    return [scored[entry[4]] for entry in order]


_Entry = tuple[float, float, int, float, int]


def _ties_resolved(
    order: list[_Entry], scored: Sequence[Scored[T]], compare: Compare | None, spread: bool, tally: Tally | None
) -> list[_Entry]:
    """``order`` with each run of equal fitness (and goals on the way) put in order of the fronts of its coverages, and dealt out by
    behaviour."""
    resolved: list[_Entry] = []
    start = 0
    while start < len(order):
        fitness = order[start][:2]
        end = start + 1
        while end < len(order) and order[end][:2] == fitness:
            end += 1
        tied = order[start:end]
        if end - start > 1:
            coverages = dict.fromkeys([scored[entry[4]].coverage for entry in tied])
            front = fronts(coverages, compare) if compare is not None and len(coverages) > 1 else dict.fromkeys(coverages, 0)
            if tally is not None and compare is not None:
                tally.count(front[scored[entry[4]].coverage] for entry in tied)
            tied.sort(key=lambda entry: front[scored[entry[4]].coverage])  # stable: within a front the order stays
            tied = _dealt(tied, scored, front) if spread else tied
        resolved += tied
        start = end
    return resolved


def _dealt(tied: list[_Entry], scored: Sequence[Scored[T]], front: Mapping[object, int]) -> list[_Entry]:
    """The first of each behaviour, then the second of each, and so on; of those the better front first, whatever their size."""
    turns: Counter[object] = Counter()
    dealt: list[tuple[int, int, float, _Entry]] = []
    for entry in tied:
        one = scored[entry[4]]
        # Among behaviours no size is preferred for certain, or there would soon be one; but what is small survives more often.
        dealt.append((turns[one.behaviour], front[one.coverage], entry[2] * entry[3], entry))
        turns[one.behaviour] += 1
    dealt.sort()
    return [entry for *_, entry in dealt]


def fronts(coverages: Iterable[object], compare: Compare) -> dict[object, int]:
    """For each coverage how many steps it stands below one that nothing is better than.

    The comparison says for many pairs that there is no preference, and this is not transitive: sorting by it would depend on the
    order at the start. The fronts are a faithful order: what is better always comes first, and two of the same front, between which
    there is no preference, leave the decision to size and coin.
    """
    waiting = list(coverages)
    found = dict.fromkeys(waiting[MOST_COMPARED:], MOST_COMPARED)
    del waiting[MOST_COMPARED:]
    better: dict[object, set[object]] = {one: set() for one in waiting}
    for number, one in enumerate(waiting):
        for other in waiting[:number]:
            preference = compare(one, other)
            if preference > 0:
                better[one].add(other)
            elif preference < 0:
                better[other].add(one)
    front = 0
    while better:
        now = [one for one, above in better.items() if above <= found.keys()]
        for one in now or list(better):  # a comparison that runs in circles still comes to an end
            found[one] = front
            del better[one]
        front += 1
    return found
