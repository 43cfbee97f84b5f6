"""The table of tools: for each half, how many runs reproduced the crash, and how many agree with the fix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from statistics import mean
from typing import Any

HALVES = ("look", "judge")


@dataclass(frozen=True, slots=True)
class Row:
    """One run of a tool on a case. ``agrees`` is None if the case has no fix or the crash was not reproduced."""

    tool: str
    version: str
    budget: float
    case: str
    half: str
    seed: int
    score: int
    frames: int
    total: int
    agrees: bool | None
    seconds: float
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the table. ``cases`` counts cases with at least one run; rates are of runs."""

    tool: str
    version: str
    budget: float
    half: str
    cases: int
    seeds: int
    runs: int
    failed: int
    reproduced: int
    fixable: int
    agree: int
    seconds: float


def standings(rows: Iterable[Row]) -> list[Standing]:
    """A line for each tool, version, budget and half; runs that could not be made count as not reproduced."""
    groups: dict[tuple[str, str, float, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.tool, row.version, row.budget, row.half), []).append(row)
    return [_standing(*key, runs) for key, runs in sorted(groups.items(), key=lambda it: (*it[0][:3], HALVES.index(it[0][3])))]


def _standing(tool: str, version: str, budget: float, half: str, runs: list[Row]) -> Standing:
    whole = [run for run in runs if run.score == 4]
    return Standing(
        tool=tool,
        version=version,
        budget=budget,
        half=half,
        cases=len({run.case for run in runs}),
        seeds=len({run.seed for run in runs}),
        runs=len(runs),
        failed=sum(bool(run.problem) for run in runs),
        reproduced=len(whole),
        fixable=sum(run.agrees is not None for run in whole),
        agree=sum(run.agrees is True for run in whole),
        seconds=round(mean(run.seconds for run in runs), 1),
    )


def document(rows: Iterable[Row]) -> dict[str, Any]:
    """The table for programs."""
    return {"schema": 1, "standings": [asdict(it) for it in standings(rows)]}


def markdown(rows: Iterable[Row]) -> str:
    """The table for readers."""
    return "\n".join(_lines(standings(rows))) + "\n"


def _lines(table: list[Standing]) -> Iterator[str]:
    yield "| tool | version | budget | half | cases | seeds | reproduced | agree with the fix | could not run | seconds |"
    yield "|---|---|--:|---|--:|--:|--:|--:|--:|--:|"
    for it in table:
        share = f"{it.reproduced} of {it.runs} ({100 * it.reproduced / it.runs:.0f} %)"
        agree = f"{it.agree} of {it.fixable}" if it.fixable else "none to compare"
        yield (
            f"| {it.tool} | {it.version} | {it.budget:g} s | {it.half} | {it.cases} | {it.seeds} "
            f"| {share} | {agree} | {it.failed} | {it.seconds:.1f} |"
        )
