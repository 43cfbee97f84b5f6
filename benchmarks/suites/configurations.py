"""The searches that are compared. What a configuration does not name is as the product has it by default."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from crashwright.core.mechanisms import Mechanism
from crashwright.core.settings import Budget, EngineSettings, SearchSettings
from crashwright.core.suite import CRITERIA, ModuleTarget
from crashwright.workflows.generate.request import SELECTION, suite_search

DEFAULT = "default"
FLAGS = ModuleTarget("").flags


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to search. The seed of ``search`` is not used."""

    name: str
    search: SearchSettings = field(default_factory=suite_search)
    criteria: tuple[str, ...] = CRITERIA
    selection: str = SELECTION
    flags: bool = FLAGS
    seconds: float | None = None
    """The processor time of a run that is bounded by it, and not by evaluations."""

    def settings(self, seed: int, evaluations: int, path: tuple[str, ...] = ()) -> EngineSettings:
        """What an engine is told. Searches are compared, so none ends early for what would come after it."""
        budget = Budget(None, evaluations) if self.seconds is None else Budget(self.seconds, None)
        without = (*self.search.without, Mechanism.SURVIVORS)
        return EngineSettings(replace(self.search, seed=seed, without=without), budget, path=path)

    def target(self, subject: str) -> ModuleTarget:
        """What it is to aim at: a module, or one function of it (``module:function``)."""
        module, _, function = subject.partition(":")
        return ModuleTarget(module, (function,) if function else (), self.criteria, self.selection, self.flags)


# One factor at a time

POPULATIONS = (10, 25, 50, 100)
NEWCOMERS = (0.0, 0.1, 0.3)
TOURNAMENTS = (5, 10)
LENGTHS = (20, 40)
CROWDINGS = ("epsilon", "subvector")
SECONDARIES = ("bbc", "none")


def varied() -> dict[str, Configuration]:
    """The default, and configurations that differ from it in one thing."""
    base = Configuration(DEFAULT)
    others = {one.name: one for one in _values(base) if replace(one, name=DEFAULT) != base}
    return {DEFAULT: base, **others}


def _values(base: Configuration) -> Iterator[Configuration]:
    search, suite = base.search, base.search.suite
    for algorithm in ("dynamosa", "mosa", "whole-suite", "random"):
        yield replace(base, name=algorithm, search=replace(search, algorithm=algorithm))
    for number in POPULATIONS:
        yield replace(base, name=f"population-{number}", search=replace(search, suite=replace(suite, population=number)))
    for secondary in SECONDARIES:
        yield replace(base, name=f"secondary-{secondary}", search=replace(search, secondary=secondary))
    for crowding in CROWDINGS:
        yield replace(base, name=f"crowding-{crowding}", search=replace(search, suite=replace(suite, crowding=crowding)))
    for share in NEWCOMERS:
        yield replace(base, name=f"newcomers-{share:g}", search=replace(search, suite=replace(suite, newcomers=share)))
    for number in TOURNAMENTS:
        yield replace(base, name=f"tournament-{number}", search=replace(search, suite=replace(suite, tournament=number)))
    for flags in (True, False):
        yield replace(base, name=f"flags-{'on' if flags else 'off'}", flags=flags)
    for length in LENGTHS:
        yield replace(base, name=f"length-{length}", search=replace(search, length=length))


# Paper 004

SMART, ALL, WITHOUT_SUBSUMPTION = "smart", "all", "smart-no-subsumption"
COMBINED = (SMART, ALL, WITHOUT_SUBSUMPTION)
APPROACHES = (*COMBINED, *CRITERIA)
"""All criteria at once, in three ways; and each alone."""
ALGORITHMS = ("whole-suite", "mosa", "dynamosa")
GUIDED = {"exception": ("branch", "exception"), "output": ("branch", "output")}
"""These two lead nowhere alone: they run together with branch (section 4.1)."""


def named(algorithm: str, approach: str) -> str:
    """The name of a configuration of paper 004."""
    return f"{algorithm}/{approach}"


def approached(algorithm: str, approach: str) -> Configuration:
    """The configuration of that name. DynaMOSA aims at branches too whatever it is given, as in the paper: its graph stands on
    them."""
    search = replace(suite_search(), algorithm=algorithm)
    if approach in COMBINED:
        return Configuration(named(algorithm, approach), search, selection=approach)
    return Configuration(named(algorithm, approach), search, GUIDED.get(approach, (approach,)), "all")
