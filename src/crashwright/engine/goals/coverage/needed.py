"""Which probes a search still needs: those of open goals and of the decisions on the way to them. The others are taken out of the
code under test, which then runs faster (DESIGN, "The execution core")."""

from __future__ import annotations

from crashwright.core.location import Position
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.footprint import predicate_at
from crashwright.engine.goals.coverage.goal import Goals, numbers
from crashwright.engine.goals.coverage.measures import BranchDistance, MutationDistance, StatementDistance


def needed_predicates(catalogue: Catalogue, goals: Goals) -> frozenset[Position]:
    """The places of the predicates that the distances of these goals are made of."""
    found: set[tuple[int, int]] = set()
    for goal in numbers(goals):
        measure = catalogue.measure_of(goal)
        if not isinstance(measure, BranchDistance | StatementDistance | MutationDistance):
            continue
        markers = measure.flow.markers
        found.update((measure.function, predicate_at(markers, step.wanted)) for step in measure.approach.steps)
        if isinstance(measure, BranchDistance):
            found.add((measure.function, measure.outcome[0]))
    return frozenset(catalogue.functions[function].predicates[predicate].position for function, predicate in found)


def needed_mutants(catalogue: Catalogue, goals: Goals) -> frozenset[int]:
    """The numbers of the mutants behind these goals."""
    mutants = [catalogue.mutant_of(goal) for goal in numbers(goals)]
    return frozenset(mutant for mutant in mutants if mutant is not None)
