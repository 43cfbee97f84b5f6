"""Paper 004 at size: smart selection of goals against all of them, with whole suite, MOSA and DynaMOSA, on large modules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.evidence.experiment import Contrast, Measure, Value
from benchmarks.evidence.suite_runs import CPU, STATEMENTS, SuiteExperiment, SuitePlace
from benchmarks.suites.analysis import AREA, TESTS
from benchmarks.suites.configurations import ALGORITHMS, ALL, SMART, approached, named
from benchmarks.suites.modules import LARGE
from crashwright.core.suite import CRITERIA

SEEDS, EVALUATIONS = 10, 10_000
MEASURES = (
    *(Measure(criterion, "points", 100.0) for criterion in (*CRITERIA, AREA)),
    Measure(TESTS, "tests"),
    Measure(STATEMENTS, "statements"),
    Measure(CPU, "s"),
)


class SmartSelection(SuiteExperiment):
    """See the module."""

    number = "004"
    title = "Smart selection of goals (paper 004)"
    method = (
        "Modules of the standard library with 200 branches or more. The suite is made small, and all eight criteria are "
        "measured on it in a process of its own. Coverage in percentage points of the goals that any run of the module "
        "knew (exceptions and outputs are found on the way); area: mean branch coverage in the course of the search; CPU "
        "seconds: of the search, start included."
    )
    contrasts = (
        Contrast(SMART, ALL, MEASURES),
        *(Contrast(named(one, SMART), named(one, ALL), MEASURES) for one in ALGORITHMS),
    )
    replay = True

    def __init__(self, at: SuitePlace, modules: Sequence[str] = LARGE, seeds: int = SEEDS, evaluations: int = EVALUATIONS) -> None:
        chosen = [approached(algorithm, approach) for algorithm in ALGORITHMS for approach in (SMART, ALL)]
        super().__init__(at, {one.name: one for one in chosen}, seeds, evaluations)
        self._modules = tuple(modules)

    def subjects(self) -> Sequence[str]:
        """The modules."""
        return self._modules

    def order(self) -> Iterator[tuple[str, str]]:
        """In three rounds, each with another algorithm for each module: early on all modules and all algorithms have pairs."""
        for first in range(len(ALGORITHMS)):
            for place, module in enumerate(self._modules):
                algorithm = ALGORITHMS[(first + place) % len(ALGORITHMS)]
                for approach in (SMART, ALL):
                    yield module, self.called(named(algorithm, approach))

    def called(self, name: str) -> str:
        """The configuration's name here."""
        return name

    def values(self) -> list[Value]:
        """Those of each algorithm, and of all together: there each algorithm's runs are as other seeds."""
        found = super().values()
        together = []
        for one in found:
            algorithm, _, approach = one.configuration.partition("/")
            number = one.seed * len(ALGORITHMS) + ALGORITHMS.index(algorithm)
            together.append(Value(one.subject, approach, number, one.measures))
        return [*found, *together]

    def planned(self) -> int:
        """All are known from the beginning."""
        return len(self._modules) * len(self.configurations) * self.seeds
