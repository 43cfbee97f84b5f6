"""Python's operators on values: what they make, by whatever is known of types, is what Python makes."""

from __future__ import annotations

import operator

from hypothesis import given as drawn
from hypothesis import strategies as st

from crashwright.core.terms import Op, Sort, Term, parts
from crashwright.symbolic.values.comparisons import compared, equals
from crashwright.symbolic.values.literals import FALSE, TRUE, given, integer, text
from crashwright.symbolic.values.operands import Operand, OperandOutcome, merged
from crashwright.symbolic.values.operations import binary, unary
from crashwright.symbolic.values.substitution import substituted
from crashwright.symbolic.values.tags import Tag, constant, is_integer, of

BINARY = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
    "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
COMPARISONS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "in": lambda one, other: one in other, "not in": lambda one, other: one not in other,
}  # fmt: skip
UNARY = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
X, Y = given(Sort.VALUE, "x"), given(Sort.VALUE, "y")
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-9, 9),
    st.sampled_from([2**53, 2**53 + 1, 10**400]),
    st.floats(allow_nan=True),
    st.text(max_size=3),
    st.binary(max_size=2),
)


def value(one: object) -> Term:
    made = constant(one)
    assert made is not None
    return made


def agrees(outcomes: list[OperandOutcome], compute) -> None:
    """The outcomes over literals say what Python does: each guard is decided, one outcome at most has its types."""
    try:
        expected, raised = compute(), ""
    except (TypeError, ValueError, ArithmeticError, MemoryError) as error:
        expected, raised = None, type(error).__name__
    fitting = [one for one in outcomes if not one.guards or one.guards[0].condition == TRUE]
    assert all(one.guards[0].condition in (TRUE, FALSE) for one in outcomes)
    if not fitting:
        assert raised == "TypeError"
        return
    (outcome,) = fitting
    broken = [guard.raises for guard in outcome.guards if guard.condition == FALSE]
    if broken:
        assert raised == broken[0]
    elif outcome.result is None:
        assert outcome.reason
    elif raised:
        assert raised == "OverflowError"
        assert outcome.result.args[0].op is not Op.LITERAL
    elif outcome.result.args[0].op is Op.LITERAL:
        assert outcome.result == value(expected)
        assert type(outcome.result.args[0].payload) is type(expected)


@drawn(st.sampled_from(sorted(BINARY)), VALUES, VALUES)
def test_operators_on_constants_are_python(sign: str, left: object, right: object) -> None:
    if sign in ("<<", "**") and isinstance(right, int) and abs(right) > 100:
        return
    agrees(binary(sign, Operand(value(left)), Operand(value(right))), lambda: BINARY[sign](left, right))


@drawn(st.sampled_from(sorted(BINARY)), VALUES, VALUES)
def test_operators_on_values_of_unknown_type_are_python_once_they_are_known(sign: str, left: object, right: object) -> None:
    if sign in ("<<", "**") and isinstance(right, int) and abs(right) > 100:
        return
    known = {X: value(left), Y: value(right)}
    outcomes = [
        OperandOutcome(
            tuple([guard._replace(condition=substituted(guard.condition, known)) for guard in one.guards]),
            None if one.result is None else substituted(one.result, known),
            one.reason,
        )
        for one in binary(sign, Operand(X), Operand(Y))
    ]
    agrees(outcomes, lambda: BINARY[sign](left, right))


@drawn(st.sampled_from(sorted(COMPARISONS)), VALUES, VALUES, st.booleans())
def test_comparisons_are_python(sign: str, left: object, right: object, late: bool) -> None:
    known = {X: value(left), Y: value(right)}
    operands = (Operand(X), Operand(Y)) if late else (Operand(known[X]), Operand(known[Y]))
    outcomes = [
        OperandOutcome(
            tuple([guard._replace(condition=substituted(guard.condition, known)) for guard in one.guards]),
            None if one.result is None else substituted(one.result, known),
            one.reason,
        )
        for one in compared(sign, *operands)
    ]
    if not late or (left == left and right == right):  # of two unknown floats it is not seen that they are NaN
        agrees(outcomes, lambda: COMPARISONS[sign](left, right))


@drawn(st.sampled_from(sorted(UNARY)), VALUES)
def test_signs_are_python(sign: str, one: object) -> None:
    agrees(unary(sign, Operand(value(one))), lambda: UNARY[sign](one))


def test_an_addition_without_types_begins_with_integers_and_brings_no_texts_there() -> None:
    first, *others = binary("+", Operand(X), Operand(of(integer(3))))
    assert first.condition == is_integer(X)
    assert not {term.sort for term in parts([first.condition, first.result])} & {Sort.TEXT, Sort.REAL}
    assert {one.reason for one in others} == {"", "operator + of objects"}
    assert Sort.TEXT not in {term.sort for one in others if one.result for term in parts([one.result])}


def test_known_types_leave_one_outcome() -> None:
    integers = frozenset({Tag.INTEGER})
    assert len(binary("+", Operand(X, integers), Operand(Y, integers))) == 1
    assert len(compared("<", Operand(X, integers), Operand(Y, integers))) == 1
    assert binary("+", Operand(X, integers), Operand(of(text("a")))) == []


def test_several_outcomes_are_merged() -> None:
    numbers = frozenset({Tag.INTEGER, Tag.REAL})
    one = merged(binary("/", Operand(X, numbers), Operand(Y, numbers)))
    for left, right in ((6, 4), (6.0, 4), (1, 4.0)):
        known = {X: value(left), Y: value(right)}
        assert one.result is not None
        assert substituted(one.condition, known) == TRUE
        assert substituted(one.result, known) == value(left / right)
    assert substituted(one.condition, {X: value(1), Y: value(0.0)}) == FALSE
    assert substituted(one.condition, {X: value("a"), Y: value(1)}) == FALSE
    assert merged(binary("%", Operand(X), Operand(Y))).reason == "formatting by %; operator % of floats; operator % of objects"


def test_equality_with_a_number_asks_for_each_kind_of_number() -> None:
    asked = equals(Operand(X), Operand(of(integer(1))))
    assert [substituted(asked, {X: value(one)}) for one in (1, True, 1.0)] == [TRUE] * 3
    assert [substituted(asked, {X: value(one)}) for one in (2, False, None, "1")] == [FALSE] * 4
    assert equals(Operand(X, frozenset({Tag.INTEGER})), Operand(of(integer(1)))).op is Op.EQUAL
    assert equals(Operand(X, frozenset({Tag.TEXT})), Operand(of(integer(1)))).op is Op.EQUAL
