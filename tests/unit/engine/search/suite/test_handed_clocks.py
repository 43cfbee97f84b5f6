"""Clocks that tests hand over."""

from __future__ import annotations

import itertools
import time
from unittest.mock import Mock

from crashwright.engine.search.suite.handed_clocks import STANDING, clocks_in, timed
from crashwright.engine.subject.api.callee import MOCKS, Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import Arguments, Call
from crashwright.engine.testcase.testcase import TestCase

EITHER, BY_PLACE = ParameterKind.POSITIONAL_OR_KEYWORD, ParameterKind.POSITIONAL_ONLY
MOCK = Callee(MOCKS, "Mock", CalleeKind.CLASS, live=Mock)


def made_by(parameter: Parameter, *given: tuple[str, int]) -> TestCase:
    callee = Callee("jobs", "Scheduler", CalleeKind.CLASS, (parameter,))
    return TestCase((Call(0, callee, Arguments((), given)),))


def clock(kind: ParameterKind = EITHER, default: object = time.monotonic) -> Parameter:
    return Parameter("clock", kind, required=False, default=default)


def test_the_machines_clock_becomes_one_that_stands_still() -> None:
    found = timed(made_by(clock()), lambda: MOCK, itertools.count(10).__next__)
    assert found is not None
    assert list(print_test(found).body) == ["Scheduler(clock=Mock(return_value=100.0))"]
    assert [answer for _, answer in clocks_in(found).values()] == [STANDING]
    assert timed(found, lambda: MOCK, itertools.count(20).__next__) is None


def test_what_is_no_clock_or_cannot_be_named_is_left() -> None:
    def never() -> Callee:
        raise AssertionError("nothing is to be made")

    new = itertools.count(10).__next__
    assert timed(made_by(clock(default=None)), never, new) is None
    assert timed(made_by(clock(BY_PLACE)), never, new) is None
    assert timed(made_by(clock(default=time.sleep)), never, new) is None
