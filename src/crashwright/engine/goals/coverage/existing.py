"""Goals that tests which exist cover already (``--existing-tests``): they are neither aimed at nor are tests kept for them.

Those tests were run under a tracer that knows lines and steps between them. A branch counts as taken where the step from its
predicate's line can mean nothing else, or where something was reached that lies behind it; where there is doubt, a test too many
is better than one that is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from crashwright.core.suite import KnownCoverage
from crashwright.engine.goals.coverage.approach import FunctionFlow, Outcome
from crashwright.engine.goals.coverage.catalogue import Catalogue
from crashwright.engine.goals.coverage.goal import Goals
from crashwright.engine.goals.coverage.measures import (
    BranchDistance,
    EntryDistance,
    Measure,
    MethodDistance,
    MutationDistance,
    StatementDistance,
)
from crashwright.engine.goals.coverage.selection import GoalPolicy
from crashwright.engine.subject.flow.cfg import EXIT, BranchKind, Cfg


class Remaining:
    """A goal policy without the goals that ``catalogue`` has given up."""

    def __init__(self, policy: GoalPolicy, catalogue: Catalogue) -> None:
        self._policy = policy
        self._catalogue = catalogue

    def objectives(self) -> Goals:
        """The goals of the policy that are worth a search."""
        return self._policy.objectives() & ~self._catalogue.given_up


def known_goals(catalogue: Catalogue, known: KnownCoverage) -> Goals:
    """The goals of ``catalogue`` that the existing tests cover. Mutants count where their line was run; direct branches where the
    branch was taken in whatever call, and calls that return where there was a call. Outputs and exceptions leave no lines."""
    if not known.lines:
        return 0
    facts = _Facts(known)
    found: Goals = 0
    for goal in catalogue.goals:
        if facts.covers(goal.qualname, goal.line, catalogue.measure_of(goal.number)):
            found |= 1 << goal.number
    return found


class _Facts:
    """What is known, function by function."""

    def __init__(self, known: KnownCoverage) -> None:
        self._lines = frozenset(known.lines)
        self._arcs = frozenset(known.arcs)
        self._names = frozenset(known.names)
        self._taken: dict[int, frozenset[Outcome]] = {}

    def covers(self, qualname: str, line: int, measure: Measure) -> bool:
        match measure:
            case BranchDistance():
                return measure.outcome in self._outcomes(measure.flow)
            case EntryDistance() | MethodDistance():
                return qualname in self._names
            case StatementDistance() | MutationDistance():
                return line in self._lines
        return False

    def _outcomes(self, flow: FunctionFlow) -> frozenset[Outcome]:
        """The outcomes taken in one function."""
        found = self._taken.get(flow.number)
        if found is None:
            found = self._taken[flow.number] = frozenset(self._deduced(flow))
        return found

    def _deduced(self, flow: FunctionFlow) -> set[Outcome]:
        if flow.flow is None:
            return set()
        by_step: dict[tuple[int, int], set[Outcome]] = {}
        for step, outcome in _steps(flow, flow.flow.cfg):
            by_step.setdefault(step, set()).add(outcome)
        taken = {next(iter(those)) for step, those in by_step.items() if len(those) == 1 and step in self._arcs}
        # A place that only one decision leads to was reached through it.
        ways = [flow.parents_of_place(place) for place in flow.function.markers if place.line in self._lines]
        waiting = [flow.parents_of_predicate(predicate) for predicate, _ in sorted(taken)] + ways
        while waiting:
            parents = waiting.pop()
            if len(parents) == 1 and parents[0] not in taken:
                taken.add(parents[0])
                waiting.append(flow.parents_of_predicate(parents[0][0]))
        return taken


def _steps(flow: FunctionFlow, cfg: Cfg) -> Iterator[tuple[tuple[int, int], Outcome]]:
    """The steps between lines that an outcome may show itself by; those within a line are none."""
    for index, node in enumerate(cfg.nodes):
        # Where a with statement is left, the tracer comes back to its first line whatever happens.
        if node.branch is None or node.branch is BranchKind.SUPPRESS or node.position is None:
            continue
        predicate = flow.predicate_at(node.position, node.branch)
        if predicate is None:
            continue
        line = node.position.line
        for target, taken in cfg.edges[index]:
            if taken is not None:
                for after in _lines_at(cfg, target, -flow.function.key.first_line):
                    if after != line:
                        yield (line, after), (predicate, taken)


def _lines_at(cfg: Cfg, start: int, leaving: int) -> set[int]:
    """The lines on which the next thing that has a place may lie."""
    found: set[int] = set()
    seen = {start}
    waiting = [start]
    while waiting:
        node = waiting.pop()
        position = cfg.nodes[node].position
        if node == EXIT:
            found.add(leaving)
        elif position is not None:
            found.add(position.line)
        else:
            new = [edge.target for edge in cfg.edges[node] if edge.target not in seen]
            seen.update(new)
            waiting += new
    return found
