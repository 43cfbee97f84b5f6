"""What an inner call was given comes into outer tests: in the place of each value, within containers and texts, and before them."""

from __future__ import annotations

import itertools

import pytest

from crashwright.engine.sources.lifting import Lifting
from crashwright.engine.subject.api.callee import Callee, CalleeKind, Parameter, ParameterKind
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import Arguments, Call, Display, Literal, MethodCall, Ref, SetAttribute, Statement
from crashwright.engine.testcase.testcase import TestCase
from crashwright.engine.testcase.typed import type_of

BOTH = ParameterKind.POSITIONAL_OR_KEYWORD


class Part:
    pass


class Box:
    pass


def callee(name: str, *parameters: str, live: object = None) -> Callee:
    kind = CalleeKind.FUNCTION if live is None else CalleeKind.CLASS
    return Callee("loads", name, kind, tuple(Parameter(one, BOTH) for one in parameters), live=live)


RATIO, LOAD = callee("ratio", "tags"), callee("load", "part")
PART, BOX, RUN = callee("Part", "name", "tags", live=Part), callee("Box", "parts", live=Box), callee("run", "box", "mode")


def lifted(inner: list[Statement], outer: list[Statement]) -> list[str]:
    lifting = Lifting(itertools.count(100).__next__, type_of)
    made = lifting.lifted(TestCase(tuple(inner)), [TestCase(tuple(outer))])
    assert all(one.is_valid() for one in made)
    return ["; ".join(print_test(one).body) for one in made]


TAGS = Display("list", ("fragile", "a"))
INNER: list[Statement] = [Literal(0, TAGS), Call(1, RATIO, Arguments((0,)))]


def test_in_the_place_of_a_constructors_argument() -> None:
    outer = [Literal(5, "axle"), Literal(6, Display("list", ())), Call(7, PART, Arguments((5, 6))), Call(8, LOAD, Arguments((7,)))]
    assert 'load(Part("axle", ["fragile", "a"]))' in lifted(INNER, outer)


def test_an_object_with_what_was_done_to_it_in_the_place_of_one_of_its_class() -> None:
    inner: list[Statement] = [
        Literal(0, "axle"),
        Literal(1, None),
        Call(2, PART, Arguments((0, 1))),
        Literal(3, 7),
        SetAttribute(2, "weight", 3),
        Call(4, LOAD, Arguments((2,))),
    ]
    outer: list[Statement] = [
        Literal(10, "x"),
        Call(11, PART, Arguments((10, 10))),
        Literal(12, Display("list", (Ref(11),))),
        Call(13, BOX, Arguments((12,))),
        Literal(14, "night"),
        Call(15, RUN, Arguments((13, 14))),
    ]
    first = lifted(inner, outer)[0]
    assert first.startswith('part = Part("axle", None); part.weight = 7; ')
    assert "Box([part])" in first


@pytest.mark.parametrize(
    "made",
    [
        pytest.param('load([["fragile", "a"]])', id="the only item"),
        pytest.param('load(["x", ["fragile", "a"]])', id="one more item"),
        pytest.param('load(["fragile", "a"])', id="instead"),
    ],
)
def test_within_a_container(made: str) -> None:
    assert made in lifted(INNER, [Literal(5, Display("list", ("x",))), Call(6, LOAD, Arguments((5,)))])


def test_as_a_part_of_a_text_and_of_a_dict() -> None:
    inner: list[Statement] = [Literal(0, "b"), Call(1, RATIO, Arguments((0,)))]
    assert {'load("ab")', 'load("ba")', 'load("b")'} <= set(lifted(inner, [Literal(5, "a"), Call(6, LOAD, Arguments((5,)))]))
    table = Display("dict", (("k", 1),))
    assert 'load({"k": "b"})' in lifted(inner, [Literal(5, table), Call(6, LOAD, Arguments((5,)))])


def test_what_happened_before_happens_before() -> None:
    stored: list[Statement] = [
        Call(0, callee("Store", live=Box), Arguments()),
        Literal(1, "row"),
        MethodCall(2, 0, "add", Arguments((1,))),
        Call(3, RATIO, Arguments((1,))),
    ]
    made = lifted(stored, [Literal(5, "cmd"), Call(6, LOAD, Arguments((5,)))])
    assert any("add(" in one and one.endswith('load("cmd")') for one in made)


def test_a_test_that_ends_with_no_call_has_nothing_to_carry() -> None:
    assert lifted([Literal(0, 1)], [Literal(5, 1), Call(6, LOAD, Arguments((5,)))]) == []
