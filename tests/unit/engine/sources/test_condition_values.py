"""Tests get the values that a run lacked, wherever they passed the others."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import cast

from crashwright.engine.goals.crash.live_heap import NOT_KNOWN
from crashwright.engine.goals.crash.required_values import RequiredValue
from crashwright.engine.sources.condition_values import MOST_PASSED, WithRequiredValues, by_name, passed_in
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, MethodCall, Value
from crashwright.engine.testcase.testcase import TestCase


class Bar:
    pos = 0


BOTH = ParameterKind.POSITIONAL_OR_KEYWORD
MADE = Callee("bars", "Bar", CalleeKind.CLASS, (Parameter("items", BOTH, required=False),), live=Bar)
MOVED = Callee("bars", "Bar.move", CalleeKind.METHOD, (Parameter("by", BOTH), Parameter("far", BOTH, required=False)))
TEST = TestCase(
    (
        Literal(0, Display("dict", (("a", Display("dict", (("b", 1),))),))),
        Call(1, MADE, Arguments((0,))),
        Literal(2, 5),
        MethodCall(3, 1, "move", Arguments((2,)), MOVED),
    )
)


def granted(*required: RequiredValue, quoted: tuple[int, ...] = ()) -> list[str]:
    factory = cast(Factory, SimpleNamespace(new=itertools.count(50).__next__, observed={}))
    return ["; ".join(print_test(one).body) for one in WithRequiredValues(factory, quoted).tests(TEST, required)]


def test_an_argument_by_its_name_and_a_literal_by_its_value() -> None:
    assert granted(RequiredValue("far", None, None, 3)) == ['Bar({"a": {"b": 1}}).move(5, far=3)']
    assert granted(RequiredValue("inner", None, {"b": 1}, True)) == ['Bar({"a": True}).move(5)']
    assert granted(RequiredValue("by", None, 5, -2))[0] == 'Bar({"a": {"b": 1}}).move(-2)'


def test_where_it_is_not_known_what_is_meant_each_part_in_its_turn() -> None:
    assert granted(RequiredValue("", None, NOT_KNOWN, "a")) == ['Bar({"a": "a"}).move(5)', 'Bar({"a": {"b": "a"}}).move(5)']


def test_an_attribute_of_an_object_that_the_test_has() -> None:
    [one] = granted(RequiredValue("pos", Bar, 0, -5))
    assert one.endswith("bar.pos = -5; bar.move(5)")
    assert granted(RequiredValue("_pos", Bar, 0, -5)) == []
    assert granted(RequiredValue("pos", dict, 0, -5)) == []


def test_several_required_values_come_together() -> None:
    found = granted(RequiredValue("pos", Bar, 0, -5), RequiredValue("by", None, 5, 0))
    assert any("bar.pos = -5" in one and "move(0)" in one for one in found)


def test_what_the_report_shows_stays() -> None:
    assert granted(RequiredValue("by", None, 6, 0), quoted=(2,)) == []


def test_values_by_the_names_of_parameters() -> None:
    assert passed_in([TEST]) == {"items": (TEST.statements[0].value,), "by": (5,)}  # type: ignore[union-attr]
    assert by_name(
        [
            RequiredValue("by", None, 5, 0),
            RequiredValue("pos", Bar, 0, 1),
            RequiredValue("by", None, 5, 0),
            RequiredValue("by", None, 5, object()),
        ]
    ) == {"by": (0,)}
    many: list[Value] = list(range(20))
    tests = [TestCase((Literal(0, one), MethodCall(2, 1, "move", Arguments((0,)), MOVED))) for one in many]
    assert passed_in(tests) == {"by": tuple(many[:MOST_PASSED])}
