"""From rows to what the papers report: success ratios and their odds (RQ1), evaluations to success (RQ2), by crash and in sum."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.comparison.effect import a12, odds_ratio
from benchmarks.comparison.runs import Row
from benchmarks.comparison.significance import ALPHA, fisher, rank_sum, signed_rank


@dataclass(frozen=True, slots=True)
class Sample:
    """The runs of one configuration on one crash. ``evaluations`` are those to success; the full budget where there was none."""

    successes: int
    evaluations: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def runs(self) -> int:
        """How many there are."""
        return len(self.evaluations)

    @property
    def ratio(self) -> float:
        """The share of runs that reproduced the crash."""
        return self.successes / self.runs

    @property
    def mean(self) -> float:
        """Evaluations to success in the mean."""
        return statistics.fmean(self.evaluations)

    @property
    def median(self) -> float:
        """Evaluations to success in the median."""
        return statistics.median(self.evaluations)


@dataclass(frozen=True, slots=True)
class Block:
    """All runs of a crash at one target frame."""

    crash: str
    frame: int
    total: int
    samples: dict[str, Sample]

    @property
    def reproduced(self) -> bool:
        """By at least one run of at least one configuration."""
        return any(sample.successes for sample in self.samples.values())


@dataclass(frozen=True, slots=True)
class Pair:
    """One configuration against another on one crash. ``faster_p`` is that of the rank-sum test; None where neither reproduced
    the crash, so that there is nothing to time."""

    crash: str
    odds: float
    odds_p: float
    a12: float
    faster_p: float | None
    saved: float
    """The share of the other's evaluations to success that the first one saves in the mean."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """``first`` against ``second`` on all crashes. ``gained`` and ``lost`` are crashes that only one of the two reproduces at all;
    ``points`` the mean difference of the success ratio, in percentage points. The p-values are those of the signed-rank test over
    crashes: of the success ratios, and of the mean evaluations to success. (Not in the papers: with few seeds, one crash alone
    hardly ever shows a difference.)"""

    first: str
    second: str
    pairs: tuple[Pair, ...]
    points: float
    points_p: float
    evaluations_p: float
    gained: int
    lost: int

    @property
    def oftener(self) -> list[Pair]:
        """Crashes that the first reproduces significantly more often."""
        return [pair for pair in self.pairs if pair.odds > 1 and pair.odds_p < ALPHA]

    @property
    def rarer(self) -> list[Pair]:
        """... and less often."""
        return [pair for pair in self.pairs if pair.odds < 1 and pair.odds_p < ALPHA]

    @property
    def timed(self) -> list[Pair]:
        """Crashes that one of the two reproduces."""
        return [pair for pair in self.pairs if pair.faster_p is not None]

    @property
    def faster(self) -> list[Pair]:
        """Crashes that the first reproduces with significantly fewer evaluations."""
        return [pair for pair in self.timed if pair.a12 < 0.5 and (pair.faster_p or 0.0) < ALPHA]

    @property
    def slower(self) -> list[Pair]:
        """... and with more."""
        return [pair for pair in self.timed if pair.a12 > 0.5 and (pair.faster_p or 0.0) < ALPHA]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A block that lacks runs."""

    crash: str
    frame: int
    total: int
    made: int
    wanted: int


def blocks(rows: Iterable[Row], configurations: Sequence[str], seeds: int) -> tuple[list[Block], list[Unfinished]]:
    """The whole blocks, in the order in which crashes first occur, and what lacks runs."""
    grouped: dict[tuple[str, int], dict[tuple[str, int], Row]] = {}
    for row in rows:
        grouped.setdefault((row.key.crash, row.key.frame), {})[row.key.configuration, row.key.seed] = row
    whole: list[Block] = []
    unfinished: list[Unfinished] = []
    for (crash, frame), made in grouped.items():
        wanted = {name: [made.get((name, seed)) for seed in range(1, seeds + 1)] for name in configurations}
        total = next(iter(made.values())).total
        found = {name: [row for row in some if row is not None] for name, some in wanted.items()}
        number = sum(map(len, found.values()))
        if number < len(configurations) * seeds:
            unfinished.append(Unfinished(crash, frame, total, number, len(configurations) * seeds))
        else:
            whole.append(Block(crash, frame, total, {name: _sample(some) for name, some in found.items()}))
    return whole, unfinished


def highest(whole: Iterable[Block]) -> list[Block]:
    """One block for each crash: the highest frame that any run reproduced (r_max); the highest of all where none did."""
    best: dict[str, Block] = {}
    for block in whole:
        known = best.get(block.crash)
        if known is None or (block.reproduced, block.frame) > (known.reproduced, known.frame):
            best[block.crash] = block
    return list(best.values())


def compare(whole: Sequence[Block], first: str, second: str) -> Comparison:
    """``first`` against ``second`` over the blocks."""
    pairs = tuple(_pair(block, block.samples[first], block.samples[second]) for block in whole)
    sides = [(block.samples[first], block.samples[second]) for block in whole]
    ratios = [one.ratio - other.ratio for one, other in sides]
    return Comparison(
        first,
        second,
        pairs,
        100 * statistics.fmean(ratios) if ratios else 0.0,
        signed_rank(ratios),
        signed_rank([one.mean - other.mean for one, other in sides]),
        sum(bool(one.successes) and not other.successes for one, other in sides),
        sum(bool(other.successes) and not one.successes for one, other in sides),
    )


def _pair(block: Block, first: Sample, second: Sample) -> Pair:
    timed = bool(first.successes or second.successes)
    return Pair(
        block.crash,
        odds_ratio(first.successes, first.runs, second.successes, second.runs),
        fisher(first.successes, first.runs, second.successes, second.runs),
        a12(first.evaluations, second.evaluations),
        rank_sum(first.evaluations, second.evaluations) if timed else None,
        1 - first.mean / second.mean,
    )


def _sample(rows: Sequence[Row]) -> Sample:
    to_success = tuple(row.key.evaluations if row.success is None else row.success for row in rows)
    return Sample(sum(row.success is not None for row in rows), to_success, tuple(row.seconds for row in rows))
