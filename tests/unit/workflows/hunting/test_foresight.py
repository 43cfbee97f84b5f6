"""What is found beside the search goes to the engines: at their start, or when it comes; and nothing that goes wrong ends a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hand_clock import Clock
from shelf_crash import TARGET
from terms_by_hand import attribute, given, is_a, needs

from crashwright.core.messages import Insight
from crashwright.core.precondition import Precondition, WrittenPreconditions, written
from crashwright.core.settings import Budget
from crashwright.symbolic.composition.composition_job import ComposedTest, Order
from crashwright.workflows.hunting.foresight import EXACT_SECONDS, FIRST_NEWS, NOTHING, Foresight, Knowledge, foresight_of

ONE, OTHER = needs(is_a(given("self"), "m:A")), needs(is_a(attribute(given("self"), "x"), "m:B"))


@dataclass
class Walk:
    coming: list[Precondition | ComposedTest] = field(default_factory=list)
    is_over: bool = False
    problem: str = ""
    stopped: int = 0

    def poll(self) -> Iterator[Precondition | ComposedTest]:
        while self.coming:
            yield self.coming.pop(0)

    found = poll

    def stop(self) -> None:
        self.stopped += 1


def test_what_is_there_goes_with_the_start_and_the_rest_follows_at_the_end() -> None:
    walk, clock = Walk([ONE]), Clock()
    foresight = Foresight(walk, clock)
    assert foresight.at_start() == Knowledge(WrittenPreconditions(), more=True)
    assert foresight.news() is None
    walk.is_over = True
    assert foresight.news() == Insight(written([ONE]))
    assert (walk.stopped, foresight.news()) == (1, None)
    assert foresight.at_start() == Knowledge(written([ONE]))


def test_a_long_walk_is_heard_of_now_and_then() -> None:
    walk, clock = Walk([ONE]), Clock()
    foresight = Foresight(walk, clock)
    assert foresight.news() is None
    clock.now += FIRST_NEWS
    assert foresight.news() == Insight(written([ONE]))
    walk.coming.append(OTHER)
    clock.now += FIRST_NEWS
    assert foresight.news() is None
    clock.now += FIRST_NEWS
    assert foresight.news() == Insight(written([ONE, OTHER]))
    clock.now += 100
    assert foresight.news() is None


def test_what_searches_alone_has_all_of_it_at_the_start() -> None:
    walk = Walk([ONE, OTHER])
    foresight = Foresight(walk, Clock(), waits=True)
    assert foresight.at_start() == Knowledge(written([ONE, OTHER]))
    assert (walk.stopped, foresight.news()) == (1, None)


def test_an_exact_run_has_all_of_it_at_once_whenever_it_is_over() -> None:
    walk, clock = Walk([ONE]), Clock()
    foresight = Foresight(walk, clock, exact=True)
    assert foresight.at_start() == Knowledge(WrittenPreconditions(), more=True)
    clock.now += 10 * FIRST_NEWS
    assert foresight.news() is None
    walk.coming.append(OTHER)
    walk.is_over = True
    assert foresight.news() == Insight(written([ONE, OTHER]))
    assert (walk.stopped, foresight.news()) == (1, None)


def test_an_exact_run_hears_of_it_though_there_is_nothing() -> None:
    foresight = Foresight(Walk(is_over=True), Clock(), exact=True)
    assert foresight.at_start().more
    assert foresight.news() == Insight(WrittenPreconditions())


def test_the_second_engine_of_an_exact_run_waits_for_the_end() -> None:
    walk = Walk([ONE])
    foresight = Foresight(walk, Clock(), exact=True)
    assert foresight.at_start().more
    assert foresight.at_start() == Knowledge(written([ONE]))
    assert walk.stopped == 1


def test_a_walk_that_fails_is_one_line() -> None:
    walk = Walk([ONE], is_over=True, problem="No module named 'z3'")
    foresight = Foresight(walk, Clock())
    assert foresight.news() == Insight(written([ONE]))
    assert foresight.problem == "No module named 'z3'"


@pytest.mark.parametrize(
    ("budget", "alone", "seconds"),
    [
        (Budget(20.0), False, 2.0),
        (Budget(600.0), False, 4.0),
        (Budget(60.0), True, 36.0),
        (Budget(None, 100), False, EXACT_SECONDS),
        (Budget(60.0, 100), False, 6.0),
    ],
)
def test_the_walk_has_a_share_of_the_budget(monkeypatch: pytest.MonkeyPatch, budget: Budget, alone: bool, seconds: float) -> None:
    asked: list[Order] = []
    walk = Walk()

    def begin(order: Order) -> Walk:
        asked.append(order)
        return walk

    monkeypatch.setattr("crashwright.workflows.hunting.foresight.with_imported", lambda paths: paths)
    with foresight_of(TARGET, (3, 11, 4), budget, begin, Clock(), alone) as foresight:
        assert foresight.walk is walk
        assert (foresight.waits, foresight.exact) == (alone, budget.evaluations is not None)
    assert walk.stopped == 1
    assert [(one.seconds, one.exact, one.version) for one in asked] == [(seconds, budget.evaluations is not None, (3, 11))]
    assert [one.patience for one in asked] == [1.0 if alone or budget.evaluations is not None else asked[0].patience]


@pytest.mark.parametrize(("budget", "patience"), [(Budget(20.0), 3.0), (Budget(600.0), 4.0), (Budget(), 4.0)])
def test_the_clock_may_go_on_for_longer_than_it_computes(monkeypatch: pytest.MonkeyPatch, budget: Budget, patience: float) -> None:
    asked: list[Order] = []

    def begin(order: Order) -> Walk:
        asked.append(order)
        return Walk()

    monkeypatch.setattr("crashwright.workflows.hunting.foresight.with_imported", lambda paths: paths)
    with foresight_of(TARGET, (3, 11, 4), budget, begin, Clock()):
        pass
    assert [one.patience for one in asked] == [pytest.approx(patience)]


def test_composed_tests_go_the_same_way() -> None:
    walk = Walk([ONE, ComposedTest({"a": 1}, 1, True)], is_over=True)
    foresight = Foresight(walk, Clock())
    assert foresight.news() == Insight(written([ONE]), ({"a": 1},))
    assert foresight.at_start() == Knowledge(written([ONE]), ({"a": 1},))


def test_a_source_that_cannot_be_read_or_a_process_that_cannot_be_started_is_a_line() -> None:
    def begin(_question: Order) -> Walk:
        raise OSError("no more processes")

    with foresight_of(TARGET, (3, 11), Budget(60.0), begin, Clock()) as foresight:
        assert foresight.problem
        assert foresight.at_start() == NOTHING
