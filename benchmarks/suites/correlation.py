"""Do criteria rise and fall together (paper 004, RQ4)? Pearson's coefficient of what suites cover of two criteria."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scipy.stats import pearsonr  # type: ignore[import-untyped]  # it has no type information

from benchmarks.suites.analysis import Results
from benchmarks.suites.configurations import named
from crashwright.core.suite import CRITERIA
from crashwright.engine.goals.coverage.selection import GROUPS


@dataclass(frozen=True, slots=True)
class Correlation:
    """Over the suites that were searched for with ``guide``: its coverage and that of ``other``. ``within`` is the coefficient
    after the mean of its module was taken from each value (not in the paper): what is left when modules that are easy for all
    criteria do not count. None where one of the two never varies."""

    guide: str
    other: str
    points: int
    coefficient: float | None
    p: float | None
    within: float | None

    @property
    def grouped(self) -> bool:
        """Whether smart selection puts the two into one group."""
        return any(self.guide in group and self.other in group for group in GROUPS)


def correlations(results: Results, modules: Sequence[str], algorithm: str, guides: Iterable[str] = CRITERIA) -> list[Correlation]:
    """For each guiding criterion that was run alone, against each of the others."""
    found = []
    for guide in guides:
        cells = [cell for one in modules if (cell := results.get(one, named(algorithm, guide))) is not None]
        for other in CRITERIA:
            if other != guide and cells:
                series = [[(results.value(row, guide), results.value(row, other)) for row in cell.rows] for cell in cells]
                found.append(correlation(guide, other, series))
    return found


def correlation(guide: str, other: str, series: Sequence[Sequence[tuple[float, float]]]) -> Correlation:
    """Of the points of several modules."""
    points = [point for some in series for point in some]
    centred = [point for some in series for point in _centred(some)]
    coefficient, p = pearson(points)
    return Correlation(guide, other, len(points), coefficient, p, pearson(centred)[0])


def pearson(points: Sequence[tuple[float, float]]) -> tuple[float | None, float | None]:
    """The coefficient and its p-value; None where there are fewer than three points, or one of the two never varies."""
    ones, others = [point[0] for point in points], [point[1] for point in points]
    if len(points) < 3 or _flat(ones) or _flat(others):
        return None, None
    found = pearsonr(ones, others)
    return float(found.statistic), float(found.pvalue)


def _flat(values: Sequence[float]) -> bool:
    return max(values) - min(values) < 1e-12


def _centred(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    means = statistics.fmean(point[0] for point in points), statistics.fmean(point[1] for point in points)
    return [(one - means[0], other - means[1]) for one, other in points]
