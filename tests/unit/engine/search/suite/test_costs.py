"""Dear callables and tests, and how long tests may take."""

import random
from time import process_time

from crashwright.engine.execution.heartbeat import Heartbeat
from crashwright.engine.execution.limits import TestClock
from crashwright.engine.instrument.trace import CallFact
from crashwright.engine.search.adaptive_timeout import SHORTEST_TEST, AdaptiveTimeout
from crashwright.engine.search.suite.costs import Costs


def test_only_what_costs_much_in_every_test_is_dear() -> None:
    costs = Costs()
    for _ in range(20):
        costs.note([CallFact("m:cheap", ())], 5)
    costs.note([CallFact("m:cheap", ()), CallFact("m:selftest", ())], 1400)
    assert costs.dear() == {"m:selftest"}


def test_nothing_is_dear_where_all_costs_the_same() -> None:
    costs = Costs()
    for name in "abc":
        costs.note([CallFact(f"m:{name}", ())], 900)
    assert costs.dear() == frozenset()
    assert Costs().dear() == frozenset()


def test_dear_callables_are_called_now_and_then() -> None:
    costs = Costs()
    for _ in range(20):
        costs.note([], 1)
    costs.note([CallFact("m:selftest", ())], 1400)
    rng = random.Random(1)
    spared = sum(bool(costs.spared(rng)) for _ in range(500))
    assert 400 < spared < 490


class _Evaluator:
    timeouts = 0


def _patience(adaptive: bool) -> tuple[TestClock, _Evaluator, AdaptiveTimeout]:
    clock, evaluator = TestClock(Heartbeat(), 0.1), _Evaluator()
    return clock, evaluator, AdaptiveTimeout(clock, evaluator, adaptive, process_time)  # type: ignore[arg-type]


def test_fast_subject_gets_a_short_limit_however_many_tests_hang() -> None:
    clock, evaluator, patience = _patience(adaptive=True)
    patience.begin()
    evaluator.timeouts = 20
    patience.end(60, 50)
    assert clock.limit == SHORTEST_TEST


def test_without_the_clock_many_timeouts_double_the_limit_and_nothing_shortens_it() -> None:
    clock, evaluator, patience = _patience(adaptive=False)
    patience.begin()
    patience.end(600, 50)
    assert clock.limit == 0.1
    patience.begin()
    evaluator.timeouts = 20
    patience.end(60, 50)
    assert clock.limit == 0.2
