"""Around the best test that enters every frame, steps by record are proposed, once."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.engine.sources.steps import ROUNDS, Steps, StepsFromSuggested
from crashwright.engine.testcase.statements import Display, Literal
from crashwright.engine.testcase.testcase import TestCase

FRAMES = 3


def subject() -> Any:
    """The frame in the middle has no activation of its own in newer Pythons: nobody waits for it."""
    names = ("bill", "bill.<locals>.<listcomp>", "line", "price")
    frames = tuple(TargetFrame(CodeKey("shop", name, 1), "", 2, "", None, True) for name in names)
    return SimpleNamespace(start=SimpleNamespace(target=CrashTarget("shop", "KeyError", "", frames)), said=("ann",))


def so_far(test: TestCase, frames: int, suggested: Sequence[TestCase] = (), level: int = 0) -> Any:
    numbers = itertools.count(100)
    best = SimpleNamespace(test=test, ran=len(test.statements), score=SimpleNamespace(frames=frames, level=level))
    return SimpleNamespace(
        given={"suggested": list(suggested)},
        search=SimpleNamespace(scorer=SimpleNamespace(best=best)),
        seeds=SimpleNamespace(quoted={}),
        factory=SimpleNamespace(new=lambda: next(numbers)),
    )


def rows(*numbers: int) -> TestCase:
    return TestCase((Literal(1, Display("list", numbers)),))


def proposed(source: Steps, state: Any) -> list[TestCase]:
    return list(source.tests(cast(Any, subject()), state, Random(1)))


def test_the_best_test_is_looked_around_once() -> None:
    source, state = Steps(), so_far(rows(1, 2), FRAMES)
    assert rows(1, 1, 2).statements in [test.statements for test in proposed(source, state)]
    assert proposed(source, state) == []


@pytest.mark.parametrize(("level", "changed"), [(0, False), (3, True)])
def test_numbers_change_where_the_exception_is_raised_and_says_something_else(level: int, changed: bool) -> None:
    tests = proposed(Steps(), so_far(TestCase((Literal(1, "2031"),)), FRAMES, level=level))
    assert (Literal(1, "0000") in [one for test in tests for one in test.statements]) is changed


def test_words_of_the_message_are_tried_at_once() -> None:
    tests = proposed(Steps(), so_far(TestCase((Literal(1, "{}"),)), FRAMES))
    assert Literal(1, "{ann}") in [one for test in tests for one in test.statements]


@pytest.mark.parametrize("frames", [0, FRAMES - 1])
def test_a_test_that_does_not_come_so_far_is_not(frames: int) -> None:
    assert proposed(Steps(), so_far(rows(1, 2), frames)) == []


def test_so_many_tests_are_looked_around() -> None:
    source = Steps()
    found = [bool(proposed(source, so_far(rows(number), FRAMES))) for number in range(ROUNDS + 3)]
    assert found == [True] * ROUNDS + [False] * 3


def test_what_somebody_suggested_is_looked_around_however_far_it_comes() -> None:
    test = rows(1, 2)
    assert proposed(StepsFromSuggested(), so_far(test, 0, [test]))
    assert proposed(StepsFromSuggested(), so_far(test, FRAMES)) == []
