"""What to run: cheap screening, then whole blocks (all configurations x all seeds) of the crashes that tell searches apart.

A crash tells where some runs reproduce it and some do not. The issue of the comparison asks for all of these and ten more, drawn by
seed from the rest.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from benchmarks.comparison.configurations import DEFAULT
from benchmarks.comparison.runs import FAILED, WALL_LIMIT, Row

SCREENED = (DEFAULT, "random", "weighted-sum", "st-distance+bbc")
"""The configurations that screen, in this order."""
START = 0.3
"""Seconds of a run that its processes do not count."""
Run = tuple[str, int]
"""A configuration's name and a seed."""


class Kind(Enum):
    """What screening says of a crash."""

    PARTIAL = "reproduced in part of the screening runs"
    ALWAYS = "reproduced in every screening run"
    NEVER = "reproduced in no screening run"
    SLOW = "a screening run came to the wall limit"
    FAILED = "the engine could not search"


@dataclass(frozen=True, slots=True)
class Screening:
    """At most ``seeds`` runs of each screening configuration; a crash that fails ``failures`` times without a success is given
    up. Most crashes are settled by two runs."""

    seeds: int = 3
    failures: int = 4
    configurations: tuple[str, ...] = SCREENED

    def runs(self) -> list[Run]:
        """All screening runs of a crash, in order."""
        return [(name, seed) for seed in range(1, self.seeds + 1) for name in self.configurations]

    def verdict(self, row_of: Callable[[Run], Row | None]) -> Kind | Run:
        """What the rows say, or the run to make next. Only screening runs count, in order: the verdict does not change when
        other runs of the crash are made."""
        successes = failures = 0
        for run in self.runs():
            row = row_of(run)
            if row is None:
                return run
            if row.ended == WALL_LIMIT:
                return Kind.SLOW
            if row.ended == FAILED:
                return Kind.FAILED
            successes += row.success is not None
            failures += row.success is None
            if successes and failures:
                return Kind.PARTIAL
            if failures >= self.failures:
                return Kind.NEVER
        return Kind.ALWAYS if successes else Kind.NEVER


@dataclass(frozen=True, slots=True)
class Selection:
    """The crashes of the main stage, in the order in which their blocks are made, and why each was chosen; and why the others
    were not."""

    chosen: Mapping[str, str]
    left_out: Mapping[str, str]


def select(kinds: Mapping[str, Kind], draw: int, seed: int, cost: Callable[[str], float]) -> Selection:
    """All partial crashes and ``draw`` others. Cheap ones first: whenever time is up, most blocks are whole."""
    partial = sorted(name for name, kind in kinds.items() if kind is Kind.PARTIAL)
    rest = sorted(name for name, kind in kinds.items() if kind in (Kind.ALWAYS, Kind.NEVER))
    drawn = set(random.Random(seed).sample(rest, min(draw, len(rest))))
    chosen = dict.fromkeys(sorted(partial, key=cost), Kind.PARTIAL.value)
    chosen |= {name: f"drawn; {kinds[name].value}" for name in sorted(drawn, key=cost)}
    left_out = {name: kind.value for name, kind in sorted(kinds.items()) if name not in chosen}
    return Selection(chosen, {name: f"not drawn; {why}" if name in rest else why for name, why in left_out.items()})


def block(configurations: Iterable[str], seeds: int) -> list[Run]:
    """All runs of one crash at one frame."""
    names = list(configurations)
    return [(name, seed) for seed in range(1, seeds + 1) for name in names]


def cost(rows: Sequence[Row], runs: int) -> float:
    """Core seconds that ``runs`` runs of a crash will take, by those that were made: the mean of the configurations' means, since
    screening makes more runs of some than of others."""
    of: dict[str, list[float]] = {}
    for row in rows:
        of.setdefault(row.key.configuration, []).append(min(row.seconds, row.cpu + START) if row.cpu else row.seconds)
    means = [sum(seconds) / len(seconds) for seconds in of.values()]
    return runs * sum(means) / len(means) if means else 0.0
