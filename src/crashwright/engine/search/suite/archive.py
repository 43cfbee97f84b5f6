"""The archive: for every goal that was ever covered the best test that covers it (MOSA; SPEC 5)."""

from __future__ import annotations

import random
from bisect import insort
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from crashwright.engine.goals.coverage.goal import Goals, numbers
from crashwright.engine.search.suite.problem import Ran

T = TypeVar("T")
P = TypeVar("P")


class Placed(NamedTuple, Generic[T, P]):
    """A test that took a place in the archive: it is now the best one for ``goals``, and the first one ever for ``first``."""

    ran: Ran[T, P]
    goals: Goals
    first: Goals


class _Holder(Generic[T]):
    """A test of the archive, the goals for which it is kept, and its index in the list of tests."""

    __slots__ = ("goals", "index", "ran")

    def __init__(self, ran: Ran[T, None], goals: Goals, index: int) -> None:
        self.ran = ran
        self.goals = goals
        self.index = index


class Archive(Generic[T, P]):
    """Every goal that a run covers is archived, aimed at or not. Of two tests for a goal the shorter one is better, and of two of a
    size the first. What a run costs here depends on how many goals it improves, not on how many there are: the goals are kept as
    sets by the size of their tests, and those of longer tests are found by a few operations on whole sets. Footprints are not kept:
    one may take 100 KB, and nobody measures an archived test again.
    """

    def __init__(self) -> None:
        self.covered: Goals = 0
        self._best: dict[int, _Holder[T]] = {}
        self._holders: list[_Holder[T]] = []
        self._by_size: dict[int, Goals] = {}
        self._sizes: list[int] = []

    def __len__(self) -> int:
        """How many tests are kept."""
        return len(self._holders)

    def best(self, goal: int) -> Ran[T, None]:
        """The test kept for a goal. Raises KeyError where no test covers it."""
        return self._best[goal].ran

    def tests(self) -> list[Ran[T, None]]:
        """Every test that is kept, once each, in no order of merit."""
        return [holder.ran for holder in self._holders]

    def choose(self, rng: random.Random) -> Ran[T, None]:
        """Any of the tests. Raises IndexError where there are none."""
        return self._holders[int(rng.random() * len(self._holders))].ran

    def add_all(self, runs: Sequence[Ran[T, P]]) -> list[Placed[T, P]]:
        """Those that took a place, in their order. An earlier one may have lost its place to a later one again."""
        placed = [self.add(ran) for ran in runs]
        return [one for one in placed if one is not None]

    def add(self, ran: Ran[T, P]) -> Placed[T, P] | None:
        """Keep the test where it is the best one for a goal."""
        if ran.timed_out:
            return None
        first = ran.covered & ~self.covered
        shorter = ran.covered & self._longer_than(ran.size)
        goals = first | shorter
        if not goals:
            return None
        for goal in numbers(shorter):
            self._release(goal)
        slim = Ran(ran.individual, None, ran.covered, ran.size, ran.timed_out, ran.cost, hindered=ran.hindered)
        holder = _Holder(slim, goals, len(self._holders))
        self._holders.append(holder)
        for goal in numbers(goals):
            self._best[goal] = holder
        self.covered |= first
        if ran.size not in self._by_size:
            insort(self._sizes, ran.size)
        self._by_size[ran.size] = self._by_size.get(ran.size, 0) | goals
        return Placed(ran, goals, first)

    def _longer_than(self, size: int) -> Goals:
        found = 0
        for other in reversed(self._sizes):
            if other <= size:
                break
            found |= self._by_size[other]
        return found

    def _release(self, goal: int) -> None:
        holder, bit = self._best[goal], 1 << goal
        size = holder.ran.size
        self._by_size[size] ^= bit
        if not self._by_size[size]:
            del self._by_size[size]
            self._sizes.remove(size)
        holder.goals ^= bit
        if not holder.goals:
            last = self._holders.pop()
            if last is not holder:
                self._holders[holder.index] = last
                last.index = holder.index
