"""Integers and reals, folded: literals as Python computes them, sums with the constant at their right."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final

from crashwright.core.terms import Op, Sort, Term
from crashwright.symbolic.values.literals import integer, integer_of, is_finite_float, payloads, real, truth
from crashwright.symbolic.values.logic import equal

LONGEST_SHIFT: Final = 4096
"""Bits by which literals are shifted here: what is longer stays a term."""


def add(left: Term, right: Term) -> Term:
    """The sum."""
    if left.sort is Sort.REAL:
        return _real(Op.ADD, operator.add, left, right)
    if integer_of(left) is not None:
        left, right = right, left
    first, second = integer_of(left), integer_of(right)
    if second == 0:
        return left
    if first is not None and second is not None:
        return integer(first + second)
    if second is not None and left.op is Op.ADD and (inner := integer_of(left.args[1])) is not None:
        return add(left.args[0], integer(inner + second))
    if second is None and left.op is Op.ADD and integer_of(left.args[1]) is not None:
        return add(add(left.args[0], right), left.args[1])
    return Term(Op.ADD, Sort.INTEGER, (left, right))


def subtract(left: Term, right: Term) -> Term:
    """The difference."""
    if left.sort is Sort.REAL:
        return _real(Op.SUBTRACT, operator.sub, left, right)
    if left == right:
        return integer(0)
    second = integer_of(right)
    if second is not None:
        return add(left, integer(-second))
    if left.op is Op.ADD and integer_of(left.args[1]) is not None:
        return add(subtract(left.args[0], right), left.args[1])
    return Term(Op.SUBTRACT, Sort.INTEGER, (left, right))


def multiply(left: Term, right: Term) -> Term:
    """The product."""
    if left.sort is Sort.REAL:
        return _real(Op.MULTIPLY, operator.mul, left, right)
    if integer_of(left) is not None:
        left, right = right, left
    first, second = integer_of(left), integer_of(right)
    if second == 0:
        return right
    if second == 1:
        return left
    if first is not None and second is not None:
        return integer(first * second)
    return Term(Op.MULTIPLY, Sort.INTEGER, (left, right))


def divide(left: Term, right: Term) -> Term:
    """The quotient of reals; unspecified where the divisor is zero."""
    return _real(Op.DIVIDE, operator.truediv, left, right)


def quotient(left: Term, right: Term) -> Term:
    """Division that rounds down, as ``//`` does; unspecified where the divisor is zero."""
    first, second = integer_of(left), integer_of(right)
    if second == 1:
        return left
    if first is not None and second:
        return integer(first // second)
    return Term(Op.QUOTIENT, Sort.INTEGER, (left, right))


def remainder(left: Term, right: Term) -> Term:
    """What ``%`` makes, with the sign of the divisor; unspecified where that is zero."""
    first, second = integer_of(left), integer_of(right)
    if second in (1, -1):
        return integer(0)
    if first is not None and second:
        return integer(first % second)
    return Term(Op.REMAINDER, Sort.INTEGER, (left, right))


def less(left: Term, right: Term) -> Term:
    """Whether the left is less: numbers, or texts by their characters."""
    return _ordered(Op.LESS, operator.lt, left, right)


def less_equal(left: Term, right: Term) -> Term:
    """Whether the left is not greater."""
    return _ordered(Op.LESS_EQUAL, operator.le, left, right)


def to_real(number: Term) -> Term:
    """An integer as a real, exactly."""
    value = integer_of(number)
    if value is not None and abs(value) < 1 << 1000 and int(float(value)) == value:
        return real(float(value))
    return Term(Op.TO_REAL, Sort.REAL, (number,))


def truncate(number: Term) -> Term:
    """A real rounded towards zero."""
    if number.op is Op.LITERAL and is_finite_float(number.payload):
        return integer(int(number.payload))
    if number.op is Op.TO_REAL:
        return number.args[0]
    return Term(Op.TRUNCATE, Sort.INTEGER, (number,))


def bits(op: Op, left: Term, right: Term) -> Term:
    """``& | ^ << >>``, by the operator's name; a shift by less than nothing is unspecified."""
    first, second = integer_of(left), integer_of(right)
    if first is not None and second is not None:
        if op not in (Op.SHIFT_LEFT, Op.SHIFT_RIGHT):
            return integer(_BITS[op](first, second))
        if 0 <= second <= LONGEST_SHIFT:
            return integer(_BITS[op](first, second))
    return Term(op, Sort.INTEGER, (left, right))


_BITS: Final[dict[Op, Callable[[int, int], int]]] = {
    Op.BIT_AND: operator.and_,
    Op.BIT_OR: operator.or_,
    Op.BIT_XOR: operator.xor,
    Op.SHIFT_LEFT: operator.lshift,
    Op.SHIFT_RIGHT: operator.rshift,
}


def _real(op: Op, compute: Callable[[float, float], float], left: Term, right: Term) -> Term:
    values = payloads(left, right)
    if values is not None:
        first, second = values
        if is_finite_float(first) and is_finite_float(second) and (second or op is not Op.DIVIDE):
            result = compute(first, second)
            if is_finite_float(result):
                return real(result)
    return Term(op, Sort.REAL, (left, right))


def _ordered(op: Op, compare: Callable[..., bool], left: Term, right: Term) -> Term:
    values = payloads(left, right)
    if values is not None:
        return truth(compare(*values))
    if left == right and left.sort is not Sort.REAL:
        return truth(op is Op.LESS_EQUAL)
    if left.sort is Sort.INTEGER:
        left, right = _moved(left, right)
        # One form for x <= 3 and x < 4, one for 3 < x and 4 <= x: what not_ makes of one is the other.
        if op is Op.LESS_EQUAL and (second := integer_of(right)) is not None:
            op, right = Op.LESS, integer(second + 1)
        elif op is Op.LESS and (first := integer_of(left)) is not None:
            op, left = Op.LESS_EQUAL, integer(first + 1)
        known = _of_length(left, right)
        if known is not None:
            return known
    return Term(op, Sort.TRUTH, (left, right))


def _moved(left: Term, right: Term) -> tuple[Term, Term]:
    """``x + 2`` and 5: x and 3."""
    for one, other, back in ((left, right, False), (right, left, True)):
        number = integer_of(other)
        if number is not None and one.op is Op.ADD and (shift := integer_of(one.args[1])) is not None:
            moved = (one.args[0], integer(number - shift))
            return (moved[1], moved[0]) if back else moved
    return left, right


def _of_length(left: Term, right: Term) -> Term | None:
    """No text is shorter than nothing: of ``length < 0``, ``length < 1``, ``0 <= length``."""
    if left.op is Op.LENGTH and (second := integer_of(right)) is not None:
        return truth(False) if second <= 0 else equal(left, integer(0)) if second == 1 else None
    if right.op is Op.LENGTH and (first := integer_of(left)) is not None and first <= 0:
        return truth(True)
    return None
