"""The searches that are compared, and which of them with which: the papers' fitness functions, with and without basic block
coverage, and random search."""

from __future__ import annotations

from dataclasses import dataclass

from crashwright.core.settings import SearchSettings

FITNESSES = ("ordered", "weighted-sum", "st-distance")


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to search. The fields are those of ``SearchSettings``; what is not here has its default."""

    name: str
    algorithm: str
    fitness: str
    secondary: str

    def settings(self, seed: int) -> SearchSettings:
        """What an engine is told."""
        return SearchSettings(algorithm=self.algorithm, fitness=self.fitness, secondary=self.secondary, seed=seed)


def _guided(fitness: str, secondary: str) -> Configuration:
    return Configuration(fitness + ("+bbc" if secondary == "bbc" else ""), "guided", fitness, secondary)


CONFIGURATIONS = {
    one.name: one
    for one in (
        Configuration("random", "random", "ordered", "none"),
        *(_guided(fitness, secondary) for fitness in FITNESSES for secondary in ("bbc", "none")),
    )
}
"""By name, such as ``ordered+bbc``, which is the product's default. Random search scores its tests but does not heed the scores."""
DEFAULT = "ordered+bbc"

COMPARISONS: tuple[tuple[str, str], ...] = (
    *((f"{fitness}+bbc", fitness) for fitness in FITNESSES),
    *((f"ordered{end}", f"{other}{end}") for end in ("+bbc", "") for other in FITNESSES[1:]),
    *(("st-distance" + end, "weighted-sum" + end) for end in ("+bbc", "")),
    *((name, "random") for name in CONFIGURATIONS if name != "random"),
)
"""Pairs (A, B): what each fitness gains by basic block coverage, fitness against fitness, each against random search."""
