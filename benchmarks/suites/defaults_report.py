"""The report on the defaults of the search for suites."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.comparison.effect import magnitude
from benchmarks.suites.analysis import ALPHA, AREA, Comparison, Results, compare, odds
from benchmarks.suites.configurations import DEFAULT
from benchmarks.suites.record import Record
from benchmarks.suites.text import document, invocations, not_run, p_value, points, scope, table
from crashwright.core.suite import CRITERIA

MEASURES = ("branch", AREA, "line", "weak-mutation", "exception", "output")
"""By which configurations are compared in pairs."""
HOW = f"""\
- A run is one engine of the product that searches for a suite with all criteria, within a number of tests run (evaluations) that
  is the same for all configurations: what they cost is in the columns of CPU seconds. It ends when the search does; coverage is
  that of its archive. No suite is made small, printed or run by pytest.
- Each configuration differs from the product's default in the one thing that its name says.
- Area: the mean share of branches covered in the course of the search (area under the curve over evaluations, 100 % at once = 100).
  Of exceptions and outputs, the goals are the most that any run on the module knew.
- Better, worse: modules on which the runs differ by the Mann-Whitney test (two-sided, p < {ALPHA}, no correction for many
  comparisons). A12: the chance that a run of the configuration is better than one of the default. The p in brackets is that of the
  Wilcoxon signed-rank test over modules.
- At the best: runs that come to the highest branch coverage that any run has on the module, with the odds ratio (where a count is
  0, 0.5 is added to all four) and Fisher's exact test.
- Only whole cells count: a configuration on a module with all seeds."""


def report(record: Record, before: str = "") -> str:
    """The document. ``before`` is its former text, whose last section is kept."""
    results = Results(record.rows, record.seeds)
    others = [name for name in record.configurations if name != DEFAULT]
    return document(
        [
            "# Which defaults for the search for suites?",
            scope(record),
            "![Differences to the default](suites-defaults.svg)" if comparisons(record, results, "branch") else "",
            "## Configurations",
            _means(record, results),
            "## Against the default",
            _against(record, results, others),
            "## Branch coverage by module",
            _modules(record, results),
            "## Significant differences",
            _significant(record, results),
            "## What was not run",
            not_run(record, results),
            "## How",
            f"{HOW}\n\n{invocations(record)}",
        ],
        before,
    )


def comparisons(record: Record, results: Results, measure: str) -> list[Comparison]:
    """Each configuration against the default, by one measure."""
    others = [name for name in record.configurations if name != DEFAULT]
    found = [compare(results, record.modules, name, DEFAULT, measure) for name in others]
    return [one for one in found if one is not None]


def _means(record: Record, results: Results) -> str:
    names = _made(record, results)
    common = results.common(record.modules, names) if names else []
    if not common:
        return "No module has a whole cell for each configuration."
    rows = []
    for name in names:
        cells = [cell for module in common if (cell := results.get(module, name)) is not None]
        cpu = sum(cell.mean(lambda row: row.cpu) for cell in cells)
        used = sum(cell.mean(lambda row: row.used) for cell in cells)
        figures = [f"{100 * results.mean(common, name, measure):.1f}" for measure in (CRITERIA[0], AREA, *CRITERIA[1:])]
        rate = f"{used / cpu:,.0f}" if cpu else ""
        rows.append([name, *figures, f"{used / len(cells):,.0f}", f"{cpu / len(cells):.1f}", rate])
    head = ["configuration", CRITERIA[0], AREA, *CRITERIA[1:], "evaluations used", "CPU s a run", "tests per CPU s"]
    return f"Means over {len(common)} modules ({', '.join(common)}), per cent.\n\n{table(head, rows)}"


def _made(record: Record, results: Results) -> list[str]:
    """The configurations with a whole cell."""
    return [name for name in record.configurations if results.common(record.modules, [name])]


def _against(record: Record, results: Results, others: Sequence[str]) -> str:
    rows = []
    for name in others:
        cells = [_figures(compare(results, record.modules, name, DEFAULT, measure)) for measure in MEASURES]
        found = odds(results, record.modules, name, DEFAULT, record.configurations)
        if found is not None:
            best = f"{found.best} : {found.other_best} of {found.runs}; {found.ratio:.2f} ({p_value(found.p)})"
            rows.append([name, *cells, best])
    if not rows:
        return "There is nothing to compare with the default."
    text = "Difference in points (p), modules better / worse, mean A12."
    return f"{text}\n\n{table(['configuration', *MEASURES, 'at the best; odds (p)'], rows)}"


def _figures(one: Comparison | None) -> str:
    if one is None:
        return ""
    return f"{points(one.difference)} ({p_value(one.p)}), {len(one.better)} / {len(one.worse)}, {one.effect:.2f}"


def _modules(record: Record, results: Results) -> str:
    names = _made(record, results)
    rows = []
    for module in record.modules:
        cells = [results.get(module, name) for name in names]
        if any(cell is not None for cell in cells):
            means = ["" if cell is None else f"{100 * cell.mean(lambda row: results.value(row, 'branch')):.1f}" for cell in cells]
            rows.append([module, str(results.known(module, "branch")), *means])
    return table(["module", "branches", *names], rows) if rows else "None."


def _significant(record: Record, results: Results) -> str:
    rows = []
    for measure in MEASURES:
        for one in comparisons(record, results, measure):
            for pair in (*one.better, *one.worse):
                figures = [points(pair.difference), f"{pair.effect:.2f}", magnitude(pair.effect), p_value(pair.p)]
                rows.append([one.first, pair.module, measure, *figures])
    return table(["configuration", "module", "measure", "points", "A12", "effect", "p"], rows) if rows else "None."
