"""What is passed to a constructor written in C is named as the documentation names it."""

from __future__ import annotations

import datetime

from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.printing.naming import default_name
from crashwright.engine.testcase.statements import Arguments, Call, Literal
from crashwright.engine.testcase.testcase import TestCase


def test_parts_of_a_date() -> None:
    unreadable = (Parameter("args", ParameterKind.VAR_POSITIONAL),)
    date = Callee("datetime", "date", CalleeKind.CLASS, unreadable, live=datetime.date)
    literals = tuple(Literal(number, number + 1) for number in range(3))
    test = TestCase((*literals, Call(3, date, Arguments((0, 1, 2)))))
    assert [default_name(one, test) for one in literals] == ["year", "month", "day"]
