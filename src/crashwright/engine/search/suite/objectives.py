"""Which goals a search aims at now, and how far its tests are from them.

MOSA aims at every uncovered goal; DynaMOSA at those whose control dependences are covered (SPEC 5). A goal policy, such as smart
selection, narrows both: goals it leaves out are archived when they are met, but nobody looks for them.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Generic, Protocol, TypeVar

from crashwright.engine.goals.coverage.goal import Goals, numbers
from crashwright.engine.search.suite.problem import GoalProblem, Ran

T = TypeVar("T")
P = TypeVar("P")
P_contra = TypeVar("P_contra", contravariant=True)

Policy = Callable[[], Goals]
"""The goals that may be aimed at. Their number may grow while the search runs."""


class ObjectiveManager(Protocol):
    """What tells the algorithms apart."""

    keeps_front: bool
    """A best test for each goal is kept even where the population then grows."""

    def current(self, covered: Goals) -> Goals:
        """The goals to aim at once these are covered: none of them."""


class AllGoals:
    """MOSA's and whole suite's: everything that is not covered."""

    keeps_front = False

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def current(self, covered: Goals) -> Goals:
        """Every uncovered goal."""
        return self._policy() & ~covered


class UnlockedGoals(Generic[P_contra]):
    """DynaMOSA's: the uncovered goals at the edge of what is covered."""

    keeps_front = True

    def __init__(self, problem: GoalProblem[P_contra], policy: Policy) -> None:
        self._problem = problem
        self._policy = policy

    def current(self, covered: Goals) -> Goals:
        """The uncovered goals that wait for nothing else."""
        return self._problem.unlocked(covered) & self._policy() & ~covered


class Member(Generic[T, P]):
    """A test of the population. ``row`` holds its distances from the objectives, in their order; ``rank`` (0: the best front) and
    ``crowding`` (more: more alone) decide who has offspring."""

    __slots__ = ("crowding", "identity", "ran", "rank", "row")

    def __init__(self, ran: Ran[T, P], identity: int) -> None:
        self.ran = ran
        self.identity = identity
        self.row: tuple[float, ...] = ()
        self.rank = 0
        self.crowding = 0.0


class Objectives(Generic[T, P]):
    """The current objectives in a fixed order, so that distances are plain rows. When they change, the distances of those that stay
    are carried over, and only newcomers are measured."""

    def __init__(self, problem: GoalProblem[P]) -> None:
        self._problem = problem
        self.goals: list[int] = []
        self.aimed_at: Goals = 0

    def measure(self, member: Member[T, P]) -> None:
        """Take the distances of a test that is new to the population."""
        member.row = tuple(self._problem.distances(member.ran.footprint, self.goals))

    def aim(self, current: Goals, members: list[Member[T, P]]) -> None:
        """Change the objectives; ``members`` were measured before."""
        if current == self.aimed_at:
            return
        added = list(numbers(current & ~self.aimed_at))
        kept = [place for place, goal in enumerate(self.goals) if current >> goal & 1]
        self.goals = [self.goals[place] for place in kept] + added
        self.aimed_at = current
        carried = _picker(kept)
        for member in members:
            row = carried(member.row)
            member.row = (*row, *self._problem.distances(member.ran.footprint, added)) if added else row


def _picker(places: list[int]) -> Callable[[tuple[float, ...]], tuple[float, ...]]:
    if not places:
        return lambda _: ()
    if len(places) == 1:
        only = places[0]
        return lambda row: (row[only],)
    return itemgetter(*places)
