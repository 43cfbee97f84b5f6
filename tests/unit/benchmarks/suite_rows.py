"""Rows of the experiments on suites, made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.comparison.provenance import Invocation
from benchmarks.suites.record import Record
from benchmarks.suites.runs import Key, Row

from crashwright.core.suite import CRITERIA

BUDGET = 1000
TOTAL = 200


def row(module: str, configuration: str, seed: int, branches: int, *, ended: str = "measured", **others: int) -> Row:
    """A run that covers half of its branches after 100 tests and all that it covers after 600. Every criterion has ``TOTAL`` goals
    and is covered like branch, but for ``others`` (names with underscores); of exceptions there are those found."""
    met = {criterion: others.get(criterion.replace("-", "_"), branches) for criterion in CRITERIA}
    coverage = {one: (met[one], met[one] if one == "exception" else TOTAL) for one in CRITERIA}
    curve = ((100, branches // 2), (600, branches))
    return Row(Key(module, configuration, seed, BUDGET, "c"), coverage, branches // 10, branches, curve, BUDGET, 2.0, 1.0, ended)


def rows(module: str, configuration: str, branches: Sequence[int]) -> list[Row]:
    """Seeds 1 to N."""
    return [row(module, configuration, seed, met) for seed, met in enumerate(branches, 1)]


def record(made: Iterable[Row], modules: str, configurations: Sequence[str], seeds: int) -> Record:
    """Of a campaign on the modules named."""
    started = Invocation("2026-01-01", "python -m benchmarks.suites.x", "c", "a machine", "3.11", 1)
    return Record(tuple(made), tuple(modules.split()), tuple(configurations), seeds, BUDGET, 60.0, "c", (started,))
