"""Mutants that a suite leaves alive are aimed at: tests that tell one are offered, small, and each mutant once."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from crashwright.core.location import CodeKey
from crashwright.engine.assertions.cases import Case
from crashwright.engine.execution.executor import Spoiled
from crashwright.engine.search.suite.problem import Ran
from crashwright.engine.search.suite.reduction import AsTheyAre, ReducedTest
from crashwright.engine.sessions.suite_survivors import Survivors
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.subject.mutants.clues import Clue
from crashwright.engine.testcase.statements import Arguments, Call, Literal, Value
from crashwright.engine.testcase.testcase import TestCase

PRICE = Callee("shop", "price", CalleeKind.FUNCTION)
BOUNDARIES: Mapping[int, int] = {0: 10, 1: 20, 2: 7}
"""A test tells such a mutant by giving this number."""


def pricing(amount: Value, *more: Value) -> TestCase:
    literals = [Literal(number, value) for number, value in enumerate((amount, *more))]
    return TestCase((*literals, Call(99, PRICE, Arguments((0,)))))


def kept(test: TestCase) -> ReducedTest:
    goal: Any = CodeKey("shop", "price", 1)
    return ReducedTest(test, (goal,), 1)


class Noticing:
    """Every test runs line 1, where the mutants 0 and 1 are; nothing runs that of 2. ``runs`` before it is spoiled."""

    def __init__(self, runs: int = 10_000, clues: Mapping[int, Clue] = MappingProxyType({})) -> None:
        self.runs = runs
        self.clues = clues

    def seen(self, test: TestCase) -> Case | None:
        self.runs -= 1
        if self.runs < 0:
            raise Spoiled("something was left behind")
        return Case(0, test, executed=len(test))

    def alive(self, cases: Sequence[Case], over: Callable[[], bool]) -> dict[int, Collection[int]]:
        for case in cases:
            case.lines = frozenset((1,))
        told = {one for case in cases for one in self.told(case, BOUNDARIES)}
        return {} if over() else {number: range(1 + number // 2, 2 + number // 2) for number in BOUNDARIES if number not in told}

    def told(self, case: Case, numbers: Iterable[int]) -> frozenset[int]:
        first, last = case.test.statements[0], case.test.statements[-1]
        amount = first.value if isinstance(first, Literal) and isinstance(last, Call) else None
        return frozenset(one for one in numbers if amount == BOUNDARIES[one])

    def lines_of(self, case: Case) -> frozenset[int]:
        return frozenset((1,))

    def gaps(self, test: TestCase, like: Case) -> Mapping[int, Sequence[tuple[float, ...]]]:
        """The amount is compared with 100."""
        first = test.statements[0]
        return {1: [(float(first.value) - 100,)]} if isinstance(first, Literal) and type(first.value) is int else {}

    def clue(self, number: int) -> Clue:
        return self.clues.get(number, Clue())


class Measuring:
    def measure(self, test: TestCase) -> Any:
        return Ran(test, None, 1, len(test))


class Counting:
    """Each mutation gives the next number, and something that nobody needs."""

    def __init__(self) -> None:
        self.number = 0

    def mutate(self, individual: TestCase, rng: Random) -> TestCase:
        self.number += 1
        return pricing(self.number, "beside the point")


def found(*tests: TestCase, most: int | None = 200, notice: Noticing | None = None, left: float = math.inf) -> list[ReducedTest]:
    fresh = iter(range(1000, 100_000)).__next__
    survivors = Survivors(notice or Noticing(), Measuring(), Counting(), AsTheyAre(), fresh, Random(1), lambda: left)
    return list(survivors.tests([kept(one) for one in tests], most))


def amounts(tests: Sequence[ReducedTest]) -> list[Value]:
    return [one.value for kept in tests for one in kept.test.statements if isinstance(one, Literal)]


def test_each_mutant_that_is_alive_gets_a_small_test() -> None:
    tests = found(pricing(1))
    assert amounts(tests) == [10, 20]
    assert all(one.goals == kept(pricing(1)).goals for one in tests)


def test_what_the_suite_tells_already_is_no_goal() -> None:
    assert amounts(found(pricing(10))) == [20]


@pytest.mark.parametrize("most", [0, 5])
def test_only_so_many_are_tried(most: int) -> None:
    assert found(pricing(1), most=most) == []


def test_nothing_is_run_when_the_time_is_up() -> None:
    notice = Noticing()
    assert found(pricing(1), notice=notice, left=0.0) == []
    assert notice.runs == Noticing().runs


def test_what_was_found_before_nothing_can_be_run_any_more_is_kept() -> None:
    assert amounts(found(pricing(1), notice=Noticing(24))) == [10]


def test_the_value_that_is_read_where_the_mutant_is_comes_before_chance() -> None:
    notice = Noticing(clues={1: Clue(numbers=(19,), compares=True)})
    assert amounts(found(pricing(1), most=12, notice=notice)) == [20]


def test_what_was_made_for_one_mutant_is_tried_for_the_next_one() -> None:
    notice = Noticing(clues={number: Clue(numbers=(19,), compares=True) for number in BOUNDARIES})
    assert amounts(found(pricing(1), most=12, notice=notice)) == [20]


def test_stories_that_were_told_come_first() -> None:
    fresh = iter(range(1000, 100_000)).__next__
    stories = [pricing(20)]
    survivors = Survivors(Noticing(), Measuring(), Counting(), AsTheyAre(), fresh, Random(1), stories=stories)
    assert amounts(list(survivors.tests([kept(pricing(1))], 1))) == [20]


def test_what_is_not_found_for_long_is_not_looked_for_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crashwright.engine.sessions.suite_survivors.QUIET", 60)
    assert amounts(found(pricing(1), most=None)) == [10, 20]
    monkeypatch.setattr("crashwright.engine.sessions.suite_survivors.QUIET", 2)
    assert amounts(found(pricing(1), most=None, notice=Noticing())) == []


def test_a_suite_is_offered_a_bounded_number_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crashwright.engine.sessions.suite_survivors.LEAST_OFFERED", 1)
    assert amounts(found(pricing(1))) == [10]
