"""What the algorithms know of a problem: goals by number, and how near what a run left behind comes to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from crashwright.engine.goals.coverage.goal import Goals

T = TypeVar("T")
P = TypeVar("P")
P_contra = TypeVar("P_contra", contravariant=True)


class Ran(NamedTuple, Generic[T, P]):
    """A test that was run. ``footprint`` is what the run left behind, ``covered`` the goals it covers, ``size`` what there is to
    read. A test that ran out of time has ``timed_out`` and covers nothing. ``cost`` is how much it took to run, in no unit: 0 where
    nobody knows. A test that ended by an accident covers nothing either: what it met on the way is its ``mishap``.
    ``unmeant``: it ended by an exception that the package neither raises nor documents. ``hindered``: something was refused to it,
    or it sleeps, so that nobody keeps it as it is. ``raised``: it ended by an exception, whatever its kind."""

    individual: T
    footprint: P
    covered: Goals
    size: int
    timed_out: bool = False
    cost: int = 0
    mishap: Goals = 0
    unmeant: bool = False
    hindered: bool = False
    raised: bool = False


class GoalProblem(Protocol[P_contra]):
    """The goals. Their number may grow while the search runs."""

    def unlocked(self, covered: Goals) -> Goals:
        """The goals that can be aimed at once these are covered (DynaMOSA's graph); without a graph all."""

    def distances(self, footprint: P_contra, goals: Sequence[int]) -> list[float]:
        """How far a run is from each of the goals: 0 = covered, all others above 0, normalised so that they may be added."""

    def suite_distance(self, footprints: Sequence[P_contra], goals: Goals) -> float:
        """How far a suite as a whole is from the goals (whole suite): 0 where all are covered."""

    def secondary(self, one: P_contra, other: P_contra, goal: int) -> int:
        """For runs at the same distance from a goal: positive where the second is better, 0 without preference."""
