"""A stage that changes what decisions are about, with a search whose tests have one value each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from lone_stage import LoneStage

from crashwright.core.portions import OPERANDS_FRUITLESS, OPERANDS_PART
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.instrument.operand_log.changes import AskedDecision, ChangeKind, WantedChange
from crashwright.engine.sources.carrying.arrivals import Spot
from crashwright.engine.sources.operand_stage import Gain, OperandStage
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase

CHAIN = (3, 700, "north", None, 12)
"""Each of these is compared with the value that the one before led to."""


def with_value(value: object) -> TestCase:
    return TestCase((Literal(1, cast(Any, value)), Literal(2, 0)))


def value_of(test: TestCase) -> object:
    return cast(Literal, test.statements[0]).value


class Listening:
    """In the place of ``OperandProbes``: the value at which the chain is, and what comes after it."""

    def __init__(self) -> None:
        self.test = TestCase(())

    def asked(self, run: Callable[[], object], variables: object) -> list[AskedDecision]:
        run()
        value = value_of(self.test)
        place = CHAIN.index(value) + 1 if value in CHAIN else 0
        decisions = [AskedDecision(number, True, WantedChange((Spot(1),), ChangeKind.VALUE, value)) for number in range(place)]
        following = CHAIN[place] if place < len(CHAIN) else 1000
        return [*decisions, AskedDecision(place, False, WantedChange((Spot(1),), ChangeKind.VALUE, following))]


class State(LoneStage[TestCase]):
    def __init__(self, budget: int) -> None:
        numbers = count(100)
        super().__init__(budget, SimpleNamespace(new=lambda: next(numbers), has_room=lambda _statements: True))
        self.ran: list[object] = []

    def run(self, tests: Sequence[TestCase], once: bool = True) -> list[TestCase]:
        self.meter.spend()
        self.ran.append(value_of(tests[0]))
        return [tests[0]]


class Stage(OperandStage[TestCase]):
    def _looked_at(self, score: TestCase) -> Gain:
        return Gain(False, 1.0)


def staged(state: State, barred: Sequence[object] = ()) -> Stage:
    listening = Listening()

    def run_aside(test: TestCase) -> Any:
        listening.test = test
        return Outcome(1)

    executor = SimpleNamespace(run_aside=run_aside, variables={})
    quarantine = SimpleNamespace(holds=lambda test: value_of(test) in barred)
    bench = cast(Any, SimpleNamespace(executor=executor))
    return Stage(cast(Any, listening), state, bench, cast(Any, quarantine), Random(0))


def test_a_decision_that_comes_out_otherwise_leads_on() -> None:
    state = State(100)
    stage = staged(state)
    stage.take_up([with_value(0)], 1.0)
    stage.advance()
    assert state.ran == [*CHAIN, 1000]


def test_no_test_is_made_twice() -> None:
    state = State(100)
    stage = staged(state)
    stage.take_up([with_value(0), with_value(3), with_value(0)], 1.0)
    stage.advance()
    assert len(state.ran) == len(set(map(repr, state.ran)))


def test_what_may_not_be_run_is_not_looked_at() -> None:
    state = State(100)
    stage = staged(state, [700])
    stage.take_up([with_value(0)], 1.0)
    stage.advance()
    assert state.ran == [3, 700]


def test_it_ends_with_the_budget() -> None:
    state = State(2)
    stage = staged(state)
    stage.take_up([with_value(0)], 1.0)
    stage.advance()
    assert len(state.ran) == 2


def test_it_gives_up_where_nothing_comes_of_it() -> None:
    class Endless(Stage):
        def _asked(self, test: TestCase) -> list[AskedDecision]:
            return [AskedDecision(place, True, WantedChange((Spot(1),), ChangeKind.VALUE, place)) for place in range(2000)]

    state = State(5000)
    made = staged(state)
    stage = Endless(made._probes, state, cast(Any, SimpleNamespace(executor=made._executor)), made._quarantine, Random(0))
    for value in ("a", "b", "c", "d", "e", "f"):
        stage.take_up([with_value(value)], 1.0)
    stage.advance()
    assert OPERANDS_FRUITLESS <= len(state.ran) <= OPERANDS_FRUITLESS / (1 - OPERANDS_PART) + 2
