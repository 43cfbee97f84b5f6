"""Runners that catch what a program raises are told not to, whoever wrote them."""

from __future__ import annotations

from itertools import count

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.candidates.uncaught import uncaught
from crashwright.engine.testcase.statements import (
    NO_ARGUMENTS,
    Arguments,
    Call,
    CallValue,
    Literal,
    MethodCall,
    Named,
    Reference,
)
from crashwright.engine.testcase.testcase import TestCase


class Runner:
    def invoke(self, program: str, catch_exceptions: bool = True) -> None: ...

    def plain(self, program: str) -> None: ...


CLASS = Callee(__name__, "Runner", CalleeKind.CLASS, live=Runner)
MADE = ((Call(1, CLASS, NO_ARGUMENTS),), (Reference(7, Named(__name__, "Runner", Runner)), CallValue(1, 7, NO_ARGUMENTS)))


def test_what_it_catches_comes_through() -> None:
    for made in MADE:
        call = MethodCall(3, 1, "invoke", Arguments((2,)))
        test = TestCase((*made, Literal(2, "run"), call))
        changed = uncaught(test, count(10).__next__)
        assert changed.statements[-2:] == (
            Literal(10, False),
            call._replace(arguments=Arguments((2,), (("catch_exceptions", 10),))),
        )
        assert changed.is_valid()


def test_what_is_said_stays_and_what_has_no_such_option() -> None:
    made = MADE[0]
    for call in (
        MethodCall(4, 1, "invoke", Arguments((2,), (("catch_exceptions", 3),))),
        MethodCall(4, 1, "plain", Arguments((2,))),
        MethodCall(4, 2, "upper", NO_ARGUMENTS),
    ):
        test = TestCase((*made, Literal(2, "run"), Literal(3, True), call))
        assert uncaught(test, count(10).__next__) is test
