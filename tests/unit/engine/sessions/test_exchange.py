"""Migration as one island sees it: who leaves, who is taken in, and when it waits."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from crashwright.core.messages import Message, Migrants
from crashwright.engine.sessions.exchange import EMIGRANTS, Exchange
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.channel import Channel

TESTS = [TestCase((Literal(0, number),)) for number in range(10)]


def visitor(name: str) -> dict[str, Any]:
    return {"name": name}


@dataclass
class Host:
    """The channel: what was sent through it, and what comes at each look."""

    incoming: deque[list[Message]] = field(default_factory=deque)
    sent: list[Migrants] = field(default_factory=list)
    waits: list[bool] = field(default_factory=list)
    over: Callable[[], bool] = lambda: False

    def send(self, message: Message) -> None:
        assert isinstance(message, Migrants)
        self.sent.append(message)

    def receive(self, kind: type, seconds: float = 0.0) -> list[Message]:
        assert kind is Migrants
        return self.incoming.popleft() if self.incoming else []

    def exchange(self, every: int = 100, exact: bool = True, evaluations: int = 0) -> Exchange:
        return Exchange(cast(Channel, self), every, exact, evaluations, self.waits.append, lambda: self.over())


def test_an_engine_that_is_alone_says_and_hears_nothing() -> None:
    host = Host()
    assert host.exchange(every=0).pass_by(5000, lambda: TESTS) == []
    assert host.sent == []


def test_the_best_leave_at_the_end_of_each_epoch() -> None:
    host = Host(over=lambda: True)
    exchange = host.exchange()
    for evaluations in (50, 99, 120, 180, 230):
        exchange.pass_by(evaluations, lambda: TESTS)
    assert [migrants.epoch for migrants in host.sent] == [0, 1, 2]
    assert [len(migrants.tests) for migrants in host.sent] == [0, EMIGRANTS, EMIGRANTS]


def test_nobody_leaves_for_whom_nobody_waits() -> None:
    leaving = [*TESTS]
    host = Host(over=lambda: True)
    exchange = host.exchange()
    exchange.pass_by(50, lambda: [leaving.pop()])
    assert leaving == TESTS
    exchange.pass_by(150, lambda: [leaving.pop()])
    assert len(leaving) == len(TESTS) - 1


def test_at_the_end_of_its_evaluations_it_takes_in_nobody_since_the_clock_would_say_whom() -> None:
    for arrived in ([], [Migrants(1, (visitor("a"),))]):
        host = Host(deque([arrived]), over=lambda: True)
        assert host.exchange().pass_by(200, lambda: TESTS) == []


def test_who_left_in_an_epoch_is_taken_in_in_the_next_one() -> None:
    host = Host(deque([[Migrants(1, (visitor("a"),))], [Migrants(2, (visitor("b"),))]]))
    exchange = host.exchange()
    assert exchange.pass_by(100, lambda: TESTS) == []
    assert exchange.pass_by(200, lambda: TESTS) == [visitor("a")]
    assert exchange.pass_by(299, lambda: TESTS) == []
    assert exchange.pass_by(300, lambda: TESTS) == [visitor("b")]
    assert host.waits == []


def test_who_is_ahead_is_taken_in_when_it_is_time() -> None:
    host = Host(deque([[Migrants(1, (visitor("a"),)), Migrants(2, (visitor("b"),)), Migrants(3, (visitor("c"),))]]))
    exchange = host.exchange()
    assert exchange.pass_by(100, lambda: TESTS) == []
    assert exchange.pass_by(200, lambda: TESTS) == [visitor("a")]
    assert exchange.pass_by(300, lambda: TESTS) == [visitor("b")]


def test_it_waits_for_a_neighbour_that_is_more_than_an_epoch_behind() -> None:
    host = Host(deque([[], [], [], [Migrants(1, (visitor("a"),))]]))
    exchange = host.exchange()
    assert exchange.pass_by(100, lambda: TESTS) == []
    assert host.waits == []
    assert exchange.pass_by(200, lambda: TESTS) == [visitor("a")]
    assert host.waits == [True, False]


def test_it_does_not_wait_for_one_that_has_ended_nor_beyond_its_own_time() -> None:
    host = Host(deque([[Migrants(1, (visitor("a"),)), Migrants(1, last=True)]]))
    exchange = host.exchange()
    assert exchange.pass_by(100, lambda: TESTS) == []
    assert exchange.pass_by(200, lambda: TESTS) == [visitor("a")]
    assert exchange.pass_by(500, lambda: TESTS) == []
    assert host.waits == []
    late = Host(over=lambda: True)
    assert late.exchange().pass_by(200, lambda: TESTS) == []


def test_where_the_clock_decides_it_takes_who_has_arrived() -> None:
    host = Host(deque([[Migrants(1, (visitor("a"),)), Migrants(4, (visitor("d"),))], []]))
    exchange = host.exchange(exact=False)
    assert exchange.pass_by(200, lambda: TESTS) == [visitor("a"), visitor("d")]
    assert exchange.pass_by(300, lambda: TESTS) == []
    assert host.waits == []


def test_after_a_death_it_makes_good_for_the_lost_epoch() -> None:
    host = Host(over=lambda: True)
    exchange = host.exchange(evaluations=250)
    exchange.pass_by(260, lambda: TESTS)
    assert [migrants.epoch for migrants in host.sent] == [2]
    exchange.pass_by(310, lambda: TESTS)
    assert [migrants.epoch for migrants in host.sent] == [2, 3]


def test_it_gives_signs_of_life_while_it_waits() -> None:
    looks = iter([False] * 100 + [True])
    host = Host(over=lambda: next(looks))
    host.exchange().pass_by(200, lambda: TESTS)
    assert len(host.sent) > 2
    assert all(not migrants.tests for migrants in host.sent[1:])
