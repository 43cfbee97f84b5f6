"""From the archive to a suite that people keep: a small test for each goal, and no test that covers nothing of its own (SPEC 9).

The shortest archived test of a goal is made smaller while it still covers the goal; what it covers besides is counted, so that
the next goals need tests of their own only where they are left over. A second pass, from the last test to the first, removes
what others cover as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from crashwright.core.suite import CRITERIA
from crashwright.engine.goals.suite.goal import Goal, Goals, numbers
from crashwright.engine.search.suite.evaluator import SuiteEvaluator
from crashwright.engine.search.suite.problem import Ran
from crashwright.engine.testcase.minimise import minimise
from crashwright.engine.testcase.testcase import TestCase

Archived = Ran[TestCase, None]
CHECKS = 120
"""How many candidates the minimiser may run for one test."""
CHECKS_IN_HASTE = 1
"""The same once time is up: the first candidate is the test without what its last call does not need."""


class Kept(NamedTuple):
    """A test of the suite and the goals for which it is there, the one that it was made small for first."""

    test: TestCase
    goals: tuple[Goal, ...]
    covered: Goals


class Reduction:
    """``in_time()`` is asked before each step: once it is false, tests are made smaller in one step at
    most."""

    def __init__(self, evaluator: SuiteEvaluator, goals: Sequence[Goal], in_time: Callable[[], bool]) -> None:
        self._evaluator = evaluator
        self._goals = goals
        self._in_time = in_time

    def run(self, archive: Mapping[int, Archived]) -> list[Kept]:
        """The suite. Goals whose test no longer covers them when it is run again are given up: nothing may be flaky."""
        order = sorted(archive, key=self._rank)
        kept: list[Kept] = []
        covered: Goals = 0
        for number in order:
            if covered >> number & 1:
                continue
            found = self._smallest(archive[number], number)
            if found is not None:
                kept.append(found)
                covered |= found.covered
        return self._without_redundant(kept)

    def _rank(self, number: int) -> tuple[int, int, int]:
        goal = self._goals[number]
        return (CRITERIA.index(goal.criterion), goal.line, number)

    def _smallest(self, ran: Archived, number: int) -> Kept | None:
        test = ran.individual
        again = self._evaluator.measure(test)
        if not again.covered >> number & 1:
            return None

        def still_covers(candidate: TestCase) -> bool:
            return bool(self._evaluator.measure(candidate).covered >> number & 1)

        smaller = minimise(test, still_covers, CHECKS if self._in_time() else CHECKS_IN_HASTE)
        measured = self._evaluator.measure(smaller) if smaller is not test else again
        return Kept(smaller, (self._goals[number],), measured.covered)

    def _without_redundant(self, kept: list[Kept]) -> list[Kept]:
        needed: list[Kept] = []
        for index in range(len(kept) - 1, -1, -1):
            others: Goals = 0
            for one in (*kept[:index], *needed):
                others |= one.covered
            own = kept[index].covered & ~others
            if own:
                first = kept[index].goals[0]
                rest = [self._goals[number] for number in numbers(own) if number != first.number]
                needed.append(kept[index]._replace(goals=(first, *rest)))
        return needed[::-1]


def covered_by(kept: Iterable[Kept]) -> Goals:
    """What the suite covers."""
    covered: Goals = 0
    for one in kept:
        covered |= one.covered
    return covered
