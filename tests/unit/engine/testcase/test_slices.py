"""Slices of tests, and the identity of tests under other names."""

from __future__ import annotations

import itertools
import random

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.shape import shape_of
from crashwright.engine.testcase.slices import KEPT, Slices, graft, slice_of
from crashwright.engine.testcase.statements import (
    Arguments,
    Call,
    Display,
    Enter,
    Literal,
    MethodCall,
    Ref,
    SetItem,
    Statement,
)
from crashwright.engine.testcase.testcase import TestCase


class Shelf:
    pass


class TallShelf(Shelf):
    pass


MAKE = Callee("shop", "Shelf", CalleeKind.CLASS, live=Shelf)
JOIN = Callee("shop", "join", CalleeKind.FUNCTION)


def call(variable: int, *arguments: int, callee: Callee = MAKE) -> Call:
    return Call(variable, callee, Arguments(tuple(arguments)))


def test_a_slice_has_what_its_value_needs_and_no_more() -> None:
    statements: list[Statement] = [Literal(1, 5), Literal(2, "no"), call(3, 1), Literal(4, Display("list", (Ref(3),))), call(5, 4)]
    assert slice_of(statements, 4) == (statements[0], statements[2], statements[3], statements[4])


def test_a_with_block_cannot_be_cut_out() -> None:
    assert slice_of([Literal(1, 5), Enter(2, 1), call(3, 2)], 2) == ()


def test_a_graft_has_variables_of_its_own() -> None:
    part = (Literal(1, 5), call(2, 1))
    copied = graft(part, itertools.count(10))
    assert copied == [Literal(10, 5), call(11, 10)]
    assert TestCase((*part, *copied)).is_valid()


def test_rare_ways_stay_beside_common_ones() -> None:
    slices = Slices()
    for number in range(10):
        many = tuple(Literal(variable, variable) for variable in range(number % 4))
        slices.learn(Shelf, (*many, call(99)))
    slices.learn(Shelf, (Literal(1, 1), Literal(2, 2), Literal(3, 3), call(4, 1, 2, callee=JOIN)))
    drawn = {slices.draw(Shelf, random.Random(seed))[-1] for seed in range(40)}
    assert drawn == {call(99), call(4, 1, 2, callee=JOIN)}
    assert len({slices.draw(Shelf, random.Random(seed)) for seed in range(200)}) <= KEPT + 1


def test_an_heir_will_do() -> None:
    slices = Slices()
    assert slices.draw(Shelf, random.Random(0)) == ()
    slices.learn(TallShelf, (call(1),))
    assert slices.draw(Shelf, random.Random(0)) == (call(1),)


def test_other_names_same_shape() -> None:
    one = TestCase(
        (Literal(1, "a"), Literal(2, Display("list", (Ref(1),))), MethodCall(3, 1, "f", Arguments((2,))), SetItem(2, 1, 3))
    )
    other = TestCase(
        (Literal(7, "a"), Literal(5, Display("list", (Ref(7),))), MethodCall(9, 7, "f", Arguments((5,))), SetItem(5, 7, 9))
    )
    assert shape_of(one) == shape_of(other)


def test_other_values_types_and_wiring_are_other_shapes() -> None:
    def test_of(value: object, *wiring: int, name: str = "f") -> int:
        return shape_of(TestCase((Literal(1, value), Literal(2, value), MethodCall(3, wiring[0], name, Arguments(wiring[1:])))))  # type: ignore[arg-type]

    shapes = [
        test_of(1, 1, 2),
        test_of(True, 1, 2),
        test_of(1.0, 1, 2),
        test_of(1, 2, 1),
        test_of(1, 1),
        test_of(1, 1, 2, name="g"),
    ]
    assert len(set(shapes)) == len(shapes)
