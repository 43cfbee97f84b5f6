"""Of many variants of an echoed call those that get furthest are kept, and no more are run than it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from crashwright.engine.goals.crash.block_coverage import Coverage
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.sources.best_variants import BATCH, KEPT, best_variants
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase


class Runner:
    """Scores a test by the number that it holds."""

    def __init__(self, most: int = 10_000) -> None:
        self.ran = 0
        self._most = most

    def __call__(self, tests: list[TestCase]) -> Sequence[Evaluation]:
        tests = tests[: self._most - self.ran]
        self.ran += len(tests)
        return [Evaluation(test, CrashScore(number_in(test), 0, 0, 0)) for test in tests]


def variant(number: float) -> TestCase:
    return TestCase((Literal(0, number),))


def number_in(test: TestCase) -> float:
    [literal] = test.statements
    assert isinstance(literal, Literal)
    assert isinstance(literal.value, float)
    return literal.value


def test_the_best_are_kept_best_first() -> None:
    run = Runner(most=200)
    kept = best_variants((variant(float(1000 - number)) for number in range(500)), run)
    assert run.ran == 200
    assert [number_in(test) for test in kept] == [801.0 + number for number in range(KEPT)]


def test_where_many_are_as_good_it_ends_early() -> None:
    run = Runner()
    assert len(best_variants((variant(1.0) for _ in range(500)), run)) == KEPT
    assert run.ran == 3 * BATCH


def test_it_ends_with_the_crash_and_with_the_budget() -> None:
    run = Runner()
    assert number_in(best_variants((variant(float(number % 30)) for number in range(500)), run)[0]) == 0
    assert run.ran == BATCH
    run = Runner(most=40)
    assert len(best_variants((variant(1.0) for _ in range(500)), run)) == KEPT
    assert run.ran == 40
    assert best_variants([], Runner()) == []


def test_of_those_that_get_equally_far_different_ones_are_kept() -> None:
    run = Runner()

    def scored(tests: list[TestCase]) -> Sequence[Evaluation]:
        return [
            one._replace(score=CrashScore(1.0, 0, 0, 0, coverage=cast(Coverage, number_in(one.test) >= 40))) for one in run(tests)
        ]

    kept = best_variants((variant(float(number + 1)) for number in range(45)), scored)
    assert [number_in(test) for test in kept[:4]] == [1.0, 40.0, 2.0, 41.0]
