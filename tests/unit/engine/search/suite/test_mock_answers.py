"""A test in which a mock has had to answer by itself what the code looks at says nothing."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.handlers import Environment
from crashwright.engine.search.suite.mock_answers import MockAnswers
from crashwright.engine.subject.api.callee import MOCKS, Callee, CalleeKind
from crashwright.engine.testcase.making.demands import Demand, DemandKind
from crashwright.engine.testcase.statements import Arguments, Call, Literal, MethodCall, Statement
from crashwright.engine.testcase.testcase import TestCase

MOCK = Callee(MOCKS, "Mock", CalleeKind.CLASS, live=Mock)


def asked_of(name: str, looked_at: bool = True) -> Demand:
    demand = Demand("reader", 0, DemandKind.OBJECT, dict)
    method = demand.attribute(name)
    method.kind = DemandKind.CALLABLE
    method.returned().is_decided_on = looked_at
    return demand


class Listening:
    """An executor with its answers, which listen once they have learnt something."""

    def __init__(self) -> None:
        self.executor = Executor()
        self.answers = MockAnswers(lambda: self.executor.note_results(self.answers.beside(self._nothing)))

    def _nothing(self, statement: Any, env: Environment, returned: bool = True) -> None:
        """Nobody else is told."""

    def lacks(self, *statements: Statement) -> bool:
        assert self.executor.run(TestCase(statements)).error is None
        return self.answers.lack()


def test_a_method_that_is_looked_at_needs_an_answer() -> None:
    listening = Listening()
    calls = Call(0, MOCK, Arguments()), MethodCall(1, 0, "read", Arguments())
    assert not listening.lacks(*calls), "nobody has said yet that the answer matters"
    listening.answers.learn([asked_of("read"), asked_of("close", looked_at=False)])
    assert listening.lacks(*calls)
    assert not listening.lacks(calls[0], MethodCall(1, 0, "close", Arguments()))
    assert not listening.lacks(calls[0]), "it is not called"


def test_what_it_is_given_answers_unless_that_is_bare_itself() -> None:
    listening = Listening()
    listening.answers.learn([asked_of("read")])
    read = MethodCall(3, 2, "read", Arguments())
    told = Literal(0, "text"), Call(1, MOCK, Arguments((), (("return_value", 0),))), Call(2, MOCK, Arguments((), (("read", 1),)))
    assert not listening.lacks(*told, read)
    assert listening.lacks(Call(1, MOCK, Arguments()), told[2], read)


def test_only_what_was_asked_of_objects_with_a_class_is_learnt() -> None:
    listening = Listening()
    open_one = asked_of("read")
    open_one.cls = None
    listening.answers.learn([open_one])
    assert not listening.lacks(Call(0, MOCK, Arguments()), MethodCall(1, 0, "read", Arguments()))
