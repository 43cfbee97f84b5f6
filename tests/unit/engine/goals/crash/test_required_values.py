"""What is wanted of single values so that a precondition holds, under the heap as it is."""

from __future__ import annotations

import pytest
from terms_by_hand import attribute, equal, given, has_key, integer, is_none, less, literal, needs, negated, of, size, text

from crashwright.core.terms import Op, Sort, Term
from crashwright.engine.goals.crash.live_heap import NOT_KNOWN
from crashwright.engine.goals.crash.precondition import FrameDistance
from crashwright.engine.goals.crash.required_values import MOST, RequiredValue

X, Y = given("x"), given("y")


class Bar:
    def __init__(self) -> None:
        self.pos = 3


class Hostile:
    """What must not be asked."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise AssertionError

    def __len__(self) -> int:
        raise AssertionError

    @property
    def __class__(self) -> type:  # type: ignore[override]
        raise AssertionError


def required(guard: Term, **arguments: object) -> list[RequiredValue]:
    return FrameDistance([needs(guard)], tuple(arguments)).required(tuple(arguments.values()))


def total(one: Term, other: Term) -> Term:
    return Term(Op.ADD, Sort.INTEGER, (one, other))


def test_each_operand_of_a_sum_in_its_turn() -> None:
    guard = equal(total(integer(attribute(X, "pos")), integer(Y)), literal(0))
    assert required(guard, x=Bar(), y=2) == [RequiredValue("pos", Bar, 3, -2), RequiredValue("y", None, 2, -3)]
    assert required(guard, x=Bar(), y=-3) == []


@pytest.mark.parametrize(
    ("guard", "value", "new"),
    [
        (less(integer(X), literal(5)), 9, 4),
        (negated(less(integer(X), literal(5))), 2, 5),
        (is_none(X), "some", None),
        (equal(text(X), literal("end")), "begin", "end"),
        (less(literal(2), size(X)), [7], [7, 7, 7]),
        (equal(size(X), literal(0)), (1, 2), ()),
        (has_key(X, of(literal("k"))), {"a": 1}, {"a": 1, "k": None}),
        (negated(has_key(X, of(literal("a")))), {"a": 1, "b": 2}, {"b": 2}),
    ],
)
def test_a_value_that_would_do(guard: Term, value: object, new: object) -> None:
    assert new in [one.new for one in required(guard, x=value)]


def test_what_is_not_known_pushes_numbers_far() -> None:
    unknown = Term(Op.UNKNOWN, Sort.INTEGER, (), (1, "the time"))
    guard = less(integer(attribute(X, "pos")), unknown)
    assert [(one.name, one.new) for one in required(guard, x=Bar())] == [("pos", 0), ("pos", -1_000_000), ("pos", 1_000_000)]


def test_of_what_is_not_known_only_the_kind() -> None:
    unknown = Term(Op.UNKNOWN, Sort.VALUE, (), (1, "what it returns"))
    assert required(is_none(unknown), x=1) == [RequiredValue("", None, NOT_KNOWN, None)]


def test_objects_of_the_subject_are_not_asked() -> None:
    assert required(equal(X, Y), x=Hostile(), y=Hostile()) == []
    assert required(equal(size(X), literal(1)), x=Hostile()) == []
    assert required(is_none(X), x=Hostile()) == [RequiredValue("x", None, required(is_none(X), x=Hostile())[0].old, None)]


def test_there_are_not_too_many() -> None:
    guard = Term(Op.AND, Sort.TRUTH, tuple(equal(integer(given(f"x{one}")), literal(one)) for one in range(20)))
    assert len(required(guard, **{f"x{one}": -1 for one in range(20)})) == MOST
