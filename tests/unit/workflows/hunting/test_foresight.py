"""What is found beside the search goes to the engines: at their start, or when it comes; and nothing that goes wrong ends a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest
from hand_clock import Clock
from shelf_crash import TARGET
from terms_by_hand import attribute, given, is_a, needs

from crashwright.core.messages import Insight
from crashwright.core.precondition import Precondition, WrittenPreconditions, written
from crashwright.core.settings import Budget
from crashwright.core.terms import Sort
from crashwright.symbolic.composition.composition_job import ComposedTest, Order
from crashwright.symbolic.composition.strategies import Strategy
from crashwright.symbolic.values.literals import unknown
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


def asked_for(walk: Walk, clock: Clock, exact: bool = False) -> Foresight:
    foresight = Foresight(None, clock, exact, begin=lambda: walk)
    assert foresight.at_start() == Knowledge(more=True)
    assert foresight.news() is None
    foresight.ask()
    return foresight


def test_nothing_begins_before_a_search_stands_still() -> None:
    begun: list[int] = []

    def begin() -> Walk:
        begun.append(1)
        return Walk([ONE], is_over=True)

    foresight = Foresight(None, Clock(), begin=begin)
    assert foresight.at_start() == Knowledge(more=True)
    assert (foresight.news(), begun) == (None, [])
    foresight.ask()
    assert foresight.news() == Insight(written([ONE]))
    assert foresight.news() is None


def test_another_search_that_stands_still_has_the_same_answer() -> None:
    walk = Walk([ONE], is_over=True)
    foresight = asked_for(walk, Clock(), exact=True)
    assert foresight.news() == Insight(written([ONE]))
    assert foresight.at_start() == Knowledge(more=True)
    assert foresight.news() is None
    foresight.ask()
    assert foresight.news() == Insight(written([ONE]))
    assert walk.stopped == 1


def test_preconditions_in_which_something_is_open_are_not_told() -> None:
    guard = ONE.guards[0]._replace(term=unknown(Sort.TRUTH, 1, "what f() returns"))
    hidden = replace(ONE, unmodelled=("what f() returns",))
    walk = Walk([hidden, replace(ONE, guards=(guard,)), OTHER, ComposedTest({"a": 1}, 1, True)], is_over=True)
    assert asked_for(walk, Clock()).news() == Insight(written([OTHER]), ({"a": 1},))


def test_a_long_walk_is_heard_of_now_and_then() -> None:
    walk, clock = Walk([ONE]), Clock()
    foresight = asked_for(walk, clock)
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
    foresight = asked_for(walk, clock, exact=True)
    clock.now += 10 * FIRST_NEWS
    assert foresight.news() is None
    walk.coming.append(OTHER)
    walk.is_over = True
    assert foresight.news() == Insight(written([ONE, OTHER]))
    assert (walk.stopped, foresight.news()) == (1, None)


def test_an_exact_run_hears_of_it_though_there_is_nothing() -> None:
    assert asked_for(Walk(is_over=True), Clock(), exact=True).news() == Insight(WrittenPreconditions())


def test_a_walk_that_fails_is_one_line() -> None:
    foresight = asked_for(Walk([ONE], is_over=True, problem="No module named 'z3'"), Clock())
    assert foresight.news() == Insight(written([ONE]))
    assert foresight.problem == "No module named 'z3'"


@pytest.mark.parametrize(
    ("budget", "alone", "seconds"),
    [
        (Budget(20.0), False, 5.0),
        (Budget(600.0), False, 40.0),
        (Budget(60.0), True, 36.0),
        (Budget(None, 100), False, EXACT_SECONDS),
        (Budget(60.0, 100), False, 15.0),
    ],
)
def test_the_walk_has_a_share_of_the_budget(monkeypatch: pytest.MonkeyPatch, budget: Budget, alone: bool, seconds: float) -> None:
    asked: list[Order] = []
    walk = Walk()

    def begin(order: Order) -> Walk:
        asked.append(order)
        return walk

    monkeypatch.setattr("crashwright.workflows.hunting.foresight.with_imported", lambda paths: paths)
    exact = budget.evaluations is not None
    with foresight_of(TARGET, (3, 11, 4), budget, begin, Clock(), alone, "paper") as foresight:
        assert (foresight.walk is walk, foresight.waits, foresight.exact) == (alone, alone, exact)
        foresight.ask()
        assert foresight.walk is walk
    assert walk.stopped == 1
    assert [(one.seconds, one.exact, one.version, one.strategy) for one in asked] == [(seconds, exact, (3, 11), Strategy.PAPER)]
    assert [one.patience == 1.0 for one in asked] == [alone or exact]


@pytest.mark.parametrize(("budget", "patience"), [(Budget(20.0), 1.2), (Budget(600.0), 4.0), (Budget(60.0), 1.2)])
def test_the_clock_may_go_on_for_longer_than_it_computes(monkeypatch: pytest.MonkeyPatch, budget: Budget, patience: float) -> None:
    asked: list[Order] = []

    def begin(order: Order) -> Walk:
        asked.append(order)
        return Walk()

    monkeypatch.setattr("crashwright.workflows.hunting.foresight.with_imported", lambda paths: paths)
    with foresight_of(TARGET, (3, 11, 4), budget, begin, Clock()) as foresight:
        foresight.ask()
    assert [one.patience for one in asked] == [pytest.approx(patience)]


def test_a_source_that_cannot_be_read_or_a_process_that_cannot_be_started_is_a_line() -> None:
    def begin(_question: Order) -> Walk:
        raise OSError("no more processes")

    with foresight_of(TARGET, (3, 11), Budget(60.0), begin, Clock()) as foresight:
        foresight.ask()
        assert foresight.problem
        assert foresight.news() == Insight(WrittenPreconditions())
        assert foresight.at_start() == NOTHING
