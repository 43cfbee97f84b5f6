"""Which goals can be aimed at once others are covered: DynaMOSA's graph, by control dependence with outcomes (SPEC 5)."""

from __future__ import annotations

from collections.abc import Iterable

from crashwright.engine.goals.coverage.goal import Goals, numbers


class GoalGraph:
    """A goal without parents is unlocked from the start, any other as soon as one of its parents is covered. Remembers the last
    answer: only what is newly covered costs something."""

    __slots__ = ("_children", "_covered", "_roots", "_unlocked")

    def __init__(self) -> None:
        self._children: dict[int, Goals] = {}
        self._roots: Goals = 0
        self._covered: Goals = 0
        self._unlocked: Goals = 0

    def add(self, goal: int, parents: Iterable[int] = ()) -> None:
        """A new goal, and those of which one is to be covered first."""
        parents = tuple(parents)
        bit = 1 << goal
        for parent in parents:
            self._children[parent] = self._children.get(parent, 0) | bit
        if not parents:
            self._roots |= bit
        if not parents or any(self._covered >> parent & 1 for parent in parents):
            self._unlocked |= bit

    def unlocked(self, covered: Goals) -> Goals:
        """The goals that can be aimed at, the covered ones among them included."""
        if self._covered & ~covered:
            self._covered, self._unlocked = 0, self._roots
        new = covered & ~self._covered
        if new:
            children = self._children
            unlocked = self._unlocked
            for goal in numbers(new):
                unlocked |= children.get(goal, 0)
            self._covered, self._unlocked = covered, unlocked
        return self._unlocked
