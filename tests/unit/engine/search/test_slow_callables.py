"""What is slow and needed gets more time; what hangs does not, for long."""

from __future__ import annotations

import pytest

from crashwright.engine.execution.heartbeat import Heartbeat
from crashwright.engine.execution.limits import TestClock
from crashwright.engine.execution.outcome import Outcome
from crashwright.engine.search.slow_callables import TRIES, SlowCallables
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import NO_ARGUMENTS, Call, Literal
from crashwright.engine.testcase.testcase import TestCase

SLOW, OTHER = (Callee("m", name, CalleeKind.FUNCTION, live=len) for name in ("Slow", "other"))
LATE = Outcome(1, timed_out=True)


class Toy:
    def __init__(self) -> None:
        self.seconds = 0.0
        self.clock = TestClock(Heartbeat(), 0.1)
        self.patience = SlowCallables(self.clock, [SLOW], lambda: self.seconds)

    def run(self, test: TestCase, seconds: float) -> bool:
        """Whether it ended, as the evaluator runs it."""
        late = seconds > self.clock.limit
        self.patience.end(LATE if late else Outcome(2))
        if late and self.patience.is_worth_more(test, LATE):
            late = seconds > self.clock.limit
            self.seconds += min(seconds, self.clock.limit)
            self.patience.end(LATE if late else Outcome(2))
        return not late


@pytest.fixture
def toy() -> Toy:
    return Toy()


def calling(callee: Callee) -> TestCase:
    return TestCase((Literal(0, 1), Call(1, callee, NO_ARGUMENTS)))


def test_a_slow_constructor_ends_and_the_limit_stays(toy):
    assert toy.run(calling(SLOW), 0.15)
    assert toy.clock.limit == pytest.approx(0.4)
    assert toy.run(calling(SLOW), 0.3)


def test_nothing_else_gets_more_time(toy):
    assert not toy.run(calling(OTHER), 0.15)
    assert toy.clock.limit == pytest.approx(0.1)


def test_what_hangs_gets_it_a_few_times(toy):
    times = 0
    for _ in range(10):
        before = toy.seconds
        assert not toy.run(calling(SLOW), 100.0)
        times += toy.seconds > before
        assert toy.clock.limit == pytest.approx(0.1)
        assert toy.clock.wall_limit == pytest.approx(0.5)
    assert times == TRIES


def test_a_statement_that_was_never_begun_tells_nothing(toy):
    assert not toy.patience.is_worth_more(TestCase((Literal(0, 1),)), Outcome(1, timed_out=True))
