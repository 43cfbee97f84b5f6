"""Who is asked when, how long, and what becomes of the tests: with a search in which a test's number is how good it is."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import pytest

from crashwright.core.settings import Budget
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.sources.runner import SourceRun
from crashwright.engine.sources.so_far import SoFar
from crashwright.engine.sources.source import Fate, Share, When
from crashwright.engine.sources.turns import Turns
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase


def numbered(number: int) -> TestCase:
    return TestCase((Literal(0, number),))


def number_of(test: TestCase) -> int:
    statement = test.statements[0]
    assert isinstance(statement, Literal)
    assert isinstance(statement.value, int)
    return statement.value


class Numbers(SoFar[int]):
    """New is what is less than all before. ``log`` has what was done, in order."""

    def __init__(self, budget: int = 1000, deaths: int = 0, over_at: int = -1, forgiven: bool = False) -> None:
        self.log: list[object] = []
        self.told: list[int] = []
        self.planted: list[int] = []
        self._best = math.inf
        self._over_at = over_at
        self.gains = 0
        operators = SimpleNamespace(plant=lambda tests: self.planted.extend(map(number_of, tests)))
        super().__init__(
            cast(Any, None),
            cast(Any, operators),
            BudgetMeter(Budget(None, budget), lambda: 0.0),
            deaths,
            resumes=deaths > 0,
            forgiven=forgiven,
        )

    @property
    def best(self) -> float:
        return self._best

    @property
    def gained(self) -> int:
        return self.gains

    @property
    def is_over(self) -> bool:
        return self._best == self._over_at or super().is_over

    def run(self, tests: Sequence[TestCase], once: bool = True) -> list[int]:
        for _ in tests:
            self.meter.spend()
        numbers = list(map(number_of, tests))
        self.log.append(numbers)
        return numbers

    def tell(self, scores: Sequence[int]) -> None:
        self.told += scores
        self.gains += sum(score < self._best for score in scores)
        self._best = min([self._best, *scores])

    def is_new(self, score: int) -> bool:
        return score <= self._best

    def test_of(self, score: int) -> TestCase:
        return numbered(score)

    def best_of(self, tests: Iterable[TestCase], run: Callable[[list[TestCase]], list[int]]) -> list[TestCase]:
        return list(map(numbered, sorted(run(list(tests)))[:1]))

    def patiently(self) -> AbstractContextManager[None]:
        return nullcontext()

    def warm_up(self, tests: Sequence[TestCase]) -> None:
        self.log.append(f"warm up with {list(map(number_of, tests))}")

    def go_on(self) -> None:
        self.log.append("go on")

    def look_round(self) -> None:
        self.log.append("look round")


class Row(NamedTuple):
    name: str
    when: When
    kept: Fate = Fate.ALL
    share: Share = Share()
    instead_of: str = ""


class Giving:
    """``seen`` has what ``latest`` was whenever the iterator went on."""

    def __init__(self, *numbers: int, endless: bool = False) -> None:
        self.numbers = numbers
        self.endless = endless
        self.drawn: list[float] = []
        self.seen: list[list[int]] = []
        self.asked = 0
        self.closed = 0

    def tests(self, subject: str, so_far: Numbers, rng: Random) -> Iterator[TestCase]:
        assert subject == "subject"
        self.asked += 1
        self.drawn.append(rng.random())
        try:
            for number in itertools.cycle(self.numbers) if self.endless else self.numbers:
                yield numbered(number)
                self.seen.append(list(so_far.latest))
        finally:
            self.closed += 1


def run_of(so_far: Numbers, *sources: tuple[Row, Giving]) -> SourceRun[str, Numbers]:
    return SourceRun(sources, "subject", so_far, Random)


def test_the_first_tests_of_each_run_cold_and_the_others_once_the_subject_is_warm() -> None:
    so_far = Numbers()
    run_of(
        so_far,
        (Row("a", When.COLD, share=Share(cold=1)), Giving(10, 11, 12, 13, 14)),
        (Row("b", When.COLD, Fate.LATER), Giving(*range(20, 26))),
    ).begin()
    warm = "warm up with [10, 11, 12, 13, 20, 21, 22, 23]"
    assert so_far.log[:-2] == [[10], [20], [21], [22], warm, "go on", [11, 12, 13, 14]]
    assert so_far.log[-2] == "look round"


def test_what_was_cold_is_asked_again_and_joins_the_first_generation() -> None:
    so_far = Numbers()
    shown, asked = Giving(1, 2), Giving(5)
    first = run_of(so_far, (Row("shown", When.COLD | When.AHEAD), shown), (Row("asked", When.AHEAD, Fate.LATER), asked)).begin()
    assert [number_of(test) for test in first] == [1, 2, 5]
    assert so_far.told == [1, 2], "what joins the first generation is run there"
    assert shown.asked == 2
    assert so_far.planted == [1, 2, 5]


def test_those_that_bring_better_ones_take_the_place_of_others() -> None:
    echoed, variants = Giving(8, 9), Giving(7, 3, 5)
    rows = (Row("echoed", When.COLD | When.AHEAD), echoed), (Row("variants", When.AHEAD, Fate.BEST, instead_of="echoed"), variants)
    so_far = Numbers()
    assert [number_of(test) for test in run_of(so_far, *rows).begin()] == [3]
    assert so_far.told == [8, 9], "of many variants none competes before the first generation"


def test_of_samples_those_that_are_new_compete_until_none_is_for_long() -> None:
    so_far = Numbers()
    samples = Giving(9, 12, 4, *[30] * 100)
    row = Row("samples", When.AHEAD, Fate.NEW, Share(fruitless=6, at_once=3))
    assert run_of(so_far, (row, samples)).begin() == []
    assert so_far.told == [9, 12, 4]
    assert so_far.planted == [9, 12, 4]
    assert so_far.meter.evaluations == 9
    assert samples.closed == 1


def test_a_share_bounds_an_endless_source() -> None:
    by_tests, by_part = Giving(5, endless=True), Giving(6, endless=True)
    so_far = Numbers(budget=1000)
    run_of(
        so_far,
        (Row("tests", When.AHEAD, share=Share(tests=30, at_once=10)), by_tests),
        (Row("part", When.AHEAD, share=Share(part=0.1, at_once=10)), by_part),
    ).begin()
    assert so_far.told.count(5) == 30
    assert 100 <= so_far.told.count(6) <= 110


def test_a_source_sees_what_became_of_its_tests() -> None:
    source = Giving(3, 2, 1)
    run_of(Numbers(), (Row("a", When.AHEAD, share=Share(at_once=1)), source)).begin()
    assert source.seen == [[3], [2], [1]]


def test_a_standstill_has_to_last_longer_each_time() -> None:
    source = Giving(50)
    so_far = Numbers(budget=10_000)
    run = run_of(so_far, (Row("a", When.STANDSTILL, share=Share(after=10)), source))
    run.begin()
    run.between()
    assert source.asked == 0, "nothing has been run yet"
    so_far.tell([40])
    asked_at = []
    for _ in range(100):
        so_far.meter.spend()
        before = source.asked
        run.between()
        if source.asked > before:
            asked_at.append(so_far.meter.evaluations)
    assert [later - earlier for earlier, later in itertools.pairwise(asked_at)] == [21, 41]


def test_with_no_longer_patience_it_is_asked_at_every_generation_until_something_better_comes() -> None:
    source = Giving(50)
    so_far = Numbers(budget=10_000)
    run = run_of(so_far, (Row("a", When.STANDSTILL, share=Share(after=5, longer=0)), source))
    so_far.tell([40])
    for _ in range(8):
        so_far.meter.spend()
        run.between()
    assert source.asked == 3
    so_far.tell([30])
    run.between()
    assert source.asked == 3


def test_the_end_of_the_search_ends_everything() -> None:
    later = Giving(1)
    so_far = Numbers(over_at=7)
    assert run_of(so_far, (Row("a", When.COLD), Giving(7, 8)), (Row("b", When.COLD | When.AHEAD), later)).begin() == []
    assert so_far.log == [[7]]
    assert later.asked == 0


def test_where_forks_died_nothing_is_tried_ahead_but_what_somebody_knows() -> None:
    samples, known = Giving(1), Giving(2)
    so_far = Numbers(deaths=2)
    assert run_of(so_far, (Row("known", When.COLD | When.AHEAD), known), (Row("samples", When.AHEAD), samples)).begin() == []
    assert samples.asked == 0
    assert known.asked == 2


def test_one_more_source_leaves_the_draws_of_the_others_alone() -> None:
    alone, beside = Giving(1), Giving(1)
    run_of(Numbers(), (Row("a", When.AHEAD), alone)).begin()
    run_of(Numbers(), (Row("new", When.AHEAD), Giving(3)), (Row("a", When.AHEAD), beside)).begin()
    assert alone.drawn == beside.drawn


def test_what_is_better_may_become_something_else() -> None:
    source = Giving(50)
    so_far = Numbers()
    run = run_of(so_far, (Row("a", When.STANDSTILL, share=Share(after=3)), source))
    so_far.tell([40])
    for _ in range(3):
        so_far.meter.spend()
    run.begin_anew()
    run.between()
    assert source.asked == 0, "what it stands still at is not known yet"
    assert so_far.anew == 1


def test_a_source_that_earns_nothing_has_fewer_turns_where_shares_are_earned() -> None:
    lazy, fixed, all_turns = Giving(50), Giving(50), Giving(50)
    so_far = Numbers(budget=100_000)
    earning = Share(earned=True)
    rows = [(Row("lazy", When.BETWEEN, share=earning), lazy), (Row("all", When.BETWEEN), all_turns)]
    run = SourceRun(rows, "subject", so_far, Random, earned=True)
    for generation in range(200):
        so_far.tell([40 - generation / 10])  # the search itself gets on all the time
        so_far.meter.spend()
        run.between()
    other = Numbers(budget=100_000)
    without = SourceRun([(Row("lazy", When.BETWEEN, share=earning), fixed)], "subject", other, Random)
    for _ in range(200):
        without.between()
    assert fixed.asked == all_turns.asked == 200
    assert 40 <= lazy.asked < 150


def test_a_source_that_earns_comes_sooner_at_a_standstill() -> None:
    turns = Turns(["a", "b"])
    turns.settle("a", 10, 5)
    turns.settle("b", 20, 5)
    turns.settle("another", 30, 9)
    assert turns.times("a") > 1.0 > turns.times("b")
    assert turns.times("another") == 1.0
    assert turns.has_one("another")


@pytest.mark.parametrize(("deaths", "forgiven", "early"), [(0, False, True), (2, False, False), (2, True, True)])
def test_what_is_tried_ahead_is_tried_again_if_nothing_ends_an_engine_for_the_same_reason(
    deaths: int, forgiven: bool, early: bool
) -> None:
    assert Numbers(deaths=deaths, forgiven=forgiven).is_early is early
    late = Numbers(budget=10, deaths=deaths, forgiven=forgiven)
    for _ in range(6):
        late.meter.spend()
    assert not late.is_early
