"""Parameters get what their functions, or those that these hand it to, turn into something."""

from __future__ import annotations

import dated

from crashwright.engine.sources.values.parameter_looks import learn_looks
from crashwright.engine.sources.values.samples import with_looks
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.api.callee import Callee
from crashwright.engine.subject.source import Sources
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, Ref, Value
from crashwright.engine.testcase.testcase import TestCase

DAYS = ["2020-01-02", "2030-12-31", "2001-02-03"]


def taught() -> tuple[Factory, Callee]:
    api = ApiModel(dated.__name__, [dated.__name__])
    due = next(one for one in api.callables if one.name == "due")
    factory = Factory(api, SeedPool(), (due,))
    learn_looks(factory, api.callables, [], api, Sources(), lambda _name: ())
    return factory, due


def known(factory: Factory, callee: Callee, name: str) -> list[Value]:
    return [part[0].value for part in factory.shaped.known(callee, name) if isinstance(part[0], Literal)]


def test_what_is_converted_is_learnt_where_its_type_allows_it() -> None:
    factory, due = taught()
    assert known(factory, due, "day") == DAYS
    assert known(factory, due, "times") == []  # an integer, says the annotation
    assert known(factory, due, "note") == []


def test_open_literals_of_a_call_are_given_what_is_known() -> None:
    factory, due = taught()
    statements = (Literal(0, ""), Literal(1, 3), Literal(2, ""), Call(3, due, Arguments((0, 1, 2))))
    test = TestCase(statements)
    found = with_looks(test, (), factory)
    assert [one.statements[0] for one in found] == [Literal(0, day) for day in DAYS]
    assert all(one.statements[1:] == statements[1:] for one in found)
    assert with_looks(test, (0,), factory) == []


def test_what_holds_other_variables_stays() -> None:
    factory, due = taught()
    whole = Literal(1, Display("list", (Ref(0),)))
    test = TestCase((Literal(0, "a"), whole, Literal(2, 3), Literal(3, ""), Call(4, due, Arguments((1, 2, 3)))))
    assert with_looks(test, (), factory) == []
