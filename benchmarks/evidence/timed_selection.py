"""Paper 004 by time, as the paper has it: what fewer goals save is spent on more tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.evidence.experiment import Contrast, Measure
from benchmarks.evidence.smart_selection import SmartSelection
from benchmarks.evidence.suite_runs import SPEED, STATEMENTS, SuitePlace
from benchmarks.suites.analysis import TESTS
from benchmarks.suites.configurations import ALGORITHMS, ALL, SMART, Configuration, approached, named
from benchmarks.suites.modules import LARGE
from crashwright.core.suite import CRITERIA

SEEDS, SECONDS = 10, 120
"""The paper's two minutes."""
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
        f"As 004, but each search has as many seconds of the processor as `--seconds` says ({SECONDS} as planned, as in the "
        "paper), and as many tests as it gets to. Its clock goes only while it computes, so that what else the machine does "
        "takes no time from it."
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
