"""The report on smart selection (paper 004): RQ1-3, RQ4, RQ6."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence

from benchmarks.suites.analysis import ALPHA, LARGE, TESTS, Comparison, Results, compare
from benchmarks.suites.configurations import ALGORITHMS, ALL, COMBINED, SMART, WITHOUT_SUBSUMPTION, named
from benchmarks.suites.correlation import Correlation, correlations
from benchmarks.suites.record import Record
from benchmarks.suites.text import document, invocations, not_run, p_value, points, scope, table
from crashwright.core.suite import CRITERIA

QUESTIONS = {"whole-suite": "RQ1", "mosa": "RQ2", "dynamosa": "RQ3"}
ALONE = "alone"
"""Stands for the criterion of the row or of the measure."""
PAIRS = ((SMART, ALL), (SMART, ALONE), (ALL, ALONE), (SMART, WITHOUT_SUBSUMPTION))
"""RQ1-3: what is selected against all goals, and both against each criterion alone. RQ6: the last one."""
HOW = f"""\
- A run is one engine of the product: a search within a number of tests run (evaluations; the paper: two minutes), then its suite is
  made small. Another engine runs the suite once more and measures all eight criteria on it, whatever was searched for.
- smart: goals chosen by smart selection; all: the goals of all criteria; smart-no-subsumption: the representatives alone; the
  criterion alone: that one only, exception and output together with branch. DynaMOSA aims at branches too, whatever it is given.
- Exceptions are numbers, as in the paper; of outputs, the goals are the most that any run on the module knew.
- Better, worse: modules on which the runs differ by the Mann-Whitney test (two-sided, p < {ALPHA}, no correction for many
  comparisons) with A12 on the same side. The p in brackets is ours: the Wilcoxon signed-rank test over modules.
- RQ4: Pearson's coefficient over all suites searched for with one criterion (row), of its coverage and that of another (column);
  within: the same after the module's means were taken away (ours). The paper's pairs of one group: 0.88 in the mean, of two: 0.41.
- Large: {LARGE} branches or more. Only whole cells count: a configuration on a module with all seeds. A comparison is made on the
  modules where both have them.
- CPU seconds are those of the search at equal evaluations, start of the engine included. Under a budget of time, a configuration
  that takes less of them would run more tests."""


def report(record: Record, before: str = "") -> str:
    """The document. ``before`` is its former text, whose last section is kept."""
    results = Results(record.rows, record.seeds)
    made = algorithms(record)
    parts = ["# Smart selection of goals (paper 004)", scope(record), _subjects(record, results)]
    parts += ["![Coverage, and correlation of criteria](suites-selection.svg)"] if _any(record, results) else []
    for algorithm in made:
        parts += [f"## {QUESTIONS.get(algorithm, 'Besides')}: {algorithm}", *_algorithm(record, results, algorithm)]
    parts += ["## RQ4: do the criteria of a group rise and fall together?", *_together(record, results, made)]
    parts += ["## RQ6: what does subsumption do?", _subsumption(record, results, made)]
    parts += ["## What was not run", not_run(record, results), _never(record)]
    parts += ["## How", f"{HOW}\n\n{invocations(record)}"]
    return document(parts, before)


def algorithms(record: Record) -> list[str]:
    """Those of the record, in the paper's order."""
    found = dict.fromkeys(name.partition("/")[0] for name in record.configurations)
    return [*[one for one in ALGORITHMS if one in found], *[one for one in found if one not in ALGORITHMS]]


def _any(record: Record, results: Results) -> bool:
    return any(results.get(module, name) is not None for module in record.modules for name in record.configurations)


def _subjects(record: Record, results: Results) -> str:
    rows = [[one, *(str(results.known(one, criterion)) for criterion in CRITERIA)] for one in _seen(record, results)]
    return f"Goals known, module by module.\n\n{table(['module', *CRITERIA], rows)}" if rows else ""


def _seen(record: Record, results: Results) -> list[str]:
    return [module for module in record.modules if results.known(module, "branch")]


def _sizes(record: Record, results: Results) -> Iterator[tuple[str, list[str]]]:
    """All modules, and where there are both kinds, each of them."""
    seen = _seen(record, results)
    large = [module for module in seen if results.known(module, "branch") >= LARGE]
    yield "all modules", seen
    if 0 < len(large) < len(seen):
        yield "large modules", large
        yield "small modules", [module for module in seen if module not in large]


# RQ1-3


def _algorithm(record: Record, results: Results, algorithm: str) -> Iterator[str]:
    for name, modules in _sizes(record, results):
        if text := _averages(results, modules, algorithm, record):
            yield f"Coverage in per cent, {name}.\n\n{text}"
    yield from _significant(results, list(_sizes(record, results)), algorithm)


def _averages(results: Results, modules: Sequence[str], algorithm: str, record: Record) -> str:
    approaches = [one for one in COMBINED if named(algorithm, one) in record.configurations]
    rows = []
    for measure in (*CRITERIA, TESTS, "CPU s"):
        alone = [named(algorithm, measure)] if measure in CRITERIA else [named(algorithm, one) for one in CRITERIA]
        alone = [name for name in alone if name in record.configurations]
        names = [*(named(algorithm, one) for one in approaches), *alone]
        common = results.common(modules, names) if names else []
        if common:
            figures = [_mean(results, common, [named(algorithm, one)], measure) for one in approaches]
            rows.append([measure, str(len(common)), *figures, _mean(results, common, alone, measure) if alone else ""])
    return table(["criterion", "modules", *approaches, "criterion alone (tests, CPU: mean of those run)"], rows) if rows else ""


def _mean(results: Results, modules: Sequence[str], names: Sequence[str], measure: str) -> str:
    cells = [cell for name in names for module in modules if (cell := results.get(module, name)) is not None]
    if measure == "CPU s":
        return f"{statistics.fmean(cell.mean(lambda row: row.cpu) for cell in cells):.1f}"
    if measure == "exception":
        return f"{statistics.fmean(cell.mean(lambda row: row.coverage[measure][0]) for cell in cells):.2f}"
    found = statistics.fmean(results.mean(modules, name, measure) for name in names)
    return f"{found:.1f}" if measure == TESTS else f"{100 * found:.1f}"


def _significant(results: Results, sizes: Sequence[tuple[str, Sequence[str]]], algorithm: str) -> Iterator[str]:
    head = ["criterion", "points (p)", "mean A12", *(f"{name}: better / worse / neither" for name, _ in sizes)]
    for first, second in PAIRS:
        rows = []
        for criterion in CRITERIA:
            other = criterion if second == ALONE else second
            ours, theirs = named(algorithm, first), named(algorithm, other)
            found = [compare(results, modules, ours, theirs, criterion) for _, modules in sizes]
            whole = found[0]
            if whole is not None:
                row = [criterion, f"{points(whole.difference)} ({p_value(whole.p)})", f"{whole.effect:.2f}"]
                rows.append([*row, *(_counts(one) for one in found)])
        if rows:
            name = "the criterion alone" if second == ALONE else second
            yield f"{first} against {name}.\n\n{table(head, rows)}"


def _counts(one: Comparison | None) -> str:
    if one is None:
        return ""
    better, worse = len(one.better), len(one.worse)
    return f"{better} / {worse} / {len(one.pairs) - better - worse}"


# RQ4


def _together(record: Record, results: Results, made: Sequence[str]) -> Iterator[str]:
    nothing = True
    for algorithm in made:
        found = correlations(results, record.modules, algorithm)
        if found:
            nothing = False
            # Deviation: the paper leaves DynaMOSA out, which aims at branches whatever it is given.
            besides = " (DynaMOSA always aims at branches too)" if algorithm == "dynamosa" else ""
            yield f"{algorithm}{besides}: coefficient (within).\n\n{_matrix(found)}\n\n{_groups(found)}"
    if nothing:
        yield "No criterion was run alone on a whole module."


def _matrix(found: Sequence[Correlation]) -> str:
    pairs = {(one.guide, one.other): one for one in found}
    guides = dict.fromkeys(one.guide for one in found)
    rows = [[guide, *(_coefficients(pairs.get((guide, other))) for other in CRITERIA)] for guide in guides]
    return table(["searched for", *CRITERIA], rows)


def _coefficients(one: Correlation | None) -> str:
    return "" if one is None else f"{_number(one.coefficient)} ({_number(one.within)})"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _groups(found: Sequence[Correlation]) -> str:
    rows = []
    for grouped, name in ((True, "of one group"), (False, "of two groups")):
        some = [one for one in found if one.grouped is grouped]
        rows.append([name, str(len(some)), *_spread(one.coefficient for one in some), *_spread(one.within for one in some)])
    head = ["pairs", "number", *("mean", "median", "least", "greatest"), *("within: mean", "median", "least", "greatest")]
    return table(head, rows)


def _spread(values: Iterable[float | None]) -> list[str]:
    known = [value for value in values if value is not None]
    if not known:
        return [""] * 4
    return [f"{one:.2f}" for one in (statistics.fmean(known), statistics.median(known), min(known), max(known))]


# RQ6


def _subsumption(record: Record, results: Results, made: Sequence[str]) -> str:
    rows = []
    for algorithm in made:
        ours, theirs = named(algorithm, SMART), named(algorithm, WITHOUT_SUBSUMPTION)
        for measure in (*CRITERIA, TESTS):
            one = compare(results, record.modules, ours, theirs, measure)
            if one is not None:
                difference = f"{one.difference:+.1f}" if measure == TESTS else points(one.difference)
                rows.append([algorithm, measure, f"{difference} ({p_value(one.p)})", f"{one.effect:.2f}", _counts(one)])
    if not rows:
        return "Not run."
    head = ["algorithm", "measure", "smart less smart-no-subsumption (p)", "mean A12", "higher / lower / neither"]
    return table(head, rows)


def _never(record: Record) -> str:
    """What this script does not do at all."""
    missing = [one for one in ALGORITHMS if one not in algorithms(record)]
    text = "The paper's RQ5 (other representatives), RQ7 (larger budgets) and RQ8 (faults found) are no part of this script."
    return f"{text} Not asked for: {', '.join(missing)}." if missing else text
