"""From the archive to a suite that people keep: a small test for each goal, and no test that covers nothing of its own (SPEC 9).

First comes what is cheap, for all tests: goals in the order of what they are worth, and for each that no chosen test covers yet the
shortest archived test without the statements that the goal does not need. Tests that others make superfluous go. What time is left
then makes values simpler, in the tests that are hardest to read first: a test only has to cover what no other one does, so that
the suite never covers less than before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

from crashwright.core.portions import CUTS_PART
from crashwright.engine.goals.coverage.goal import Goal, Goals, as_goals, numbers
from crashwright.engine.search.suite.problem import Ran
from crashwright.engine.search.suite.scorer import SuiteRan
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.editing.lawful import lawful
from crashwright.engine.testcase.editing.minimise import minimise
from crashwright.engine.testcase.statements import Value, Variable
from crashwright.engine.testcase.testcase import TestCase

ArchivedTest = Ran[TestCase, None]
WORTH = ("branch", "line", "exception", "output", "method", "no-exception", "direct-branch", "weak-mutation")
"""The criteria in the order in which tests are chosen for them: what tells most about the module before what often comes along."""
CUTS = 16
"""How many candidates with fewer statements are run for one test."""
CUTS_IN_HASTE = 3
"""The same once time is short: what the last call needs, what happens to that, and then without what nobody uses."""
BOLD_CHECKS = 4
"""How many are run for each test before any test gets more: with all values as simple as can be."""
LAWFUL_CHECKS = 8
"""How many are run that pass what is asked for in place of what is not."""
CHECKS = 150
"""How many simpler candidates are run for one test."""


class ReducedTest(NamedTuple):
    """A test of the suite and the goals for which it is there, the one that it was chosen for first."""

    test: TestCase
    goals: tuple[Goal, ...]
    covered: Goals
    hindered: bool = False


class TestMeasure(Protocol):
    """Runs a test and tells what it covers."""

    def measure(self, test: TestCase) -> SuiteRan: ...


class Dress(Protocol):
    """Gives a test values that somebody would write."""

    def made_of(self, test: TestCase, good: Callable[[TestCase], bool], goes_on: Callable[[], bool]) -> TestCase:
        """``test``, which is good, with as many as stay good."""
        ...

    def plain(self, test: TestCase) -> Mapping[Variable, Value]:
        """The literals that need not be simpler."""
        ...


class AsTheyAre:
    """Changes nothing."""

    def made_of(self, test: TestCase, good: Callable[[TestCase], bool], goes_on: Callable[[], bool]) -> TestCase:  # noqa: ARG002
        """See :class:`Dress`."""
        return test

    def plain(self, test: TestCase) -> Mapping[Variable, Value]:  # noqa: ARG002
        """See :class:`Dress`."""
        return {}


class Reduction:
    """``seconds_left()`` is asked before each step; below zero, tests are run once or twice more each and no oftener."""

    def __init__(
        self, evaluator: TestMeasure, goals: Sequence[Goal], seconds_left: Callable[[], float], dress: Dress | None = None
    ) -> None:
        self._evaluator = evaluator
        self._goals = goals
        self._seconds_left = seconds_left
        self._dress = AsTheyAre() if dress is None else dress
        self._may_hinder = True
        """The test that is worked on is hindered already: no other one becomes so."""

    def run(self, archive: Mapping[int, ArchivedTest]) -> list[ReducedTest]:
        """The suite. Goals whose test no longer covers them when it is run again are given up: nothing may be flaky."""
        wanted = as_goals(archive)
        chosen = without_redundant(self._chosen(archive), wanted)
        polished = without_redundant(self._polished(chosen, wanted), wanted)
        return with_goals([self._collecting(one) for one in polished], wanted, self._goals)

    def _collecting(self, one: ReducedTest) -> ReducedTest:
        """Loops that throw away what they go over collect it, so that something can be said of it."""
        listed = TestCase(tuple(map(_collected, one.test.statements)))
        if listed.key() == one.test.key():
            return one
        covered = self._covered(listed, one.hindered)
        return one if one.covered & ~covered else one._replace(test=listed, covered=covered)

    def _chosen(self, archive: Mapping[int, ArchivedTest]) -> list[ReducedTest]:
        """Tests that cover all goals, each cut down to what its first goal needs."""
        hurry = self._seconds_left() * (1 - CUTS_PART)
        chosen: list[ReducedTest] = []
        covered: Goals = 0
        for number in sorted(archive, key=lambda number: (archive[number].hindered, rank(self._goals[number]))):
            if covered >> number & 1:
                continue
            ran = self._evaluator.measure(archive[number].individual)
            if not ran.covered >> number & 1:
                continue
            self._may_hinder = ran.hindered
            cuts = CUTS if self._seconds_left() > hurry else CUTS_IN_HASTE
            test, covers = self._about(self._goals[number], archive[number].individual, ran.covered)
            test, covers = self._smaller(test, covers, 1 << number, cuts, _always, values=False)
            chosen.append(ReducedTest(test, (self._goals[number],), covers, ran.hindered))
            covered |= covers
        return chosen

    def _covered(self, test: TestCase, may_hinder: bool | None = None) -> Goals:
        """What it covers: nothing where it is hindered, and what it is made of is not."""
        ran = self._evaluator.measure(test)
        allowed = self._may_hinder if may_hinder is None else may_hinder
        return 0 if ran.hindered and not allowed else ran.covered

    def _about(self, goal: Goal, test: TestCase, covered: Goals) -> tuple[TestCase, Goals]:
        """The test up to the last call of what the goal lies in, where that call is not the last one and covers the goal."""
        name = goal.qualname.partition(".<locals>")[0].rpartition(".")[2]
        for index in range(len(test) - 2, -1, -1):
            statement = test.statements[index]
            if isinstance(statement, st.Call | st.MethodCall) and name_of(statement) == name:
                cut = TestCase(test.statements[: index + 1])
                covers = self._covered(cut)
                return (cut, covers) if covers >> goal.number & 1 else (test, covered)
        return test, covered

    def _polished(self, chosen: Sequence[ReducedTest], wanted: Goals) -> list[ReducedTest]:
        """With simpler values, as far as time goes: first what is bold, for each test, then each gets a share of what time is left
        by how much there is to read."""
        tests = list(chosen)
        order = sorted(range(len(tests)), key=lambda index: (-effort(tests[index].test), index))
        for index in order:
            self._improve(tests, index, wanted)
            self._polish(tests, index, wanted, BOLD_CHECKS, 0.0)
            self._dressed(tests, index, wanted)
        to_read = sum(effort(one.test) for one in tests)
        for index in order:
            left, weight = self._seconds_left(), effort(tests[index].test)
            self._polish(tests, index, wanted, CHECKS, left * (1 - weight / to_read) if math.isfinite(left) else 0.0)
            to_read -= weight
        for index in order:
            self._dressed(tests, index, wanted)
        return tests

    def _dressed(self, tests: list[ReducedTest], index: int, wanted: Goals) -> None:
        """Values that somebody would write, in one of ``tests``."""
        one = tests[index]
        self._may_hinder = one.hindered
        own = one.covered & wanted & ~covered_by(other for other in tests if other is not one)
        found: dict[int, Goals] = {one.test.key(): one.covered}

        def still_covers(candidate: TestCase) -> bool:
            covered = self._covered(candidate)
            found[candidate.key()] = covered
            return not own & ~covered

        test = self._dress.made_of(one.test, still_covers, lambda: self._seconds_left() > 0)
        tests[index] = one._replace(test=test, covered=found[test.key()])

    def _improve(self, tests: list[ReducedTest], index: int, wanted: Goals) -> None:
        """Values that are of the kind that is asked for, in one of ``tests``."""
        one = tests[index]
        own = one.covered & wanted & ~covered_by(other for other in tests if other is not one)
        for candidate in islice(lawful(one.test), LAWFUL_CHECKS):
            if self._seconds_left() <= 0:
                return
            covered = self._covered(candidate, one.hindered)
            if not own & ~covered:
                tests[index] = one._replace(test=candidate, covered=covered)
                return

    def _polish(self, tests: list[ReducedTest], index: int, wanted: Goals, checks: int, end: float) -> None:
        """One of ``tests``, until ``end`` seconds are left."""
        if self._seconds_left() <= 0:
            return
        one = tests[index]
        own = one.covered & wanted & ~covered_by(other for other in tests if other is not one)
        self._may_hinder = one.hindered
        if own:  # else what became of other tests covers all of it
            test, covered = self._smaller(one.test, one.covered, own, checks, _until(self._seconds_left, end))
            tests[index] = one._replace(test=test, covered=covered)

    def _smaller(
        self, test: TestCase, covered: Goals, own: Goals, checks: int, in_time: Callable[[], bool], values: bool = True
    ) -> tuple[TestCase, Goals]:
        """A smaller test that covers ``own`` too, and what else it covers."""
        seen: dict[int, Goals] = {test.key(): covered}

        def still_covers(candidate: TestCase) -> bool:
            if not in_time():
                return False
            found = self._covered(candidate)
            if own & ~found:
                return False
            seen[candidate.key()] = found
            return True

        smaller = minimise(test, still_covers, checks, self._dress.plain(test), values)
        return smaller, seen[smaller.key()]


def rank(goal: Goal) -> tuple[int, int, int]:
    """In this order goals are given tests."""
    return (WORTH.index(goal.criterion), goal.line, goal.number)


def as_found(archive: Mapping[int, ArchivedTest], goals: Sequence[Goal]) -> list[ReducedTest]:
    """The suite without another run: archived tests as they are, and none that covers nothing of its own."""
    wanted = as_goals(archive)
    chosen: list[ReducedTest] = []
    covered: Goals = 0
    for number in sorted(archive, key=lambda number: rank(goals[number])):
        if not covered >> number & 1:
            ran = archive[number]
            chosen.append(ReducedTest(ran.individual, (goals[number],), ran.covered))
            covered |= ran.covered
    return with_goals(without_redundant(chosen, wanted), wanted, goals)


def with_goals(kept: Sequence[ReducedTest], wanted: Goals, goals: Sequence[Goal]) -> list[ReducedTest]:
    """Each test with the goals that it alone covers, after the one that it was chosen for."""
    told = []
    for one in kept:
        own = one.covered & wanted & ~covered_by(other for other in kept if other is not one)
        first = [one.goals[0]] if one.covered >> one.goals[0].number & 1 else []
        others = sorted((goals[number] for number in numbers(own) if goals[number] not in first), key=rank)
        told.append(one._replace(goals=(*first, *others)))
    return told


def without_redundant(kept: Sequence[ReducedTest], wanted: Goals) -> list[ReducedTest]:
    """Without tests whose goals others cover too; asked from the last to the first, as the first ones are worth most."""
    before: list[Goals] = []
    covered: Goals = 0
    for one in kept:
        before.append(covered)
        covered |= one.covered
    needed: list[ReducedTest] = []
    after: Goals = 0
    for one, earlier in zip(reversed(kept), reversed(before), strict=True):
        if one.covered & wanted & ~(earlier | after):
            needed.append(one)
            after |= one.covered
    return needed[::-1]


def covered_by(kept: Iterable[ReducedTest]) -> Goals:
    """What the suite covers."""
    covered: Goals = 0
    for one in kept:
        covered |= one.covered
    return covered


def _collected(statement: st.Statement) -> st.Statement:
    return statement._replace(mode="list") if isinstance(statement, st.Iterate) and statement.mode == "for" else statement


def effort(test: TestCase) -> int:
    """How much there is to read: characters of values, and something for each statement."""
    values = (statement.value for statement in test.statements if type(statement) is st.Literal)
    return 8 * len(test) + sum(len(repr(value)) for value in values)


def _always() -> bool:
    return True


def _until(seconds_left: Callable[[], float], end: float) -> Callable[[], bool]:
    return lambda: seconds_left() > end


def name_of(statement: st.Call | st.MethodCall) -> str:
    """The name of what is called."""
    return statement.callee.name if isinstance(statement, st.Call) else statement.name
