"""Paper 000 at size: basic block coverage as secondary objective, as it is built and by the letter of the paper, against none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.comparison.runs import Row
from benchmarks.evidence.crash_runs import (
    CRASHES,
    EVALUATIONS,
    MEASURES,
    SCREENING_EVALUATIONS,
    SCREENING_SEED,
    SEEDS,
    CrashExperiment,
    CrashPlace,
    is_hopeless,
    pure,
)
from benchmarks.evidence.experiment import Contrast
from benchmarks.suites.text import table

FITNESSES = ("weighted-sum", "st-distance")
BUILT, LITERAL, NONE = "bbc", "bbc-literal", "none"


class BlockCoverage(CrashExperiment):
    """See the module."""

    number = "000"
    title = "Basic block coverage (paper 000)"
    method = (
        "Crashes in which basic block coverage, as built or by the letter, put any two tests of equal fitness in order "
        f"within {SCREENING_EVALUATIONS:,} evaluations with seed {SCREENING_SEED}, which is not compared. Success: level "
        "4, all frames and the message; evaluations: to success, all where there was none; fitness: of the best test, on "
        "its function's scale."
    )
    contrasts = tuple(
        Contrast(f"{fitness}/{first}", f"{fitness}/{second}", MEASURES)
        for fitness in FITNESSES
        for first, second in ((BUILT, NONE), (LITERAL, NONE), (BUILT, LITERAL))
    )
    screening = tuple(pure(fitness, secondary) for fitness in FITNESSES for secondary in (BUILT, LITERAL, NONE))

    def __init__(self, at: CrashPlace, crashes: int = CRASHES, seeds: int = SEEDS, evaluations: int = EVALUATIONS) -> None:
        configurations = [pure(fitness, secondary) for fitness in FITNESSES for secondary in (NONE, BUILT, LITERAL)]
        super().__init__(at, configurations, crashes, seeds, evaluations)

    def qualifies(self, rows: Sequence[Row]) -> bool:
        """Ties were decided."""
        return not any(map(is_hopeless, rows)) and any(row.decided for row in rows)

    def details(self) -> str:
        """How many ties there are, and of how many block coverage decides."""
        screens, compared = self.screens(), self.made()
        told = []
        for what, rows in (("screening", [row for some in screens.values() for row in some]), ("compared", compared)):
            names = [one.name for one in self.screening if one.secondary != NONE]
            told += [_ties(name, what, [row for row in rows if row.key.configuration == name]) for name in names]
        heads = ["configuration", "runs of", "runs", "with ties", "that decide any", "pairs tied", "decided", "share"]
        built, literal = (_decided_by(screens, secondary) for secondary in (BUILT, LITERAL))
        pairs, same = _silent(compared)
        return (
            f"Screened: {len(screens)} crashes drawn by seed; block coverage decides ties in {built} of them as it is built, in "
            f"{literal} by the letter. Pairs of equal fitness, generation by generation:\n\n{table(heads, told)}\n\n"
            "Where block coverage as built decides no tie of a run, the run is the one without it, test by test: "
            f"{pairs} such pairs of runs, {same} with the same result to the digit."
        )


def _decided_by(screens: Mapping[str, Sequence[Row]], secondary: str) -> int:
    """In how many crashes it decides any tie."""
    return sum(any(row.decided and row.key.configuration.endswith(f"/{secondary}") for row in some) for some in screens.values())


def _silent(rows: Sequence[Row]) -> tuple[int, int]:
    """The pairs of runs, with block coverage as built and without it, in which it decided nothing; and how many gave the same."""
    others = {(row.key.crash, row.key.configuration, row.key.seed): row for row in rows}
    pairs = same = 0
    for row in rows:
        fitness, _, secondary = row.key.configuration.partition("/")
        other = others.get((row.key.crash, f"{fitness}/{NONE}", row.key.seed))
        if secondary == BUILT and not row.decided and other is not None:
            pairs += 1
            same += (row.success, row.used, row.fitness) == (other.success, other.used, other.fitness)
    return pairs, same


def _ties(name: str, what: str, rows: Sequence[Row]) -> list[str]:
    pairs, decided = sum(row.pairs for row in rows), sum(row.decided for row in rows)
    share = f"{decided / pairs:.3%}" if pairs else ""
    numbers = (len(rows), sum(row.pairs > 0 for row in rows), sum(row.decided > 0 for row in rows), pairs, decided)
    return [name, what, *(f"{number:,}" for number in numbers), share]
