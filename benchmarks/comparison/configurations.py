"""The searches that are compared, and which of them with which: the papers' fitness functions, with and without basic block
coverage, and random search; and the product's search without each of its mechanisms, to see what they bring."""

from __future__ import annotations

from dataclasses import dataclass

from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import SearchSettings

FITNESSES = ("ordered", "weighted-sum", "st-distance")


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to search. The fields are those of ``SearchSettings``; what is not here has its default."""

    name: str
    algorithm: str
    fitness: str
    secondary: str
    without: tuple[Mechanism, ...] = ()
    engine: str = "search"
    operators: str = "extended"
    schedule: str = "grow"
    flags: str = SearchSettings().flags
    without_rows: tuple[str, ...] = ()

    def settings(self, seed: int) -> SearchSettings:
        """What an engine is told."""
        return SearchSettings(
            algorithm=self.algorithm,
            fitness=self.fitness,
            secondary=self.secondary,
            without=self.without,
            seed=seed,
            engine=self.engine,
            operators=self.operators,
            schedule=self.schedule,
            flags=self.flags,
            without_rows=self.without_rows,
        )


def _guided(fitness: str, secondary: str) -> Configuration:
    return Configuration(fitness + ("+bbc" if secondary == "bbc" else ""), "guided", fitness, secondary)


PAPERS = (
    Configuration("random", "random", "ordered", "none"),
    *(_guided(fitness, secondary) for fitness in FITNESSES for secondary in ("bbc", "none")),
)
"""Random search scores its tests but does not heed the scores."""
ABLATIONS = (
    *(
        Configuration(f"without-{one.value}", "guided", "ordered", "bbc", (one,))
        for one in Mechanism
        if one is not Mechanism.PRECONDITIONS
    ),
    Configuration("published", "guided", "ordered", "bbc", tuple(Mechanism)),
    Configuration("portfolio", "guided", "ordered", "bbc", engine="portfolio"),
)
"""One mechanism off, and all of them: what is published, and no more. Preconditions are off until they are asked for: there the
search is told what the symbolic engine finds."""
CONFIGURATIONS = {one.name: one for one in (*PAPERS, *ABLATIONS)}
"""By name, such as ``ordered+bbc``, which is the product's default."""
DEFAULT = "ordered+bbc"

COMPARISONS: tuple[tuple[str, str], ...] = (
    *((f"{fitness}+bbc", fitness) for fitness in FITNESSES),
    *((f"ordered{end}", f"{other}{end}") for end in ("+bbc", "") for other in FITNESSES[1:]),
    *(("st-distance" + end, "weighted-sum" + end) for end in ("+bbc", "")),
    *((one.name, "random") for one in PAPERS if one.name != "random"),
    *((DEFAULT, one.name) for one in ABLATIONS),
)
"""Pairs (A, B): what each fitness gains by basic block coverage, fitness against fitness, each against random search, the default
against itself without a mechanism."""
