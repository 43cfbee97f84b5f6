"""The result as text and JSON."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.comparison.significance import rank_sum
from benchmarks.flags.analysis import ALPHA, Compared, Cost, counts
from benchmarks.flags.census import Census
from benchmarks.flags.runs import Row


def report(
    censuses: Mapping[str, Census], functions: Sequence[Compared], costs: Sequence[Cost], failed: Sequence[Row], scope: str
) -> str:
    """Markdown."""
    return "\n".join([*_prevalence(censuses), *_performance(functions, failed, scope), *_overhead(costs)]) + "\n"


def _prevalence(censuses: Mapping[str, Census]) -> Iterator[str]:
    looked = {module: one for module, one in censuses.items() if not one.problem}
    deciding = sum(len(one.deciding) for one in looked.values())
    flagged = sum(len(one.flagged) for one in looked.values())
    shares = [len(one.flagged) / len(one.deciding) for one in looked.values() if one.deciding]
    yield "# Interprocedural flags (paper 003)\n"
    yield "## RQ1: how common are they?\n"
    yield f"{flagged:,} of {deciding:,} functions with decisions ({_percent(flagged, deciding)}) in {len(looked)} modules test the"
    yield "result of a Python function. The paper: 11.8 % of 78,973 Java methods with branches."
    if shares:
        yield f"Mean of the modules {statistics.fmean(shares):.1%}, median {statistics.median(shares):.1%}.\n"
    yield "| module | functions with decisions | with flags |\n|---|--:|--:|"
    for module, one in censuses.items():
        yield f"| {module} | {one.problem or len(one.deciding)} | {'' if one.problem else len(one.flagged)} |"


def _performance(functions: Sequence[Compared], failed: Sequence[Row], scope: str) -> Iterator[str]:
    yield "\n## RQ2: are they covered better?\n"
    yield f"{scope} Branch coverage of each function with flags, mean over the seeds; Mann-Whitney, alpha {ALPHA}."
    if failed:
        names = {(row.key.module, row.key.function) for row in failed}
        yield f"{len(failed)} runs failed and are left out ({len(names)} functions)."
    if not functions:
        return
    ours = [statistics.fmean(one.with_flags) for one in functions]
    plain = [statistics.fmean(one.without) for one in functions]
    both = f"{statistics.fmean(ours):.1%} with, {statistics.fmean(plain):.1%} without"
    yield f"Mean coverage {both} (p = {rank_sum(ours, plain):.3g}).\n"
    yield "| | functions | significant |\n|---|--:|--:|"
    for verdict, (count, significant) in counts(functions).items():
        yield f"| {verdict} | {count} | {significant} |"
    yield "\n| function | with | without | p | A12 |\n|---|--:|--:|--:|--:|"
    for one in functions:
        if one.verdict != "equal":
            means = f"{statistics.fmean(one.with_flags):.1%} | {statistics.fmean(one.without):.1%}"
            yield f"| {one.module}.{one.function} | {means} | {one.p:.3g} | {one.effect:.2f} |"


def _overhead(costs: Sequence[Cost]) -> Iterator[str]:
    yield "\n## RQ3: what does it cost?\n"
    yield "| modules | tests per CPU second with | without | ratio |\n|---|--:|--:|--:|"
    for flagged, name in ((True, "with flags"), (False, "free of flags")):
        chosen = [cost for cost in costs if cost.flagged is flagged]
        if chosen:
            ours = statistics.median(cost.with_flags for cost in chosen)
            plain = statistics.median(cost.without for cost in chosen)
            ratio = statistics.median(cost.with_flags / cost.without for cost in chosen)
            yield f"| {len(chosen)} {name} (medians) | {ours:,.0f} | {plain:,.0f} | {ratio:.2f} |"
    for cost in costs:
        yield f"| {cost.module} | {cost.with_flags:,.0f} | {cost.without:,.0f} | {cost.with_flags / cost.without:.2f} |"


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "none"


def save(file: Path, censuses: Mapping[str, Census], functions: Sequence[Compared], costs: Sequence[Cost], scope: str) -> None:
    """The figures behind the report."""
    data = {
        "scope": scope,
        "censuses": {
            module: {"deciding": len(c.deciding), "flagged": c.flagged, "problem": c.problem} for module, c in censuses.items()
        },
        "functions": [one._asdict() | {"verdict": one.verdict} for one in functions],
        "costs": [one._asdict() for one in costs],
    }
    file.write_text(json.dumps(data, indent=1) + "\n")
