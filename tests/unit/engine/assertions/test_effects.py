"""What a call did is what does not hold without it, and one assertion that tells of it stays."""

from __future__ import annotations

import collections

import pytest

from crashwright.engine.assertions.assertion import Assertion, Observed
from crashwright.engine.assertions.cases import Case
from crashwright.engine.assertions.checking import Checker
from crashwright.engine.assertions.effects import Effects
from crashwright.engine.assertions.selection import choose
from crashwright.engine.assertions.values import Present, ValueNames
from crashwright.engine.execution.executor import Executor
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Call, Literal, MethodCall, Statement
from crashwright.engine.testcase.testcase import TestCase

DEQUE = Callee("collections", "deque", CalleeKind.CLASS, live=collections.deque)
MADE: tuple[Statement, ...] = (Call(0, DEQUE, Arguments()), Literal(1, "bolt"), Literal(2, "nut"))
PUT_BOLT, PUT_NUT = MethodCall(3, 0, "append", Arguments((1,))), MethodCall(4, 0, "append", Arguments((2,)))
COUNT = MethodCall(5, 0, "count", Arguments((1,)))
TEST = TestCase((*MADE, PUT_BOLT, PUT_NUT, COUNT))
LENGTH = Assertion(5, Observed(0, ("len",)), "equals", 2)
COUNTED = Assertion(5, Observed(5), "equals", 1)
KIND = Assertion(5, Observed(0, ("type",)), "equals", "deque")


@pytest.fixture
def effects() -> Effects:
    checker = Checker(Executor(), ValueNames(lambda _value: None), Present("/nowhere", 1_750_000_000.0))
    return Effects(checker, frozenset())


def test_what_does_not_hold_without_a_call_is_its_effect(effects: Effects) -> None:
    case = Case(0, TEST, (LENGTH, COUNTED, KIND), executed=6)
    assert effects.of(case) == {3: [0, 1], 4: [0], 5: [1]}


def test_a_call_that_changes_nothing_has_none(effects: Effects) -> None:
    reads = TestCase((*MADE, MethodCall(3, 0, "count", Arguments((1,))), PUT_NUT))
    length = Assertion(4, Observed(0, ("len",)), "equals", 1)
    assert effects.of(Case(0, reads, (length,), executed=5)) == {4: [0]}


def test_one_assertion_tells_of_each_call() -> None:
    tests = {0: (TEST, (LENGTH, COUNTED, KIND))}
    kills = {7: {0: [2]}}
    assert choose(tests, kills, {0: 0}, {0: [[0, 1], [0], [1]]})[0] == [0, 1, 2]
    assert choose(tests, {7: {0: [0]}}, {0: 0}, {0: [[0, 1], [0]]})[0][:1] == [0]
