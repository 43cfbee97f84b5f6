"""What is kept, when, and whom it is sent to."""

from __future__ import annotations

import errno
from dataclasses import dataclass, field
from typing import cast

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.messages import BestTests, Insight, Message
from crashwright.core.precondition import WrittenPrecondition, WrittenPreconditions
from crashwright.core.settings import Budget
from crashwright.engine.search.budget import BudgetMeter
from crashwright.engine.sessions.checkpointing import KEEP_SECONDS, LONGEST_PAUSE, SHARE, SURVIVORS, Checkpointing, Saved
from crashwright.engine.testcase.codec import decode, encode
from crashwright.engine.testcase.statements import Literal
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.worker.channel import Channel


def numbers(first: int, count: int) -> list[TestCase]:
    return [TestCase((Literal(0, number),)) for number in range(first, first + count)]


@dataclass
class World:
    now: float = 10.0
    sent: list[Message] = field(default_factory=list)
    checkpoints: list[bytes] = field(default_factory=list)
    disk: int = 0
    waits: list[bool] = field(default_factory=list)
    tests: list[TestCase] = field(default_factory=list)

    def send(self, message: Message) -> None:
        self.sent.append(message)

    def checkpoint(self, data: bytes) -> None:
        if self.disk:
            raise OSError(self.disk, "no")
        self.checkpoints.append(data)

    def safe(self, saved: Saved | None = None) -> Checkpointing:
        self.meter = BudgetMeter(Budget(None, 1000), lambda: self.now)
        saved = saved or Saved(0, [])
        return Checkpointing(cast(Channel, self), self.meter, saved, lambda: self.now, self.waits.append)


@pytest.mark.parametrize(("takes", "pause"), [(0.01, KEEP_SECONDS), (0.1, 0.1 / SHARE), (100.0, LONGEST_PAUSE)])
def test_what_takes_long_is_done_less_often(takes: float, pause: float) -> None:
    class Slow(World):
        def checkpoint(self, data: bytes) -> None:
            super().checkpoint(data)
            self.now += takes

    world = Slow(tests=numbers(0, 1))
    safe = world.safe()
    safe.keep(world.tests)
    assert not safe.due(world.now + pause - 0.01)
    assert safe.due(world.now + pause + 0.01)


def test_it_is_due_after_less_than_a_second() -> None:
    world = World(tests=numbers(0, 1))
    safe = world.safe()
    assert KEEP_SECONDS < 1.0
    assert not safe.due(world.now)
    world.now += KEEP_SECONDS
    assert safe.due(world.now)
    safe.keep(world.tests)
    assert not safe.due(world.now)


def test_all_are_kept_and_the_best_sent() -> None:
    world = World(tests=numbers(0, 100))
    safe = world.safe()
    world.meter.evaluations = 70
    safe.keep(world.tests)
    saved = Saved.load(world.checkpoints[-1])
    assert saved.evaluations == 70
    assert [decode(data).statements for data in saved.tests] == [test.statements for test in world.tests]
    [message] = world.sent
    assert isinstance(message, BestTests)
    assert message.evaluations == 70
    assert [decode(data).statements for data in message.tests] == [test.statements for test in world.tests[:SURVIVORS]]
    assert world.waits == [True, False]


def test_the_host_is_sent_only_what_is_new() -> None:
    world = World(tests=numbers(0, 100))
    safe = world.safe()
    safe.keep(world.tests)
    world.tests = [*world.tests[:60], *numbers(200, 5)]
    safe.keep(world.tests)
    assert len(world.sent) == 1
    world.tests = [*numbers(300, 1), *world.tests]
    safe.keep(world.tests)
    assert len(world.sent) == 2
    assert len(world.checkpoints) == 3


def test_a_test_is_kept_once() -> None:
    [test] = numbers(0, 1)
    world = World(tests=[test, test])
    world.safe().keep(world.tests)
    assert Saved.load(world.checkpoints[-1]).tests == [encode(test)]


def test_until_there_are_tests_those_of_the_fork_before_remain() -> None:
    world = World()
    world.safe(Saved(5, [{"old": 1}])).keep(world.tests)
    assert Saved.load(world.checkpoints[-1]).tests == [{"old": 1}]


def test_without_a_checkpoint_nothing_is_saved() -> None:
    saved = Saved.load(None)
    assert (saved.evaluations, saved.tests) == (0, [])


def test_a_full_disk_does_not_end_the_search_and_closed_files_do() -> None:
    world = World(tests=numbers(0, 3), disk=errno.ENOSPC)
    safe = world.safe()
    safe.keep(world.tests)
    assert len(world.sent) == 1
    world.disk = errno.EBADF
    with pytest.raises(OSError, match="no"):
        safe.keep(world.tests)


def test_what_the_host_said_last_goes_to_the_next_fork_and_the_one_after() -> None:
    world = World(tests=numbers(0, 1))
    insights = [Insight(WrittenPreconditions((), (WrittenPrecondition(level, CodeKey("m", "f", 1), (), ()),))) for level in (1, 2)]
    safe = world.safe()
    for insight in insights:
        safe.note(insight)
    safe.keep(world.tests)
    saved = Saved.load(world.checkpoints[-1])
    assert saved.heard == (insights[-1],)
    world.safe(saved).keep(world.tests)
    assert Saved.load(world.checkpoints[-1]).heard == (insights[-1],)
