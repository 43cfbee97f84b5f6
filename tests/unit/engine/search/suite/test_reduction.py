"""The reduction of an archive to a suite, with a subject of sets: a test covers what its statements say."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from crashwright.engine.goals.coverage.goal import Goal, as_goals
from crashwright.engine.search.suite.problem import Ran
from crashwright.engine.search.suite.reduction import ReducedTest, Reduction, as_found, covered_by, without_redundant
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Call, Literal, Value
from crashwright.engine.testcase.testcase import TestCase


def callee(name: str) -> Callee:
    return Callee("shop", name, CalleeKind.FUNCTION)


def calls(*cases: tuple[str, Value]) -> TestCase:
    """Each function called with a value of its own."""
    statements: list[Any] = []
    for place, (name, value) in enumerate(cases):
        statements += [Literal(2 * place, value), Call(2 * place + 1, callee(name), Arguments((2 * place,)))]
    return TestCase(tuple(statements))


class Evaluator:
    """``rules`` say by goal what the last value that a function is called with must be like."""

    def __init__(self, rules: dict[int, tuple[str, Callable[[Any], bool]]]) -> None:
        self.rules = rules
        self.runs = 0

    def measure(self, test: TestCase) -> Ran[TestCase, None]:
        self.runs += 1
        values = {one.variable: one.value for one in test.statements if isinstance(one, Literal)}
        passed = [
            (one.callee.name, values[one.arguments.positional[0]])
            for one in test.statements
            if isinstance(one, Call) and one.arguments.positional
        ]
        met = (
            number for number, (name, rule) in self.rules.items() if any(name == called and rule(value) for called, value in passed)
        )
        return Ran(test, None, as_goals(met), len(test), False)


def goals(*criteria: str) -> list[Goal]:
    return [Goal(number, criterion, "f", number + 1, f"{criterion} {number}") for number, criterion in enumerate(criteria)]


def reduce(
    evaluator: Evaluator, known: list[Goal], archive: dict[int, TestCase], seconds: Callable[[], float]
) -> list[ReducedTest]:
    found = {number: evaluator.measure(test) for number, test in archive.items()}
    return Reduction(evaluator, known, seconds).run(found)  # type: ignore[arg-type]


def shown(test: TestCase) -> list[Value]:
    """Its values, and the functions that it calls."""
    return [
        one.value if isinstance(one, Literal) else one.callee.name for one in test.statements if isinstance(one, Literal | Call)
    ]


LONG = "x" * 300 + "(7" + "y" * 300


def test_tests_become_small_and_none_is_redundant() -> None:
    evaluator = Evaluator({0: ("f", lambda value: "(" in value), 1: ("f", lambda value: True), 2: ("g", lambda value: value == "")})
    archive = {0: calls(("g", "zz"), ("f", LONG), ("g", "")), 1: calls(("f", "qqq")), 2: calls(("f", "other"), ("g", ""))}
    kept = reduce(evaluator, goals("branch", "line", "weak-mutation"), archive, lambda: math.inf)
    assert [shown(one.test) for one in kept] == [["(", "f"], ["", "g"]]
    assert [[goal.number for goal in one.goals] for one in kept] == [[0, 1], [2]]


def test_time_is_up_from_the_start() -> None:
    """Each test is still cut down to what its goal needs, and nothing is lost."""
    evaluator = Evaluator({0: ("f", lambda value: "(" in value), 1: ("g", lambda value: value != "")})
    archive = {0: calls(("g", ""), ("f", LONG), ("g", "a")), 1: calls(("f", "a"), ("g", "bb"))}
    kept = reduce(evaluator, goals("branch", "branch"), archive, lambda: 0.0)
    assert covered_by(kept) == 0b11
    assert [shown(one.test) for one in kept] == [[LONG, "f"], ["bb", "g"]]
    assert evaluator.runs < 15


@pytest.mark.parametrize("seconds", [0.0, math.inf])
def test_goals_that_are_no_longer_covered_are_given_up(seconds: float) -> None:
    evaluator = Evaluator({0: ("f", lambda value: True)})
    archive = {0: calls(("f", ""))}
    found = {number: evaluator.measure(test) for number, test in archive.items()}
    evaluator.rules.clear()
    assert Reduction(evaluator, goals("branch"), lambda: seconds).run(found) == []  # type: ignore[arg-type]


def test_redundant_tests_go_from_the_last_one_on() -> None:
    goal = (goals("branch")[0],)
    one, two, three = (ReducedTest(TestCase(()), goal, covered) for covered in (0b011, 0b110, 0b101))
    assert without_redundant([one, two, three], 0b111) == [one, two]
    assert without_redundant([one, two, three], 0b001) == [one]


def test_what_there_is_makes_a_suite_without_another_run() -> None:
    known = goals("branch", "branch", "line", "weak-mutation")
    evaluator = Evaluator({0: ("f", lambda x: x > 0), 1: ("f", lambda x: x > 9), 2: ("g", bool), 3: ("f", lambda x: x > 1)})
    archive = {0: calls(("f", 1)), 1: calls(("f", 10)), 2: calls(("g", 1)), 3: calls(("f", 2))}
    found = {number: evaluator.measure(test) for number, test in archive.items()}
    before = evaluator.runs
    kept = as_found(found, known)  # type: ignore[arg-type]
    assert evaluator.runs == before
    assert [one.test for one in kept] == [archive[1], archive[2]]  # f(1) and f(2) cover nothing that f(10) does not
    assert [[goal.number for goal in one.goals] for one in kept] == [[1, 0, 3], [2]]
