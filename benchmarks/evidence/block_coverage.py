"""Paper 000 at size: basic block coverage as secondary objective, as it is built and by the letter of the paper, against none."""

from __future__ import annotations

from collections.abc import Sequence

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
    screening = tuple(pure(fitness, secondary) for fitness in FITNESSES for secondary in (BUILT, LITERAL))

    def __init__(self, at: CrashPlace, crashes: int = CRASHES, seeds: int = SEEDS, evaluations: int = EVALUATIONS) -> None:
        configurations = [pure(fitness, secondary) for fitness in FITNESSES for secondary in (NONE, BUILT, LITERAL)]
        super().__init__(at, configurations, crashes, seeds, evaluations)

    def qualifies(self, rows: Sequence[Row]) -> bool:
        """Ties were decided."""
        return not any(map(is_hopeless, rows)) and any(row.decided for row in rows)

    def details(self) -> str:
        """How many ties there are, and of how many block coverage decides."""
        screens = self.screens()
        told = []
        for one in self.screening:
            rows = [row for some in screens.values() for row in some if row.key.configuration == one.name]
            told.append(_ties(one.name, "screening", rows))
        compared = self.made()
        told += [
            _ties(one.name, "compared", [row for row in compared if row.key.configuration == one.name]) for one in self.screening
        ]
        heads = ["configuration", "runs of", "runs", "with ties", "that decide any", "pairs tied", "decided", "share"]
        chosen = sum(map(self.qualifies, screens.values()))
        return (
            f"Screened: {len(screens)} crashes drawn by seed; block coverage decides any tie in {chosen} of them. Pairs of equal "
            f"fitness, generation by generation:\n\n{table(heads, told)}"
        )


def _ties(name: str, what: str, rows: Sequence[Row]) -> list[str]:
    pairs, decided = sum(row.pairs for row in rows), sum(row.decided for row in rows)
    share = f"{decided / pairs:.3%}" if pairs else ""
    numbers = (len(rows), sum(row.pairs > 0 for row in rows), sum(row.decided > 0 for row in rows), pairs, decided)
    return [name, what, *(f"{number:,}" for number in numbers), share]
