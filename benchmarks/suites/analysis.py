"""From rows to what the papers report: coverage with wins, losses and effect sizes, module by module and in sum."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.comparison.effect import a12, odds_ratio
from benchmarks.comparison.significance import fisher, rank_sum, signed_rank
from benchmarks.suites.runs import CURVE, Row

ALPHA = 0.05
"""As in paper 004."""
AREA = "area"
"""The area under the curve of covered branches over evaluations, as a share: the mean branch coverage of the search's course."""
TESTS = "tests"
LARGE = 200
"""Branches that make a module large (paper 004)."""


@dataclass(frozen=True, slots=True)
class Cell:
    """All runs of one configuration on one module."""

    module: str
    configuration: str
    rows: tuple[Row, ...]

    def mean(self, value: Callable[[Row], float]) -> float:
        """Of a value over the runs."""
        return statistics.fmean(value(row) for row in self.rows)


class Results:
    """The rows of an experiment, by module and configuration. Only whole cells count: as many runs with a result as ``seeds``."""

    def __init__(self, rows: Iterable[Row], seeds: int) -> None:
        found: dict[tuple[str, str], list[Row]] = {}
        self._most: dict[tuple[str, str], int] = {}
        for row in rows:
            found.setdefault((row.key.module, row.key.configuration), []).append(row)
            for criterion, (_, known) in row.coverage.items() if row.good else ():
                place = (row.key.module, criterion)
                self._most[place] = max(self._most.get(place, 0), known)
        self._cells = {
            (module, name): Cell(module, name, tuple(sorted(some, key=lambda row: row.key.seed)))
            for (module, name), some in found.items()
            if sum(row.good for row in some) == len(some) == seeds
        }
        self.unfinished = {
            place: (sum(row.good for row in some), len(some)) for place, some in found.items() if place not in self._cells
        }
        """By module and configuration: how many runs gave a result, of how many that were made."""

    def get(self, module: str, configuration: str) -> Cell | None:
        """The cell, where it is whole."""
        return self._cells.get((module, configuration))

    def common(self, modules: Iterable[str], configurations: Collection[str]) -> list[str]:
        """The modules with a whole cell for each of these configurations."""
        return [one for one in modules if all((one, name) in self._cells for name in configurations)]

    def known(self, module: str, criterion: str) -> int:
        """The goals of a criterion: the most that any run knew, since exceptions and outputs are found on the way."""
        return self._most.get((module, criterion), 0)

    def value(self, row: Row, measure: str) -> float:
        """Of a criterion the share of its goals that are covered; or the area, or the number of tests."""
        known = self.known(row.key.module, CURVE if measure == AREA else measure)
        if measure == TESTS:
            return row.tests
        if not known:
            return 1.0
        return area(row, known) if measure == AREA else row.coverage.get(measure, (0, known))[0] / known

    def mean(self, modules: Sequence[str], configuration: str, measure: str) -> float:
        """The mean of the modules' means. Each must have a whole cell."""
        return statistics.fmean(self._cells[module, configuration].mean(lambda row: self.value(row, measure)) for module in modules)


def area(row: Row, known: int) -> float:
    """The mean share of the branches that are covered after 1 to ``evaluations`` tests; what was covered at the end counts for what
    a search did not use. Between two generations the curve is flat."""
    evaluations = row.key.evaluations
    before = [0, *(met for _, met in row.curve)]
    new = [(met - earlier, evaluations - min(used, evaluations)) for (used, met), earlier in zip(row.curve, before, strict=False)]
    return sum(branches * rest for branches, rest in new) / (known * evaluations)


@dataclass(frozen=True, slots=True)
class Pair:
    """One configuration against another on one module: the difference of the means, the A12 of the first over the second, and the
    p-value of the rank-sum test."""

    module: str
    difference: float
    effect: float
    p: float

    @property
    def verdict(self) -> int:
        """1: the first is significantly better; -1: worse; 0: neither."""
        if self.p >= ALPHA or self.effect == 0.5:
            return 0
        return 1 if self.effect > 0.5 else -1


@dataclass(frozen=True, slots=True)
class Comparison:
    """``first`` against ``second`` by one measure. ``p`` is that of the signed-rank test over modules of the differences of the
    means (not in the papers: with few seeds, one module alone hardly ever shows a difference)."""

    first: str
    second: str
    measure: str
    pairs: tuple[Pair, ...]
    p: float

    @property
    def better(self) -> list[Pair]:
        """Modules where the first is significantly better."""
        return [pair for pair in self.pairs if pair.verdict > 0]

    @property
    def worse(self) -> list[Pair]:
        """... and worse."""
        return [pair for pair in self.pairs if pair.verdict < 0]

    @property
    def difference(self) -> float:
        """Mean over modules."""
        return statistics.fmean(pair.difference for pair in self.pairs)

    @property
    def effect(self) -> float:
        """The mean A12."""
        return statistics.fmean(pair.effect for pair in self.pairs)


def compare(results: Results, modules: Iterable[str], first: str, second: str, measure: str) -> Comparison | None:
    """On the modules where both have whole cells; None where there are none."""
    pairs = []
    for module in modules:
        cells = results.get(module, first), results.get(module, second)
        if cells[0] is not None and cells[1] is not None:
            ours, theirs = ([results.value(row, measure) for row in cell.rows] for cell in cells if cell is not None)
            difference = statistics.fmean(ours) - statistics.fmean(theirs)
            pairs.append(Pair(module, difference, a12(ours, theirs), rank_sum(ours, theirs)))
    if not pairs:
        return None
    return Comparison(first, second, measure, tuple(pairs), signed_rank([pair.difference for pair in pairs]))


@dataclass(frozen=True, slots=True)
class Odds:
    """How often runs come to the best branch coverage that any run has on their module, and the odds ratio and Fisher's p against
    another configuration on the same modules."""

    best: int
    other_best: int
    runs: int
    ratio: float
    p: float


def odds(results: Results, modules: Sequence[str], first: str, second: str, configurations: Collection[str]) -> Odds | None:
    """On the modules where both have whole cells; the best is that of these configurations. None without such modules."""
    both = results.common(modules, (first, second))
    if not both:
        return None
    hits = {first: 0, second: 0}
    runs = 0
    for module in both:
        cells = [cell for name in configurations if (cell := results.get(module, name)) is not None]
        best = max(row.coverage[CURVE][0] for cell in cells for row in cell.rows)
        for cell in cells:
            if cell.configuration in hits:
                hits[cell.configuration] += sum(row.coverage[CURVE][0] == best for row in cell.rows)
        runs += max(len(cell.rows) for cell in cells)
    table = (hits[first], runs, hits[second], runs)
    return Odds(hits[first], hits[second], runs, odds_ratio(*table), fisher(*table))
