"""What the runs of a suite complained of is put where it is looked for, until one of the tests returns."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import stockroom

from crashwright.engine.execution.executor import Executor
from crashwright.engine.goals.coverage.goal import Goal
from crashwright.engine.search.complaints import Complaints
from crashwright.engine.sources import corresponding
from crashwright.engine.sources.corresponding import SuiteAgreeing
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal
from crashwright.engine.testcase.testcase import TestCase

API = ApiModel("stockroom", ["stockroom"])
VALUE_OF = next(one for one in API.functions_in("stockroom") if one.name == "value_of")
LACKING = TestCase(
    (Literal(1, Display("list", ("bolt 3", "bolt 1"))), Literal(2, Display("dict", ())), Call(3, VALUE_OF, Arguments((1, 2))))
)


class SoFar(SimpleNamespace):
    """Runs what it is given. There is one goal: that the function returns."""

    def __init__(self) -> None:
        goals = [Goal(0, "no-exception", "value_of", 1, "")]
        super().__init__(
            ran=0,
            covered=0,
            complaints=Complaints(),
            meter=SimpleNamespace(share=lambda: self.ran / 100),
            factory=Factory(API, SeedPool(), (VALUE_OF,)),
            catalogue=SimpleNamespace(goals=goals, known=0),
        )

    def run(self, test: TestCase) -> None:
        self.ran += 1
        outcome = Executor().run(test)
        self.complaints.hear(test, outcome)
        self.covered |= outcome.error is None


def asked(so_far: SoFar, source: Any = None, run: Callable[[TestCase], None] | None = None) -> list[TestCase]:
    ran = []
    for test in (SuiteAgreeing() if source is None else source).tests(None, so_far, random.Random(1)):
        (so_far.run if run is None else run)(test)
        ran.append(test)
    return ran


def test_tests_are_made_until_one_returns() -> None:
    assert stockroom.value_of(["bolt 3", "bolt 1"], {"bolt": 2}) == 8
    so_far = SoFar()
    so_far.run(LACKING)
    assert so_far.complaints.latest is not None
    ran = asked(so_far)
    assert so_far.complaints.latest is None
    assert so_far.covered
    assert len(ran) < 24


def test_what_has_returned_is_left_alone() -> None:
    so_far = SoFar()
    so_far.run(LACKING)
    so_far.covered = 1
    assert asked(so_far) == []


def test_what_is_not_got_past_is_given_up() -> None:
    so_far = SoFar()
    so_far.run(LACKING)
    assert asked(so_far, run=lambda _test: so_far.run(LACKING))
    so_far.complaints.take()
    so_far.run(LACKING)
    assert asked(so_far) == []


def test_it_has_a_part_of_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corresponding, "PART", 0.02)
    so_far, source = SoFar(), SuiteAgreeing()
    so_far.run(LACKING)
    first = len(asked(so_far, source, lambda _test: setattr(so_far, "ran", so_far.ran + 1)))
    assert first
    so_far.complaints = Complaints()
    so_far.run(LACKING)
    assert asked(so_far, source) == []
