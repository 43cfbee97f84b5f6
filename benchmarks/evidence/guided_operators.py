"""Paper 001 at size: EvoCrash's guided operators against the same search with unguided ones."""

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

AT_ONCE = 50
"""Evaluations within which a crash is reproduced by what is tried before the search."""
GUIDED, UNGUIDED = pure("weighted-sum", "none"), pure("weighted-sum", "none", "unguided")


class GuidedOperators(CrashExperiment):
    """See the module."""

    number = "001"
    title = "Guided operators (paper 001)"
    method = (
        "EvoCrash's fitness and main loop; guided operators (initial tests, crossover and mutation insist on a call of "
        "the target) against the same without that, for which new tests call any public callable of the target's module. "
        f"Crashes that one of the two reproduces in {SCREENING_EVALUATIONS:,} evaluations with seed {SCREENING_SEED}, "
        f"which is not compared, and neither in the first {AT_ONCE}. Success: level 4, all frames and the message; "
        "evaluations: to success, all where there was none."
    )
    contrasts: tuple[Contrast, ...] = (Contrast(GUIDED.name, UNGUIDED.name, MEASURES),)
    screening = (GUIDED, UNGUIDED)

    def __init__(self, at: CrashPlace, crashes: int = CRASHES, seeds: int = SEEDS, evaluations: int = EVALUATIONS) -> None:
        super().__init__(at, [GUIDED, UNGUIDED], crashes, seeds, evaluations)

    def qualifies(self, rows: Sequence[Row]) -> bool:
        """The search finds it, and has to search."""
        if any(map(is_hopeless, rows)):
            return False
        found = [row.success for row in rows if row.success is not None]
        return bool(found) and min(found) > AT_ONCE

    def details(self) -> str:
        """What screening says of the crashes."""
        screens = self.screens()
        at_once = sum(any((row.success or AT_ONCE + 1) <= AT_ONCE for row in some) for some in screens.values())
        failed = sum(any(map(is_hopeless, some)) for some in screens.values())
        chosen = sum(map(self.qualifies, screens.values()))
        never = len(screens) - at_once - failed - chosen
        return (
            f"Screened: {len(screens)} crashes drawn by seed; {chosen} chosen, {at_once} reproduced at once, {never} by neither, "
            f"{failed} with an engine that failed or came to no end."
        )
