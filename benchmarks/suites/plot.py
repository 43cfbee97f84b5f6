"""The plots of both experiments, as SVG: the same rows give the same file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("svg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.suites.analysis import AREA, Results
from benchmarks.suites.configurations import ALL, DEFAULT, SMART, WITHOUT_SUBSUMPTION, named
from benchmarks.suites.correlation import correlations
from benchmarks.suites.defaults_report import comparisons
from benchmarks.suites.record import Record
from benchmarks.suites.runs import CURVE
from benchmarks.suites.selection_report import algorithms
from crashwright.core.suite import CRITERIA

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#777777")
_STEPS = 100


def plot_defaults(record: Record, file: Path) -> bool:
    """The differences to the default over modules, and the course of branch coverage by algorithm. False where there is nothing to
    show."""
    results = Results(record.rows, record.seeds)
    if not comparisons(record, results, CURVE):
        return False
    with pyplot.rc_context({"svg.hashsalt": "crashwright", "font.size": 8, "svg.fonttype": "none"}):
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
        _differences(left, record, results)
        _courses(right, record, results)
        _save(figure, file)
    return True


def plot_selection(record: Record, file: Path) -> bool:
    """Coverage of each criterion by approach, and the correlation of criteria, algorithm by algorithm."""
    results = Results(record.rows, record.seeds)
    shown = [one for one in algorithms(record) if _approaches(record, results, one)]
    if not shown:
        return False
    with pyplot.rc_context({"svg.hashsalt": "crashwright", "font.size": 8, "svg.fonttype": "none"}):
        figure, axes = pyplot.subplots(len(shown), 2, figsize=(11, 3.6 * len(shown)), layout="constrained", squeeze=False)
        for row, algorithm in zip(axes, shown, strict=True):
            _coverages(row[0], record, results, algorithm)
            _correlations(row[1], record, results, algorithm)
        _save(figure, file)
    return True


def _save(figure: Figure, file: Path) -> None:
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)


def _differences(axes: Axes, record: Record, results: Results) -> None:
    """A point for each module and configuration, and the mean."""
    for shift, measure, colour in ((-0.15, CURVE, _COLOURS[0]), (0.15, AREA, _COLOURS[1])):
        found = comparisons(record, results, measure)
        for place, one in enumerate(found):
            values = [100 * pair.difference for pair in one.pairs]
            axes.plot(values, [place + shift] * len(values), ".", color=colour, alpha=0.4)
            axes.plot([100 * one.difference], [place + shift], "s", color=colour, label=measure if not place else None)
        axes.set_yticks(range(len(found)), [one.first for one in found])
    axes.axvline(0, color="black", linewidth=0.7)
    axes.invert_yaxis()
    axes.set_xlabel("points more than the default (dots: modules; squares: means)")
    axes.legend()


def _courses(axes: Axes, record: Record, results: Results) -> None:
    """The mean share of branches over evaluations; of the algorithms where they were run, else of all."""
    names = [name for name in record.configurations if name in (DEFAULT, "mosa", "whole-suite", "random", "dynamosa")]
    names = [name for name in names if results.common(record.modules, [name])]
    common = results.common(record.modules, names)
    for number, name in enumerate(names if common else []):
        grid = [record.evaluations * step // _STEPS for step in range(_STEPS + 1)]
        shares = [_mean_share(results, common, name, used) for used in grid]
        axes.plot(grid, shares, color=_COLOURS[number % len(_COLOURS)], label=name)
    axes.set_xlabel("evaluations")
    axes.set_ylabel(f"share of branches ({len(common)} modules)")
    if common:
        axes.legend()


def _mean_share(results: Results, modules: Sequence[str], name: str, used: int) -> float:
    shares = []
    for module in modules:
        cell = results.get(module, name)
        for row in cell.rows if cell is not None else ():
            met = max((met for at, met in row.curve if at <= used), default=0)
            shares.append(met / max(1, results.known(module, CURVE)))
    return sum(shares) / len(shares)


def _approaches(record: Record, results: Results, algorithm: str) -> list[str]:
    found = [one for one in (SMART, ALL, WITHOUT_SUBSUMPTION) if named(algorithm, one) in record.configurations]
    return [one for one in found if results.common(record.modules, [named(algorithm, one)])]


def _coverages(axes: Axes, record: Record, results: Results, algorithm: str) -> None:
    approaches = _approaches(record, results, algorithm)
    common = results.common(record.modules, [named(algorithm, one) for one in approaches])
    width = 0.8 / (len(approaches) + 1)
    for number, approach in enumerate(approaches if common else []):
        shares = [results.mean(common, named(algorithm, approach), criterion) for criterion in CRITERIA]
        places = [place + number * width for place in range(len(CRITERIA))]
        axes.bar(places, shares, width, color=_COLOURS[number], label=approach)
    alone = [(place, one) for place, one in enumerate(CRITERIA) if common and results.common(common, [named(algorithm, one)])]
    for place, criterion in alone:
        modules = results.common(common, [named(algorithm, criterion)])
        share = results.mean(modules, named(algorithm, criterion), criterion)
        label = "alone" if (place, criterion) == alone[0] else None
        axes.bar([place + len(approaches) * width], [share], width, color=_COLOURS[3], label=label)
    axes.set_xticks([place + 0.3 for place in range(len(CRITERIA))], CRITERIA, rotation=30, ha="right")
    axes.set_ylim(0, 1.15)
    axes.set_title(f"{algorithm}: mean coverage ({len(common)} modules)")
    if common:
        axes.legend(loc="upper center", ncols=4)


def _correlations(axes: Axes, record: Record, results: Results, algorithm: str) -> None:
    found = {(one.guide, one.other): one.coefficient for one in correlations(results, record.modules, algorithm)}
    matrix = [[_shown(found, guide, other) for other in CRITERIA] for guide in CRITERIA]
    axes.imshow(matrix, vmin=-1, vmax=1, cmap="RdBu")
    for row, guide in enumerate(CRITERIA):
        for column, other in enumerate(CRITERIA):
            value = found.get((guide, other))
            if value is not None:
                axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=6)
    axes.set_xticks(range(len(CRITERIA)), CRITERIA, rotation=30, ha="right")
    axes.set_yticks(range(len(CRITERIA)), CRITERIA)
    axes.set_title(f"{algorithm}: Pearson's coefficient (row: searched for)")


def _shown(found: dict[tuple[str, str], float | None], guide: str, other: str) -> float:
    if guide == other:
        return 1.0
    return found.get((guide, other)) or 0.0
