"""Paper 003 on crashes: the product's search with distances from inside the functions that conditions ask, and without."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.comparison.configurations import Configuration
from benchmarks.comparison.crashes import Aim, Crash
from benchmarks.comparison.runs import Row
from benchmarks.evidence.crash_runs import CRASHES, EVALUATIONS, MEASURES, SEEDS, CrashExperiment, CrashPlace, is_hopeless
from benchmarks.evidence.experiment import Contrast
from benchmarks.flags.census import Census
from benchmarks.flags.crash_census import crash_census_by
from benchmarks.flags.runs import CensusKey, CensusRow
from benchmarks.store import Store

AT_ONCE = 50
"""Evaluations within which a crash is reproduced by what is tried before the search."""
WITH, WITHOUT = (
    Configuration(f"product/{flags}", "guided", "ordered", "bbc", flags=flags) for flags in ("interprocedural", "none")
)


def flags_on_the_way(aim: Aim) -> Census:
    """The functions of the frames, and those that conditions on the way ask."""
    return crash_census_by(str(aim.crash.python), aim.path, aim.target)


class FlagsOnCrashes(CrashExperiment):
    """See the module."""

    number = "003-crashes"
    title = "Interprocedural flags on the way to crashes (paper 003)"
    method = (
        "The product's search with all its parts, with `--flags interprocedural` against `--flags none`. Crashes for which a "
        "condition on the way tests what another Python function returned (census), but for those that one of the two reproduces "
        f"in the first {AT_ONCE} evaluations with seed 0, which is not compared. Success: level 4, all frames and the message; "
        "evaluations: to success, all where there was none."
    )
    contrasts: tuple[Contrast, ...] = (Contrast(WITH.name, WITHOUT.name, MEASURES),)
    screening = (WITH, WITHOUT)

    def __init__(
        self,
        at: CrashPlace,
        censuses: Store[CensusKey, CensusRow],
        crashes: int = CRASHES,
        seeds: int = SEEDS,
        evaluations: int = EVALUATIONS,
        look: Callable[[Aim], Census] = flags_on_the_way,
    ) -> None:
        super().__init__(at, [WITH, WITHOUT], crashes, seeds, evaluations)
        self._censuses = censuses
        self._look = look

    def left_out(self, crash: Crash) -> bool:
        """Also those without flags on the way."""
        return super().left_out(crash) or not self._census(crash).flagged

    def _census(self, crash: Crash) -> Census:
        key = CensusKey(f"the way to {crash.name}", self.at.program)
        row = self._censuses.get(key)
        if row is None:
            row = CensusRow(key, self._look(self.at.aims.aim(crash)))
            self._censuses.add(row)
        return row.found

    def qualifies(self, rows: Sequence[Row]) -> bool:
        """Whether there is something to search; crashes that neither has found yet are compared, too."""
        return not any(map(is_hopeless, rows)) and all((row.success or AT_ONCE + 1) > AT_ONCE for row in rows)

    def details(self) -> str:
        """How many crashes have flags on the way."""
        names = {crash.name for crash in self.at.crashes}
        told = {name: self._censuses.get(CensusKey(f"the way to {name}", self.at.program)) for name in names}
        known = [row.found for row in told.values() if row is not None]
        flagged = [one for one in known if one.flagged]
        screens = self.screens()
        return (
            f"Census: for {len(flagged)} of {len(known)} crashes a condition on the way tests the result of a Python function; "
            f"{sum(bool(one.problem) for one in known)} could not be looked at. Screened: {len(screens)}, of which "
            f"{sum(map(self.qualifies, screens.values()))} are compared."
        )
