"""What a found test goes through: wrong types do not take the place of right ones, and no pass goes on when its time is over."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from hand_clock import Clock

from crashwright.core.settings import Budget
from crashwright.engine.goals.crash.score import CrashScore
from crashwright.engine.passes.choices import LEGAL_RUNS
from crashwright.engine.passes.evidence import ValueEvidence
from crashwright.engine.passes.finishing import SECONDS, Finishing
from crashwright.engine.passes.ordinary import Ordinary
from crashwright.engine.search.after_crash import Seen
from crashwright.engine.search.behaviour import COMPLETED
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase

CRASH = CrashScore(0.0, 4, 1, 1)
PASSES = CrashScore(1.0, 0, 0, 0)


@dataclass
class Types:
    """Says how odd the values are by a table; changes nothing."""

    odd: Callable[[TestCase], Mapping[tuple[str, str], int]]

    def of_other_types(self, test: TestCase) -> Mapping[tuple[str, str], int]:
        return self.odd(test)

    def made_of(self, test: TestCase, _good: object, _goes_on: object) -> TestCase:
        return test


@dataclass
class World:
    """Each run takes ``cost`` seconds, and crashes if ``crashes`` says so."""

    crashes: Callable[[TestCase], bool] = lambda _test: True
    cost: float = 0.0
    budget: Budget = field(default_factory=lambda: Budget(60.0))
    clock: Clock = field(default_factory=Clock)
    runs: int = 0

    def measure(self, test: TestCase) -> CrashScore:
        self.runs += 1
        self.clock.now += self.cost
        return CRASH if self.crashes(test) else PASSES

    def see(self, test: TestCase) -> Seen:
        return Seen(COMPLETED, not self.crashes(test))

    def mutate(self, individual: TestCase, rng: random.Random) -> TestCase:
        return TestCase((*individual.statements[:-1], Literal(individual.statements[-1][0], rng.randrange(10**9))))

    def finished(self, test: TestCase, clues: ValueEvidence | None = None) -> list[TestCase]:
        meter = BudgetMeter(self.budget, self.clock)
        finishing = Finishing(self.measure, self, clues or ValueEvidence(), meter, random.Random(1), self.see)
        return [one.test for one in finishing.made_of(Evaluation(test, CRASH))]


def numbers(*values: object) -> TestCase:
    return TestCase(tuple(Literal(place, value) for place, value in enumerate(values)))  # type: ignore[arg-type]


def values_of(test: TestCase) -> list[object]:
    return [one.value for one in test.statements if isinstance(one, Literal)]


def test_a_wrong_type_in_one_place_does_not_pay_for_a_right_one_in_another() -> None:
    def odd(test: TestCase) -> Mapping[tuple[str, str], int]:
        return {("f", str(one[0])): 8 for one in test.statements if one[1] == 0}

    world = World(lambda test: len(test) == 2 and 0 in values_of(test))
    found = world.finished(numbers(0, 70), ValueEvidence(ordinary=cast(Ordinary, Types(odd))))
    assert values_of(found[-1]) == [0, 1]
    assert values_of(World(world.crashes).finished(numbers(0, 70))[-1]) == [0, 0]


def test_looking_for_a_legal_variant_has_an_end_by_runs_and_by_the_clock() -> None:
    start = numbers(-1)
    clues = ValueEvidence(is_legal=lambda test: test is not start)

    def crashes(test: TestCase) -> bool:
        return test == start

    world = World(crashes, budget=Budget(None, 10_000))
    assert world.finished(start, clues) == []
    assert LEGAL_RUNS < world.runs < 2 * LEGAL_RUNS
    slow = World(crashes, cost=0.1)
    slow.finished(start, clues)
    assert slow.runs < SECONDS / slow.cost + 10


def test_where_runs_are_slow_a_smaller_test_is_told_before_the_time_is_over() -> None:
    world = World(lambda test: 5 in values_of(test), cost=0.2)
    found = world.finished(numbers(*range(12)))
    assert len(found[0]) < 12
    assert world.clock.now < SECONDS + 1
    quick = World(world.crashes)
    assert [values_of(one) for one in quick.finished(numbers(*range(12)))] == [[5]]


def test_dates_and_amounts_as_people_write_them_where_the_crash_stays() -> None:
    def standard(test: TestCase, good: Callable[[TestCase], bool]) -> TestCase:
        return next(filter(good, [numbers(2024), numbers(7)]), test)

    world = World(lambda test: values_of(test) != [2024])
    assert values_of(world.finished(numbers(1), ValueEvidence(standard=standard))[-1]) == [7]


def test_a_test_that_was_scored_before_the_calls_of_the_report_were_known_is_made_smaller() -> None:
    @dataclass
    class Unlike(World):
        def measure(self, test: TestCase) -> CrashScore:
            return super().measure(test)._replace(fitness=0.0002)

    world = Unlike(lambda test: 5 in values_of(test))
    assert values_of(world.finished(numbers(*range(12)))[-1]) == [5]


def test_a_test_that_does_not_repeat_is_left_alone() -> None:
    assert World(lambda _test: False).finished(numbers(1, 2)) == []
