"""Paper 003 at size: searches with the gradient of interprocedural flags from the first generation on, and without it.

Subjects are functions with flags, by the census, that a search without the gradient does not saturate: a short run with a seed of
its own leaves branches of them open. They are looked at in an order drawn by seed, so that those found so far are a random sample.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from benchmarks.evidence.experiment import Contrast, Job, Measure, Stop
from benchmarks.evidence.suite_runs import CPU, SPEED, SuiteExperiment, SuitePlace
from benchmarks.flags.census import Census, census_by
from benchmarks.flags.runs import CRITERION, CensusKey, CensusRow
from benchmarks.store import Store
from benchmarks.suites.analysis import AREA
from benchmarks.suites.configurations import Configuration, named
from benchmarks.suites.runs import Key, Row
from crashwright.workflows.generate.request import suite_search

ALGORITHMS = ("dynamosa", "mosa", "whole-suite")
WITH, WITHOUT = "gradient", "plain"
SEEDS, EVALUATIONS, FUNCTIONS = 10, 20_000, 60
SCREEN, SCREENING_SEED, SCREENING_EVALUATIONS = "screening", 0, 2_000
MEASURES = (
    Measure(CRITERION, "points", 100.0),
    Measure(AREA, "points", 100.0),
    Measure(CPU, "s"),
    Measure(SPEED, "tests/s"),
)


def configured(algorithm: str, gradient: bool, name: str = "") -> Configuration:
    """A search for branches, with the gradient from the beginning, or without."""
    search = suite_search(algorithm)
    search = replace(search, suite=replace(search.suite, flags_after=0.0))
    return Configuration(name or named(algorithm, WITH if gradient else WITHOUT), search, (CRITERION,), "all", gradient)


class FlagGradient(SuiteExperiment):
    """See the module."""

    number = "003"
    title = "Interprocedural flags (paper 003)"
    method = (
        "Functions that decide on what another Python function returned (census), of which a search without the gradient "
        f"leaves branches open in {SCREENING_EVALUATIONS:,} evaluations with seed {SCREENING_SEED}, which is not compared. "
        "Branch coverage of the function in percentage points; area: its mean in the course of the search. RQ3: CPU "
        "seconds of a run, and tests a CPU second, start included."
    )
    contrasts = tuple(Contrast(named(one, WITH), named(one, WITHOUT), MEASURES) for one in ALGORITHMS)
    replay = False

    def __init__(
        self,
        at: SuitePlace,
        censuses: Store[CensusKey, CensusRow],
        modules: Sequence[str],
        functions: int = FUNCTIONS,
        seeds: int = SEEDS,
        evaluations: int = EVALUATIONS,
        take: Callable[[str, str], Census] = census_by,
    ) -> None:
        chosen = [configured(algorithm, gradient) for algorithm in ALGORITHMS for gradient in (True, False)]
        super().__init__(at, {one.name: one for one in chosen}, seeds, evaluations)
        self._censuses = censuses
        self._modules = tuple(modules)
        self._functions = functions
        self._take = take
        self._screen = configured(ALGORITHMS[0], False, SCREEN)

    def next(self) -> Job | None:
        """The census; then, function by function, screening and the default algorithm's runs with seed 1; then all others."""
        module = next((one for one in self._modules if self._censuses.get(CensusKey(one, self.at.program)) is None), None)
        if module is not None:
            return self._census_job(module)
        key, candidate = self.missing(), self._next_to_screen()
        if candidate is not None and (key is None or key.seed > 1 or not key.configuration.startswith(ALGORITHMS[0])):
            return self.job(candidate, self._screen)
        return super().next()

    def candidates(self) -> list[str]:
        """All functions with flags that a test can name, in the order in which they are looked at."""
        censuses = [self._censuses.get(CensusKey(module, self.at.program)) for module in self._modules]
        found = [f"{row.key.module}:{name}" for row in censuses if row is not None for name in row.found.flagged]
        found = [name for name in found if "<locals>" not in name]
        random.Random(SCREENING_SEED).shuffle(found)
        return found

    def order(self) -> Iterator[tuple[str, str]]:
        """The default algorithm on all functions, then the others."""
        functions = self.subjects()
        for algorithm in ALGORITHMS:
            for function in functions:
                for kind in (WITH, WITHOUT):
                    yield function, named(algorithm, kind)

    def subjects(self) -> Sequence[str]:
        """The functions that have turned out unsaturated."""
        return [row.key.module for row in self.screened() if unsaturated(row)][: self._functions]

    def planned(self) -> int:
        """Of so many functions as were asked for, or as there are."""
        functions = len(self.subjects()) if self._next_to_screen() is None else self._functions
        return functions * len(self.configurations) * self.seeds

    def screened(self) -> list[Row]:
        """In order."""
        rows = (self.at.store.get(self._screening_key(one)) for one in self.candidates())
        return [row for row in rows if row is not None]

    def details(self) -> str:
        """The census, and what screening says."""
        censuses = [row.found for row in self._censuses.rows(program=self.at.program) if row.key.module in self._modules]
        looked = [one for one in censuses if not one.problem]
        flagged, deciding = sum(len(one.flagged) for one in looked), sum(len(one.deciding) for one in looked)
        rows = self.screened()
        return (
            f"Census (RQ1): {flagged} of {deciding} functions with decisions in {len(looked)} modules test the result of a Python "
            f"function. Screened: {len(rows)} of {len(self.candidates())}; {sum(map(unsaturated, rows))} are not saturated by "
            f"{SCREENING_EVALUATIONS:,} evaluations, {sum(not row.good for row in rows)} could not be run."
        )

    def _next_to_screen(self) -> Key | None:
        if len(self.subjects()) >= self._functions:
            return None
        keys = map(self._screening_key, self.candidates())
        return next((key for key in keys if self.at.store.get(key) is None), None)

    def _screening_key(self, function: str) -> Key:
        return self.key(function, SCREEN, SCREENING_SEED, SCREENING_EVALUATIONS)

    def _census_job(self, module: str) -> Job:
        def make(_stop: Stop) -> str:
            found = self._take(self.at.place.python, module)
            self._censuses.add(CensusRow(CensusKey(module, self.at.program), found))
            return f"{module}: {found.problem or f'{len(found.flagged)} of {len(found.deciding)} functions with flags'}"

        return Job(f"census of {module}", make)


def unsaturated(row: Row) -> bool:
    """It left branches open."""
    met, known = row.coverage.get(CRITERION, (0, 0))
    return row.good and met < known
