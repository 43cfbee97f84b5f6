"""What is being called stands in the heartbeat as long as it is called, for the first tests of a fork."""

from __future__ import annotations

from crashwright.engine.execution import executor as interpreter
from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.heartbeat import Heartbeat
from crashwright.engine.execution.running_call import RunningCall
from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.statements import Arguments, Await, Call, Literal
from crashwright.engine.testcase.testcase import TestCase


class World:
    """A function of the subject that looks into the heartbeat."""

    def __init__(self) -> None:
        self.heartbeat = Heartbeat()
        self.executor = Executor(self.heartbeat)
        self.executor.tell(RunningCall(self.heartbeat))
        self.seen: list[list[str]] = []

    def look(self, _number: int) -> None:
        self.seen.append(self.heartbeat.call())

    async def look_later(self, number: int) -> None:
        self.look(number)

    def test(self, is_async: bool = False) -> TestCase:
        live = self.look_later if is_async else self.look
        call = Call(1, Callee("m", "look", CalleeKind.FUNCTION, live=live), Arguments((0,)))
        return TestCase((Literal(0, 7), call, *((Await(2, 1),) if is_async else ())))


def test_the_call_that_runs_is_named_and_no_longer() -> None:
    world = World()
    for is_async in (False, True):
        assert world.executor.run(world.test(is_async)).error is None
        assert world.heartbeat.call() == []
    assert world.seen == [["m:look", "argument 1 is 7", "m:look", ""]] * 2


def test_after_many_tests_that_did_no_harm_nothing_is_told(monkeypatch) -> None:
    monkeypatch.setattr(interpreter, "TOLD", 2)
    world = World()
    for _ in range(4):
        world.executor.run(world.test())
    assert [bool(call) for call in world.seen] == [True, True, False, False]
