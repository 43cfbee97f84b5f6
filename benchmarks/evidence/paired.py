"""What pairs of runs say: one configuration against another on the same subjects with the same seeds.

The subject is the unit: differences are first averaged over the seeds of a subject, since runs of one subject are no independent
witnesses for others. Intervals and tests are over subjects.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scipy.stats import binomtest, t  # type: ignore[import-untyped]  # it has no type information

from benchmarks.comparison.effect import a12
from benchmarks.comparison.significance import fisher, rank_sum, signed_rank
from benchmarks.evidence.experiment import Contrast, Measure, Value

ALPHA, POWER = 0.05, 0.8


@dataclass(frozen=True, slots=True)
class Pairs:
    """The values of both configurations on one subject, seed by seed."""

    subject: str
    first: tuple[float, ...]
    second: tuple[float, ...]

    @property
    def difference(self) -> float:
        """Mean over the seeds."""
        return statistics.fmean(self.first) - statistics.fmean(self.second)

    @property
    def effect(self) -> float:
        """A12 of the first over the second."""
        return a12(self.first, self.second)

    def p(self, binary: bool) -> float:
        """Of this subject alone: Fisher's exact test of successes, or the rank-sum test."""
        if binary:
            return fisher(round(sum(self.first)), len(self.first), round(sum(self.second)), len(self.second))
        return rank_sum(self.first, self.second)


@dataclass(frozen=True, slots=True)
class Finding:
    """``first`` against ``second`` by one measure. ``low`` and ``high`` bound the 95 % confidence interval of the mean difference;
    ``p`` is that of the signed-rank test over subjects; ``discordant`` counts pairs of runs of which only the first, and only the
    second succeeded (of binary measures), with the p-value of the sign test (McNemar)."""

    first: str
    second: str
    measure: Measure
    pairs: tuple[Pairs, ...]
    difference: float
    low: float
    high: float
    effect: float
    p: float
    detectable: float
    """The true mean difference that so many subjects, with what they vary, would have shown with a probability of ``POWER``."""
    discordant: tuple[int, int] = (0, 0)
    discordant_p: float = 1.0

    @property
    def runs(self) -> int:
        """Pairs of runs."""
        return sum(len(one.first) for one in self.pairs)

    def counts(self) -> tuple[int, int, int]:
        """Subjects where the first has more, less, the same."""
        signs = [(one.difference > 1e-12) - (one.difference < -1e-12) for one in self.pairs]
        return signs.count(1), signs.count(-1), signs.count(0)

    def significant(self) -> tuple[int, int]:
        """Subjects where the first has significantly more, and less, by their own seeds, corrected for their number."""
        adjusted = holm([one.p(self.measure.binary) for one in self.pairs])
        telling = [one.difference for one, p in zip(self.pairs, adjusted, strict=True) if p < ALPHA]
        return sum(one > 0 for one in telling), sum(one < 0 for one in telling)


def find(values: Iterable[Value], contrast: Contrast, measure: Measure) -> Finding | None:
    """None where no subject has a pair."""
    pairs = tuple(paired(values, contrast, measure.name))
    if not pairs:
        return None
    differences = [one.difference for one in pairs]
    mean = statistics.fmean(differences)
    half, detectable = spread(differences)
    both = [both for one in pairs for both in zip(one.first, one.second, strict=True)]
    only = sum(one > other for one, other in both), sum(one < other for one, other in both)
    return Finding(
        contrast.first,
        contrast.second,
        measure,
        pairs,
        mean,
        mean - half,
        mean + half,
        statistics.fmean(one.effect for one in pairs),
        signed_rank(differences),
        detectable,
        only if measure.binary else (0, 0),
        sign_test(*only) if measure.binary else 1.0,
    )


def paired(values: Iterable[Value], contrast: Contrast, measure: str) -> list[Pairs]:
    """By subject, the values of the seeds that both have."""
    found: dict[str, tuple[dict[int, float], dict[int, float]]] = {}
    names = (contrast.first, contrast.second)
    for value in values:
        if value.configuration in names and measure in value.measures:
            sides = found.setdefault(value.subject, ({}, {}))
            sides[names.index(value.configuration)][value.seed] = value.measures[measure]
    result = []
    for subject, (ours, theirs) in found.items():
        seeds = sorted(ours.keys() & theirs.keys())
        if seeds:
            result.append(Pairs(subject, *(tuple(side[seed] for seed in seeds) for side in (ours, theirs))))
    return result


def spread(differences: Sequence[float]) -> tuple[float, float]:
    """Half the width of the 95 % confidence interval of their mean, by Student's t, and what is detectable; infinite for one."""
    if len(differences) < 2:
        return math.inf, math.inf
    error = statistics.stdev(differences) / math.sqrt(len(differences))
    freedom = len(differences) - 1
    quantile = float(t.ppf(1 - ALPHA / 2, freedom))
    return quantile * error, (quantile + float(t.ppf(POWER, freedom))) * error


def sign_test(more: int, less: int) -> float:
    """The exact p-value, two-sided, of as many one way as the other."""
    return float(binomtest(more, more + less).pvalue) if more + less else 1.0


def holm(values: Sequence[float]) -> list[float]:
    """The p-values, corrected for their number by Holm's method, in their order."""
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted = [0.0] * len(values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = largest
    return adjusted


def findings(values: Sequence[Value], contrasts: Sequence[Contrast]) -> list[tuple[Finding, float]]:
    """All of an experiment, each with its p-value corrected for the number of contrasts of its measure."""
    found = [one for contrast in contrasts for measure in contrast.measures if (one := find(values, contrast, measure)) is not None]
    corrected = [1.0] * len(found)
    for name in dict.fromkeys(one.measure.name for one in found):
        places = [place for place, one in enumerate(found) if one.measure.name == name]
        for place, p in zip(places, holm([found[place].p for place in places]), strict=True):
            corrected[place] = p
    return list(zip(found, corrected, strict=True))
