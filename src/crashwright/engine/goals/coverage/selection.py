"""Which goals a search aims at: all of them, or what smart selection (paper 004, section 3) leaves.

Criteria that rise and fall together form a group; one of each group, the one that guides best, represents it. Of the others only
the goals are kept that the representative may miss: last lines of long basic blocks, and mutants that no other mutant subsumes.

Goals that are left out lose nothing but their place among the objectives, and the probes that only they need: the archive keeps a
test for each of them that a run shows to be covered, and when the search ends its tests are run again with all probes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol

from crashwright.core.location import Position
from crashwright.core.suite import ModuleTarget
from crashwright.engine.goals.coverage.approach import FunctionFlow
from crashwright.engine.goals.coverage.goal import Goals, as_goals, numbers
from crashwright.engine.goals.coverage.subsumption_tables import ARITHMETIC, BITWISE, RELATIONAL, RELATIONAL_OF_BRANCHES
from crashwright.engine.subject.flow.basic_blocks import effective_blocks
from crashwright.engine.subject.flow.cfg import EXIT, BranchKind, Cfg
from crashwright.engine.subject.mutants.enumeration import Mutant
from crashwright.engine.subject.mutants.operators import Operator

SELECTIONS = ("all", "smart", "smart-no-subsumption")
GROUPS = (
    ("direct-branch", "branch", "line", "weak-mutation"),
    ("no-exception", "method"),
    ("exception",),
    ("output",),
)
"""Criteria with a coverage correlation, those that guide better first."""
LINE_THRESHOLD = 8
"""Lines that a basic block must have for its last one to be a goal."""


class Selectable(Protocol):
    """What a policy needs of the catalogue of goals."""

    target: ModuleTarget

    @property
    def asked(self) -> Goals:
        """The goals so far of the criteria that were asked for."""

    def of(self, criterion: str) -> Goals:
        """The goals so far of a criterion that was asked for, or of branch."""

    def place_of(self, goal: int) -> Position | None:
        """Where a goal lies that has a place."""

    def flow_of(self, goal: int) -> FunctionFlow | None:
        """The function in which it lies."""

    def mutant_of(self, goal: int) -> int | None:
        """The number of the mutant of a weak-mutation goal."""


class GoalPolicy(Protocol):
    """What may be aimed at."""

    def objectives(self) -> Goals:
        """The goals to aim at, those found lately included."""


class EveryGoal:
    """No selection: the goals that were asked for, and those of the criteria ``besides``."""

    def __init__(self, catalogue: Selectable, besides: Collection[str]) -> None:
        self._catalogue = catalogue
        self._besides = tuple(besides)

    def objectives(self) -> Goals:
        """All goals there are."""
        return self._catalogue.asked | _of_all(self._catalogue, self._besides)


class SmartSelection:
    """All goals of the criteria ``whole``, and the goals ``others``."""

    def __init__(self, catalogue: Selectable, whole: Collection[str], others: Goals = 0) -> None:
        self._catalogue = catalogue
        self._whole = tuple(whole)
        self._others = others

    def objectives(self) -> Goals:
        """The goals of the representatives and the subsets of the others."""
        return self._others | _of_all(self._catalogue, self._whole)


def goal_policy(catalogue: Selectable, algorithm: str, mutants: Sequence[Mutant], integers: Callable[[Mutant], bool]) -> GoalPolicy:
    """The policy that the target of the catalogue names. ``mutants`` are the weak mutants by their numbers; ``integers`` says
    whether the operands at a mutant's place are ints, by the source (``integer_operands``) or by what was observed there. Raises
    ValueError for a selection that is none of ``SELECTIONS``."""
    target = catalogue.target
    if target.selection not in SELECTIONS:
        raise ValueError(f"unknown selection: {target.selection}")
    besides = guides(target.criteria, algorithm)
    if target.selection == "all":
        return EveryGoal(catalogue, besides)
    whole = representatives(target.criteria) | besides
    if target.selection == "smart-no-subsumption":
        return SmartSelection(catalogue, whole)
    return SmartSelection(catalogue, whole, _subsets(catalogue, whole, mutants, integers))


def guides(criteria: Collection[str], algorithm: str) -> frozenset[str]:
    """Branch, whether it was asked for or not, where nothing else shows the way: DynaMOSA needs its graph, and exceptions and
    outputs alone have no gradient (section 4.1)."""
    alone = frozenset(criteria) <= {"exception", "output"}
    return frozenset({"branch"}) if alone or algorithm == "dynamosa" else frozenset()


def representatives(criteria: Collection[str]) -> frozenset[str]:
    """The criteria that stand for their groups. # Deviation: where a group's representative was not asked for, the best of those
    that were."""
    asked = [[one for one in group if one in criteria] for group in GROUPS]
    return frozenset(group[0] for group in asked if group)


def _of_all(catalogue: Selectable, criteria: Iterable[str]) -> Goals:
    found = 0
    for criterion in criteria:
        found |= catalogue.of(criterion)
    return found


def _subsets(catalogue: Selectable, whole: Collection[str], mutants: Sequence[Mutant], integers: Callable[[Mutant], bool]) -> Goals:
    """Of the criteria that are not represented by themselves the goals that their representative may miss."""
    goals = numbers(catalogue.of("branch") | catalogue.of("line") | catalogue.of("weak-mutation"))
    flows = {flow.number: flow for goal in goals if (flow := catalogue.flow_of(goal)) is not None}
    graphs = {number: flow.flow.cfg for number, flow in flows.items() if flow.flow is not None}
    lines = {number: last_lines(cfg) for number, cfg in graphs.items()}
    branches = conditions(graphs.values()) if not {"branch", "direct-branch"}.isdisjoint(whole) else frozenset()
    wanted = subsuming(mutants, branches, integers)
    chosen = [goal for goal in numbers(catalogue.of("weak-mutation")) if catalogue.mutant_of(goal) in wanted]
    for goal in numbers(catalogue.of("line")):
        flow, place = catalogue.flow_of(goal), catalogue.place_of(goal)
        if flow is not None and place is not None and place.line in lines.get(flow.number, ()):
            chosen.append(goal)
    return as_goals(chosen)


def last_lines(cfg: Cfg) -> frozenset[int]:
    """The last line of each basic block that has ``LINE_THRESHOLD`` lines with statements. # Deviation: EvoSuite's implementation
    counts blank lines and needs one more; the paper's rule is this."""
    found = set()
    for block in effective_blocks(cfg, (EXIT,)):
        lines = {position.line for position in block}
        if len(lines) >= LINE_THRESHOLD:
            found.add(block[-1].line)
    return frozenset(found)


def conditions(cfgs: Iterable[Cfg]) -> frozenset[Position]:
    """Where the conditions stand whose outcomes are branches."""
    return frozenset(branch.position for cfg in cfgs for branch in cfg.branches() if branch.kind is BranchKind.CONDITION)


def subsuming(mutants: Sequence[Mutant], branches: Collection[Position], integers: Callable[[Mutant], bool]) -> frozenset[int]:
    """The numbers of the mutants to aim at: neither those of constants and variables, which are no key operators, nor those that
    mere execution kills; of what is left those that no other mutant of the place subsumes.

    # Deviation: ``and``/``or`` are kept (a key operator that EvoSuite does not have), and so are ``is``/``==``, of which nothing is
    known; comparisons with zero are treated like all others.
    """
    places: dict[object, list[Mutant]] = {}
    for mutant in mutants:
        place = (mutant.key, mutant.node, mutant.position, mutant.operator, mutant.part, mutant.copy)
        places.setdefault(place, []).append(mutant)
    return frozenset(mutant.number for found in places.values() for mutant in _kept(found, branches, integers))


def _kept(mutants: list[Mutant], branches: Collection[Position], integers: Callable[[Mutant], bool]) -> list[Mutant]:
    """Of the mutants of one operator at one place."""
    mutant = mutants[0]
    wanted: tuple[str, ...] | None = None
    match mutant.operator:
        case Operator.CONSTANT | Operator.VARIABLE | Operator.UNARY | Operator.CONDITION:
            return []
        case Operator.ROR:
            table = RELATIONAL_OF_BRANCHES if mutant.position in branches else RELATIONAL
            wanted = (*table.get(mutant.original, ()), *_IDENTITY.get(mutant.original, ()))
            return [one for one in mutants if one.replacement in wanted]
        case Operator.AOR if integers(mutant):
            wanted = ARITHMETIC.get(mutant.original)
        case Operator.BITWISE if integers(mutant):
            wanted = BITWISE.get(mutant.original)
    present = {one.replacement for one in mutants}
    if wanted is None or not present.issuperset(wanted):  # where there are too many mutants, some are not made
        return mutants
    return [one for one in mutants if one.replacement in wanted]


_IDENTITY = {"is": ("==",), "is not": ("!=",), "==": ("is",), "!=": ("is not",)}
"""The opposite of an operator (``is not``, ``not in``) is not among them: it differs whenever it is executed."""
