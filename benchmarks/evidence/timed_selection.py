"""Paper 004 by time, as the paper has it: what fewer goals save is spent on more tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.evidence.experiment import Contrast, Measure, Tallied
from benchmarks.evidence.smart_selection import SmartSelection
from benchmarks.evidence.suite_runs import SPEED, STATEMENTS, SuitePlace
from benchmarks.suites.analysis import TESTS
from benchmarks.suites.configurations import ALGORITHMS, ALL, SMART, Configuration, approached, named
from benchmarks.suites.modules import LARGE
from benchmarks.suites.runs import Row
from crashwright.core.suite import CRITERIA

SEEDS, SECONDS = 10, 120
"""The paper's two minutes."""
QUIET = 0.9
"""Share of the time of a search that its processes have to have had the processor for."""
MEASURES = (
    *(Measure(criterion, "points", 100.0) for criterion in CRITERIA),
    Measure(TESTS, "tests"),
    Measure(STATEMENTS, "statements"),
    Measure(SPEED, "tests/s"),
)


def timed(name: str, seconds: int) -> str:
    """The name of a configuration that is bounded by time."""
    return f"{name}/{seconds}s"


def contrasts(seconds: int) -> tuple[Contrast, ...]:
    """As in ``SmartSelection``."""
    sides = ((SMART, ALL), *((named(one, SMART), named(one, ALL)) for one in ALGORITHMS))
    return tuple(Contrast(timed(one, seconds), timed(other, seconds), MEASURES) for one, other in sides)


class TimedSelection(SmartSelection):
    """Each run has so many seconds in place of evaluations. See ``SmartSelection``."""

    number = "004-time"
    title = "Smart selection of goals, by time (paper 004)"
    method = (
        f"As 004, but each search has as many seconds on one core as `--seconds` says ({SECONDS}, as in the paper), and as many "
        f"tests as it gets to. Runs whose processes had the processor for less than {QUIET:.0%} of that time are no results."
    )

    def __init__(self, at: SuitePlace, modules: Sequence[str] = LARGE, seeds: int = SEEDS, seconds: int = SECONDS) -> None:
        super().__init__(at, modules, seeds, 0)
        self.seconds = seconds
        self.configurations = {
            one.name: one for one in (self._bounded(algorithm, approach) for algorithm in ALGORITHMS for approach in (SMART, ALL))
        }
        self.contrasts = contrasts(seconds)

    def _bounded(self, algorithm: str, approach: str) -> Configuration:
        name = timed(named(algorithm, approach), self.seconds)
        return replace(approached(algorithm, approach), name=name, seconds=float(self.seconds))

    def called(self, name: str) -> str:
        """With the time."""
        return timed(name, self.seconds)

    def is_result(self, row: Row) -> bool:
        """Also only if it had the core for itself."""
        return super().is_result(row) and row.cpu >= QUIET * row.seconds

    def forget_disturbed(self) -> None:
        """Runs that are no results are to be made again."""
        self.at.store.forget(row for row in self.made() if row.good and not self.is_result(row))

    def tallied(self) -> Tallied:
        """With the runs that were disturbed."""
        found = super().tallied()
        disturbed = sum(row.good and not self.is_result(row) for row in self.made())
        note = f"{disturbed} runs are no results: something else had their core"
        return replace(found, notes=[*found.notes, note]) if disturbed else found
