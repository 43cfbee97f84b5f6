"""The course of a search, for a problem that is a toy."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from crashwright.core.messages import Message, Progress
from crashwright.core.settings import Budget
from crashwright.engine.execution.executor import Spoiled
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.evaluator import Evaluator
from crashwright.engine.sessions.search_run import SearchRun, Setup
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.protocol import Clocks


def test(number: int) -> TestCase:
    return TestCase((Literal(0, number),))


test.__test__ = False  # type: ignore[attr-defined]


class World:
    """A problem, its evaluator, and everything around them: ``story`` says who was asked for what."""

    population_size = 2
    timeouts = 0

    def __init__(self, first: list[TestCase] | None, over_after: int = 99, budget: int = 6) -> None:
        self.story: list[str] = []
        self.first = first
        self.over_after = over_after
        self.arriving: list[list[TestCase]] = []
        self.spoiled = False
        self.observed: dict[Any, Any] = {}
        self.meter = BudgetMeter(Budget(None, budget), lambda: 0.0)
        self.evaluator = cast(Evaluator[int], self)
        clocks = Clocks(lambda: 0.0, lambda: 0.0, lambda: 0.0)
        setup: Any = SimpleNamespace(
            bench=SimpleNamespace(
                clocks=clocks, executor=self, clock=SimpleNamespace(limit=1.0, hung=0.0), channel=self, guard=self
            ),
            meter=self.meter,
            safe=self,
            exchange=self,
            watch=lambda: 0.0,
            foreign=lambda tests: tests,
            scratch="",
        )
        self.run = SearchRun(cast(Setup, setup), self, cast(Factory, self), self, 0)

    def evaluate_all(self, tests: Sequence[TestCase]) -> list[int]:
        for _ in tests:
            self.meter.spend()
        return [cast(int, one.statements[0][1]) for one in tests]

    def begin(self) -> list[TestCase] | None:
        self.story.append("begin")
        return self.first

    def ask(self) -> list[TestCase]:
        if self.spoiled:
            raise Spoiled("spoiled")
        self.story.append("ask")
        return [test(1), test(2)]

    def tell(self, scores: Sequence[int], asked: bool) -> None:
        self.story.append(f"{'asked' if asked else 'told'} {[*scores]}")

    def is_over(self) -> bool:
        return len([one for one in self.story if one.startswith(("asked", "told"))]) >= self.over_after

    def advance(self) -> None:
        self.story.append("advance")

    def worth_keeping(self) -> list[TestCase]:
        return [test(5)]

    def emigrants(self) -> list[TestCase]:
        return []

    def progress(self) -> Progress | None:
        return None

    def finish(self) -> list[Message]:
        self.story.append("finish")
        return []

    # Around it

    observing = False
    pool = SeedPool()

    def observe(self, runs: int) -> None: ...

    def note_wanted(self, on: bool) -> None: ...

    def take_wanted(self) -> list[Any]:
        return []

    def note_answers(self, on: bool) -> None: ...

    def answers(self) -> list[Any]:
        return []

    def take_refusals(self) -> tuple[str, ...]:
        return ()

    def send(self, message: Message) -> None:
        self.story.append(message.text)  # type: ignore[union-attr]

    def due(self, _now: float) -> bool:
        return False

    def keep(self, tests: Sequence[TestCase]) -> None:
        self.story.append(f"keep {len(tests)}")

    def pass_by(self, _evaluations: int, _best: Any) -> list[TestCase]:
        return self.arriving.pop() if self.arriving else []


def test_seeds_come_first_and_the_budget_ends_it() -> None:
    world = World([test(7)], budget=5)
    world.run.run()
    assert world.story == ["begin", "told [7]", "advance", "ask", "asked [1, 2]", "advance", "ask", "asked [1, 2]", "finish"]


def test_without_seeds_the_algorithm_is_asked_at_once() -> None:
    world = World(None, over_after=1)
    world.run.run()
    assert world.story == ["begin", "ask", "asked [1, 2]", "finish"]


def test_what_is_over_before_it_has_begun_is_only_finished() -> None:
    world = World([], over_after=0)
    world.run.run()
    assert world.story == ["begin", "finish"]


def test_guests_are_a_generation_of_their_own() -> None:
    world = World(None, over_after=3)
    world.arriving = [[test(8)]]
    world.run.run()
    assert world.story[1:-1] == ["ask", "asked [1, 2]", "advance", "told [8]", "advance", "ask", "asked [1, 2]"]


def test_a_fork_that_cannot_go_on_keeps_what_there_is() -> None:
    world = World(None)
    world.spoiled = True
    with pytest.raises(Spoiled):
        world.run.run()
    assert world.story == ["begin", "keep 1"]
