"""What the rows say: better, equal and worse functions with significance and effect size (RQ2), and the cost (RQ3)."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from benchmarks.comparison.effect import a12
from benchmarks.comparison.significance import rank_sum
from benchmarks.flags.runs import Row

ALPHA = 0.05
"""As in the paper."""


class Compared(NamedTuple):
    """One function, the coverage (0-1) of each seed with and without flags. ``effect`` is the A12 of with over without."""

    module: str
    function: str
    with_flags: tuple[float, ...]
    without: tuple[float, ...]
    p: float
    effect: float

    @property
    def verdict(self) -> str:
        """By the mean, as the paper classes them: better | equal | worse."""
        difference = statistics.fmean(self.with_flags) - statistics.fmean(self.without)
        return "equal" if abs(difference) < 1e-9 else "better" if difference > 0 else "worse"

    @property
    def significant(self) -> bool:
        """Whether the two differ by Mann-Whitney."""
        return self.p < ALPHA


class Cost(NamedTuple):
    """One module: tests per CPU second with and without (medians of the seeds), and whether it has flags at all."""

    module: str
    with_flags: float
    without: float
    flagged: bool


def compared(rows: Iterable[Row]) -> list[Compared]:
    """The functions with runs of both kinds of the same seeds."""
    found: dict[tuple[str, str], dict[bool, dict[int, float]]] = {}
    for row in rows:
        if row.key.function and row.total:
            kinds = found.setdefault((row.key.module, row.key.function), {True: {}, False: {}})
            kinds[row.key.flags][row.key.seed] = row.covered / row.total
    result = []
    for (module, function), kinds in sorted(found.items()):
        seeds = sorted(kinds[True].keys() & kinds[False].keys())
        if seeds:
            one, other = (tuple(kinds[flags][seed] for seed in seeds) for flags in (True, False))
            result.append(Compared(module, function, one, other, rank_sum(one, other), a12(one, other)))
    return result


def costs(rows: Iterable[Row], flagged: Mapping[str, bool]) -> list[Cost]:
    """The modules that were run as a whole, with and without."""
    found: dict[str, dict[bool, list[float]]] = {}
    for row in rows:
        if not row.key.function and row.cpu > 0:
            found.setdefault(row.key.module, {True: [], False: []})[row.key.flags].append(row.used / row.cpu)
    return [
        Cost(module, statistics.median(kinds[True]), statistics.median(kinds[False]), flagged.get(module, False))
        for module, kinds in sorted(found.items())
        if kinds[True] and kinds[False]
    ]


def counts(functions: Sequence[Compared]) -> dict[str, tuple[int, int]]:
    """For each verdict how many functions, and how many of them significantly."""
    return {
        verdict: (
            sum(one.verdict == verdict for one in functions),
            sum(one.verdict == verdict and one.significant for one in functions),
        )
        for verdict in ("better", "equal", "worse")
    }
