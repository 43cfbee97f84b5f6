"""Which goals a search aims at: all of them, or what smart selection (paper 004, section 3) leaves.

Criteria that rise and fall together form a group; one of each group, the one that guides best, represents it. Of the others only
the goals are kept that the representative may miss: last lines of long basic blocks, and mutants that no other mutant subsumes.

Goals that are left out lose nothing but their place among the objectives. # Deviation: the paper adds them again when the search
ends, to the tests that are then in the archive; here the archive keeps a test for each of them whenever one covers it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol

from crashwright.core.location import Position
from crashwright.engine.goals.suite.goal import Goal, Goals
from crashwright.engine.goals.suite.subsumption_tables import ARITHMETIC, BITWISE, RELATIONAL, RELATIONAL_OF_BRANCHES
from crashwright.engine.subject.basic_blocks import effective_blocks
from crashwright.engine.subject.cfg import EXIT, BranchKind, Cfg
from crashwright.engine.subject.mutants import Mutant
from crashwright.engine.subject.mutation_operators import Operator

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


class GoalPolicy(Protocol):
    """What may be aimed at."""

    def objectives(self) -> Goals:
        """The goals to aim at; those found since the last call are decided on first."""


class EveryGoal:
    """No selection. ``goals`` is the catalogue's list, which may grow."""

    def __init__(self, goals: Sequence[Goal]) -> None:
        self._goals = goals

    def objectives(self) -> Goals:
        """All goals there are."""
        return (1 << len(self._goals)) - 1


class SmartSelection:
    """``whole`` are the criteria all goals of which are aimed at; of the others those with the numbers ``others``."""

    def __init__(self, goals: Sequence[Goal], whole: Collection[str], others: Collection[int] = ()) -> None:
        self._goals = goals
        self._whole = frozenset(whole)
        self._others = frozenset(others)
        self._decided = 0
        self._chosen: Goals = 0

    def objectives(self) -> Goals:
        """The goals of the representatives and the subsets of the others."""
        for place in range(self._decided, len(self._goals)):
            goal = self._goals[place]
            if goal.criterion in self._whole or goal.number in self._others:
                self._chosen |= 1 << goal.number
        self._decided = len(self._goals)
        return self._chosen


def goal_policy(
    selection: str,
    algorithm: str,
    goals: Sequence[Goal],
    cfgs: Callable[[], Iterable[Cfg]],
    mutants: Mapping[int, Mutant],
    integers: Callable[[Mutant], bool],
) -> GoalPolicy:
    """The policy of a name in ``SELECTIONS``; ValueError for others.

    ``goals`` is the catalogue's list, which may grow; ``cfgs`` gives the graphs of the functions in it, ``mutants`` the mutant
    behind each goal of weak mutation, by the goal's number. ``integers`` says whether the operands at a mutant's place are ints, by
    the source (``integer_operands``) or by what was observed there.
    """
    if selection not in SELECTIONS:
        raise ValueError(f"unknown selection: {selection}")
    if selection == "all":
        return EveryGoal(goals)
    whole = representatives({goal.criterion for goal in goals} | {"exception", "output"}, algorithm)
    if selection == "smart-no-subsumption":
        return SmartSelection(goals, whole)
    graphs = tuple(cfgs())
    lines = {line for cfg in graphs for line in last_lines(cfg)}
    others = {goal.number for goal in goals if goal.criterion == "line" and goal.line in lines}
    branches = conditions(graphs) if whole & {"branch", "direct-branch"} else frozenset()
    kept = subsuming(list(mutants.values()), branches, integers)
    others.update(number for number, mutant in mutants.items() if mutant.number in kept)
    return SmartSelection(goals, whole, others)


def representatives(criteria: Collection[str], algorithm: str) -> frozenset[str]:
    """The criteria that stand for their groups. # Deviation: where a group's representative was not asked for, the best of those
    that were. DynaMOSA needs branches whatever else it aims at: they are its graph."""
    chosen = {next(one for one in group if one in criteria) for group in GROUPS if any(one in criteria for one in group)}
    if algorithm == "dynamosa" and "branch" in criteria:
        chosen.add("branch")
    return frozenset(chosen)


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
    """The numbers of the mutants to aim at: neither those of constants and variables, which are no key operators, nor those that mere
    execution kills; of what is left those that no other mutant of the place subsumes.

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
