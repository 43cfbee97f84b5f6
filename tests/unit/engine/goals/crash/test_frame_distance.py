"""The distance of live arguments: what is found without asking, what counts as unknown, and what a measurement may take."""

from __future__ import annotations

import weakref
from collections import OrderedDict, deque, namedtuple

import pytest
from terms_by_hand import (
    attribute,
    element,
    equal,
    given,
    has_key,
    integer,
    is_a,
    is_none,
    leaf,
    less,
    literal,
    mapped,
    needs,
    negated,
    of,
    size,
    text,
    truth,
)

from crashwright.core.location import CodeKey
from crashwright.core.precondition import Guard, Precondition
from crashwright.core.terms import Op, Sort, Term
from crashwright.engine.goals.crash.precondition import MOST_PARTS, FrameDistance, distance

X = given("x")


class Plain:
    default = 3

    def __init__(self) -> None:
        self.own = 4

    def method(self) -> None: ...

    @property
    def asked(self) -> int:
        raise AssertionError


class Slotted:
    __slots__ = ("empty", "full")

    def __init__(self) -> None:
        self.full = 1


class Answering:
    def __getattr__(self, name: str) -> object:
        raise AssertionError if name == "lid" else AttributeError


def far(guard: Term, **arguments: object) -> float:
    return distance([needs(guard)], arguments)


@pytest.mark.parametrize(
    ("value", "name", "undefined"),
    [
        (Plain(), "own", False),
        (Plain(), "default", False),
        (Plain(), "method", False),
        (Plain(), "lid", True),
        (Plain(), "asked", None),
        (Plain, "default", None),
        (ValueError(), "lid", True),
        (ValueError(), "args", None),
        (Slotted(), "full", False),
        (Slotted(), "empty", True),
        (Answering(), "lid", None),
        ([], "append", False),
        (namedtuple("Pair", "one")(1), "lid", True),
    ],
)
def test_attributes_are_found_without_asking(value: object, name: str, undefined: bool | None) -> None:
    guard = truth(Op.IS_UNDEFINED, attribute(X, name))
    found = far(guard, x=value), far(negated(guard), x=value)
    assert found == (1.0, 1.0) if undefined is None else (found[0] == 0, found[1] == 0) == (undefined, not undefined)


def test_an_attribute_has_its_value() -> None:
    assert far(equal(integer(attribute(X, "own")), literal(4)), x=Plain()) == 0
    assert far(equal(integer(attribute(X, "default")), literal(3)), x=Plain()) == 0
    assert far(is_none(attribute(X, "method")), x=Plain()) > 0


@pytest.mark.parametrize("value", [[1, 2], (1, 2), {1, 2}, {1: 0, 2: 0}, deque([1, 2]), OrderedDict({1: 0, 2: 0}), bytearray(2)])
def test_containers_have_a_size(value: object) -> None:
    assert far(equal(size(X), literal(2)), x=value) == 0


def test_the_longer_way_is_farther() -> None:
    guard = less(literal(5), size(X))
    found = [far(guard, x=[0] * length) for length in range(7)]
    assert found == sorted(found, reverse=True)
    assert found[5] > found[6] == 0


def test_keys_and_what_they_lead_to() -> None:
    row = {"a": None, 1: "one"}
    assert far(has_key(X, of(literal("a"))), x=row) == 0
    assert far(has_key(X, of(literal("b"))), x=row) < far(has_key(X, of(literal("zebra"))), x=row)
    assert far(is_none(mapped(X, of(literal("a")))), x=row) == 0
    assert far(is_none(mapped(X, of(literal("b")))), x=row) == 1
    assert far(has_key(X, of(literal("a"))), x=frozenset("ab")) == 0


def test_what_inherits_from_a_class_is_taken_for_it() -> None:
    assert far(is_a(X, f"{__name__}:Plain"), x=Plain()) == 0
    assert far(is_a(X, "builtins:dict"), x={}) == 0
    assert far(is_a(X, "collections:OrderedDict"), x=OrderedDict()) == 0
    assert far(is_a(X, "builtins:dict"), x=OrderedDict()) == 0
    assert far(is_a(X, "collections:OrderedDict"), x={}) > 0 < far(is_a(X, "builtins:list"), x=OrderedDict())


def test_what_was_stored_is_read() -> None:
    items = Term(Op.SELECT, Sort.ITEMS, (leaf(Op.INPUT, Sort.ELEMENTS), Term(Op.REFERENCE_IN, Sort.REFERENCE, (X,))))
    nine = of(literal(9))
    for array, expected in (
        (Term(Op.STORE, Sort.ITEMS, (items, literal(1), nine)), [0, 9, 2, 3]),
        (Term(Op.INSERTED, Sort.ITEMS, (items, literal(1), nine)), [0, 9, 1, 2]),
        (Term(Op.DELETED, Sort.ITEMS, (items, literal(1))), [0, 2, 3]),
        (Term(Op.SHIFTED, Sort.ITEMS, (items, literal(2))), [2, 3]),
        (Term(Op.JOINED, Sort.ITEMS, (items, literal(2), items)), [0, 1, 0, 1]),
        (Term(Op.SAME, Sort.ITEMS, (nine,)), [9, 9]),
    ):
        for index, value in enumerate(expected):
            found = Term(Op.SELECT, Sort.VALUE, (array, literal(index)))
            assert far(equal(integer(found), literal(value)), x=[0, 1, 2, 3]) == 0


def test_what_is_unknown_counts_the_same_on_both_sides_and_hides_nothing() -> None:
    unknown = leaf(Op.UNKNOWN, Sort.TRUTH, (1, "what f(x) returns"))
    assert far(unknown) == far(negated(unknown)) == 1
    near, farther = (far(truth(Op.OR, unknown, less(integer(X), literal(3))), x=value) for value in (4, 400))
    assert 0 < near < farther < 1
    assert far(truth(Op.AND, unknown, less(integer(X), literal(3))), x=1) == 1


def test_the_wrong_kind_is_farther_than_any_number() -> None:
    guard = truth(Op.AND, truth(Op.IS_INTEGER, X), less(integer(X), literal(3)))
    assert far(guard, x=10**300) < far(guard, x=None)


def test_globals_are_looked_up_where_no_parameter_has_the_name() -> None:
    names = {"LIMIT": 5}
    frame = FrameDistance([needs(less(integer(given("shop:LIMIT")), integer(X)))], ("x",), {"shop": names}.__getitem__)
    assert frame.of((6,)) == 0
    names["LIMIT"] = 9
    assert frame.of((6,)) > 0
    assert FrameDistance([needs(is_none(given("nowhere")))], ()).of(()) == 1


def test_the_nearest_path_counts_and_long_ones_are_left_out() -> None:
    one, other = needs(is_none(X)), needs(truth(Op.IS_TEXT, X), less(literal("b"), text(X)))
    assert distance([one, other], {"x": "c"}) == 0
    long = needs(*(equal(integer(element(X, literal(number))), literal(0)) for number in range(MOST_PARTS)))
    assert FrameDistance([long, other], ("x",)).farthest == 2
    assert distance([long], {"x": 1}) == 0 == FrameDistance([], ()).of(())


def test_nothing_is_kept_alive() -> None:
    frame = FrameDistance([needs(is_none(attribute(X, "own")))], ("x",))
    thing = Plain()
    seen = weakref.ref(thing)
    frame.of((thing,))
    del thing
    assert seen() is None


def test_what_was_not_modelled_adds_nothing_to_the_search() -> None:
    unknown = leaf(Op.UNKNOWN, Sort.TRUTH, (1, "what f(x) returns"))
    called = leaf(Op.UNKNOWN, Sort.VALUE, (2, "what g(x) returns"))
    near = less(integer(X), literal(3))
    for guards in ((unknown, near), (truth(Op.AND, unknown, near),), (negated(unknown), less(integer(called), literal(1)), near)):
        frame = FrameDistance([needs(*guards)], ("x",))
        assert frame.guidance((1,))[0] == 0
        assert 0 < frame.guidance((5,))[0] == FrameDistance([needs(near)], ("x",)).guidance((5,))[0]
    either = FrameDistance([needs(truth(Op.OR, unknown, near))], ("x",))
    assert either.guidance((5,))[0] > 0


def test_the_way_to_the_line_is_what_stands_above_it_in_the_function() -> None:
    here, elsewhere = CodeKey("m", "f", 1), CodeKey("m", "g", 30)
    terms = [is_none(given("a")), is_none(given("b")), is_none(given("c")), is_none(given("d"))]
    places = [(3, here, False), (4, elsewhere, False), (9, here, False), (5, here, True)]
    guards = tuple(Guard(term, *place) for term, place in zip(terms, places, strict=True))
    frame = FrameDistance([Precondition(1, here, guards)], ("a", "b", "c", "d"), line=6)
    assert frame.guidance((None, 1, 1, 1))[1] == 0 < frame.guidance((1, None, None, None))[1]
    assert frame.guidance((None, None, None, None)) == (0, 0)


def test_what_holds_what_does_not_and_what_is_not_known() -> None:
    unknown = Term(Op.UNKNOWN, Sort.TRUTH, (), (0, "a call"))
    frame = FrameDistance([needs(is_none(X), unknown)], ("x",))
    assert frame.holds((3,)) is False
    assert frame.holds((None,)) is None
    assert FrameDistance([needs(is_none(X))], ("x",)).holds((None,)) is True
    assert FrameDistance([], ("x",)).holds((None,)) is None
