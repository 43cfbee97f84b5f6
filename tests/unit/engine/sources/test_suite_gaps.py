"""Tests of the archive are changed until what the module compares is equal."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import tollgate

from crashwright.engine.execution.executor import Executor
from crashwright.engine.sources.suite_gaps import SuiteGaps
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Literal, Value
from crashwright.engine.testcase.testcase import TestCase

API = ApiModel("tollgate", ["tollgate"])
SUBJECT: Any = SimpleNamespace(start=SimpleNamespace(target=SimpleNamespace(module="tollgate")))


def calling(name: str, *values: Value) -> TestCase:
    callee = next(one for one in API.functions_in("tollgate") if one.name == name)
    literals = [Literal(number, value) for number, value in enumerate(values)]
    return TestCase((*literals, Call(99, callee, Arguments(tuple(range(len(values)))))))


def so_far(*archived: TestCase, runs: int = 1000) -> Any:
    executor = Executor()
    left = [runs]

    def run_aside(test: TestCase) -> object:
        left[0] -= 1
        return executor.run_aside(test)

    class SoFar(SimpleNamespace):
        @property
        def is_spent(self) -> bool:
            return left[0] <= 0

    bench = SimpleNamespace(executor=SimpleNamespace(run_aside=run_aside), guard=SimpleNamespace(redefined=[]))
    return SoFar(
        archived=archived,
        quarantine=SimpleNamespace(holds=lambda _: False),
        bench=bench,
        factory=Factory(API, SeedPool(), ()),
        left=left,
    )


def values_of(tests: list[TestCase]) -> list[tuple[object, ...]]:
    return [tuple(one.value for one in test.statements if isinstance(one, Literal)) for test in tests]


def test_what_is_reckoned_is_brought_to_its_limit_by_each_number() -> None:
    found = values_of([*SuiteGaps().tests(SUBJECT, so_far(calling("toll", 3, 5)), random.Random(1))])
    tolls = {cars * 25 + tons * 7 for cars, tons in found if isinstance(cars, int) and isinstance(tons, int)}
    assert any(one > tollgate.FREE_FROM for one in tolls)
    assert any(one <= tollgate.FREE_FROM for one in tolls)
    assert {cars for cars, _ in found} > {3}
    assert {tons for _, tons in found} > {5}


def test_numbers_within_texts_count() -> None:
    found = values_of([*SuiteGaps().tests(SUBJECT, so_far(calling("spread", "10-12")), random.Random(1))])
    assert {("10-100",), ("10-101",), ("10-99",)} <= {*found}


def test_a_comparison_that_has_shown_everything_is_left_alone() -> None:
    tests = [calling("spread", text) for text in ("10-100", "10-12", "10-200")]
    source, state = SuiteGaps(), so_far(*tests)
    first = [*source.tests(SUBJECT, state, random.Random(1))]
    again = so_far(*tests, calling("spread", "1-300"))
    assert [*source.tests(SUBJECT, again, random.Random(1))] == []
    assert len(first) < 20


def test_the_module_runs_its_own_code_afterwards_and_nothing_is_run_once_the_share_is_spent() -> None:
    code = tollgate.toll.__code__
    state = so_far(calling("toll", 3, 5), runs=0)
    assert [*SuiteGaps().tests(SUBJECT, state, random.Random(1))] == []
    assert state.left == [0]
    assert [*SuiteGaps().tests(SUBJECT, so_far(calling("toll", 3, 5)), random.Random(1))]
    assert tollgate.toll.__code__ is code
